"""Single settings, series and arrays, read back from run folders."""

import numpy as np

from analysis.runs.records import read_runs
from analysis.runs.series import arrays, series
from analysis.runs.settings import setting
from tests.analysis.synthetic_runs import scalars, settings, write_record


def test_a_setting_is_read_by_its_name_and_a_lacking_one_is_the_default(tmp_path):
    write_record(tmp_path, settings("resnet18", "mnist", "natural", 100, 0), {})
    runs = read_runs([tmp_path]).table
    assert setting(runs, "task.noise").tolist() == [0.0]
    assert setting(runs, "loss.temperature", 1.5).tolist() == [1.5]


def test_a_series_has_every_measurement_with_its_run(tmp_path):
    folder = write_record(tmp_path, settings("mlp", "mnist", "natural", 100, 0), scalars(9, 3, 1))
    (folder / "metrics.csv").write_text(
        "epoch,step,name,value\n1,10,a/b,2.0\n0,0,a/b,1.0\n0,0,other,7.0\n"
    )
    found = series(read_runs([tmp_path]).table, "a/b")
    assert found["a/b"].tolist() == [1.0, 2.0]
    assert found.epoch.tolist() == [0, 1]
    assert found.model.tolist() == ["mlp", "mlp"]


def test_a_file_with_nothing_in_it_yet_is_passed_over(tmp_path):
    folder = write_record(tmp_path, settings("mlp", "mnist", "natural", 100, 0), {})
    runs = read_runs([tmp_path]).table
    (folder / "metrics.csv").write_text("")
    assert series(runs, "a/b").empty


def test_a_quantity_never_measured_gives_an_empty_series(tmp_path):
    write_record(tmp_path, settings("mlp", "mnist", "natural", 100, 0), {})
    assert series(read_runs([tmp_path]).table, "a/b").empty


def test_arrays_come_by_epoch(tmp_path):
    (tmp_path / "arrays").mkdir()
    for epoch in (10, 2):
        np.savez(tmp_path / "arrays" / f"test_x@{epoch}.npz", x=np.full(3, epoch))
    assert list(arrays(tmp_path, "test/x")) == [2, 10]
    assert arrays(tmp_path, "test/x")[10].tolist() == [10.0] * 3
