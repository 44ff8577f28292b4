"""`python -m analysis archive`: run folders as one file that every command reads."""

import json

import numpy as np
import pandas as pd
import pytest

from analysis.__main__ import main
from analysis.runs.portable import LARGEST, SPECTRUM, small_arrays
from analysis.runs.records import read_runs
from analysis.runs.series import arrays
from records.archive import read_archive
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record
from tests.analysis.test_records import own_run


def archive(*words) -> int:
    return main(["archive", *map(str, words)])


def test_the_table_of_an_archive_is_that_of_the_folders(tmp_path):
    write_grid(tmp_path / "runs" / "sweep", models=("vgg13",), sizes=(500, 1750), seeds=2)
    file = tmp_path / "evidence" / "sweep.parquet"
    assert archive(tmp_path / "runs", "-o", file) == 0
    folders, archived = read_runs([tmp_path / "runs"]), read_runs([file])
    order = ["key"]
    one, other = (
        runs.plain.sort_values(order, ignore_index=True).drop(columns="path")
        for runs in (folders, archived)
    )
    pd.testing.assert_frame_equal(one, other[one.columns])
    for runs in (folders, archived):
        assert set(runs.table.experiment) == {"sweep"}
    metrics = [
        runs.metrics.sort_values(["key", "name"], ignore_index=True) for runs in (folders, archived)
    ]
    pd.testing.assert_frame_equal(*metrics)


def test_a_report_of_an_archive_has_the_tables_of_the_folders(tmp_path, capsys):
    write_grid(tmp_path / "runs", models=("vgg13",), sizes=(500, 1750), seeds=2)
    archive(tmp_path / "runs", "-o", tmp_path / "evidence" / "grid.parquet")
    for source in (tmp_path / "runs", tmp_path / "evidence"):  # a folder with archives in it
        assert main([str(source), "--figure", "laws", "--out", str(source / "made")]) == 0
    made = [
        (tmp_path / name / "made" / "tables" / "konz2024" / "laws.csv").read_text()
        for name in ("runs", "evidence")
    ]
    assert made[0] == made[1]
    capsys.readouterr()


def test_nothing_is_written_beside_archives(tmp_path, monkeypatch, capsys):
    write_record(tmp_path / "runs", settings("vgg13", "brats", "medical", 500, 0))
    archive(tmp_path / "runs", "-o", tmp_path / "evidence" / "grid.parquet")
    monkeypatch.chdir(tmp_path)
    for source, name in (("evidence/grid.parquet", "grid"), ("evidence", "evidence")):
        assert main([source]) == 0
        assert (tmp_path / "runs" / f"report-{name}" / "report.html").is_file()
    assert [one.name for one in (tmp_path / "evidence").iterdir()] == ["grid.parquet"]
    capsys.readouterr()


def test_an_archive_grows_and_the_later_run_wins(tmp_path, capsys):
    first, second = (settings("vgg13", "brats", "medical", 500, seed) for seed in (0, 1))
    write_record(tmp_path / "monday" / "s", first, {"test/loss": 0.5})
    write_record(tmp_path / "monday" / "s", second, status="failed", error="killed")
    file = tmp_path / "s.parquet"
    assert archive(tmp_path / "monday", "-o", file) == 0
    later = "2026-01-02T00:00:00+00:00"
    write_record(tmp_path / "tuesday" / "s", second, {"test/loss": 0.25}, finished=later)
    assert archive(tmp_path / "tuesday", "-o", file) == 0
    table = read_runs([file]).table.sort_values("seed")
    assert table["test/loss"].tolist() == [0.5, 0.25]
    assert table.status.tolist() == ["done", "done"]
    assert archive(tmp_path / "tuesday", "-o", file, "--replace") == 0
    assert len(read_archive(file)) == 1
    assert "1 run," in capsys.readouterr().out


def test_archives_can_be_merged(tmp_path):
    for seed in (0, 1):
        write_record(tmp_path / f"{seed}" / "s", settings("vgg13", "brats", "medical", 500, seed))
        archive(tmp_path / f"{seed}", "-o", tmp_path / f"{seed}.parquet")
    both = [tmp_path / f"{seed}.parquet" for seed in (0, 1)]
    assert archive(*both, "-o", tmp_path / "both.parquet") == 0
    assert sorted(run.record["settings"]["seed"] for run in read_archive(tmp_path / "both.parquet"))


def test_unfinished_runs_are_counted_and_left_out(tmp_path, capsys):
    for seed, status in enumerate(("done", "running", "failed")):
        write_record(
            tmp_path / "s", settings("vgg13", "brats", "medical", 500, seed), status=status
        )
    assert archive(tmp_path, "-o", tmp_path / "s.parquet") == 0
    assert "2 runs" in (said := capsys.readouterr().out)
    assert "1 unfinished run left out" in said


def test_nothing_of_the_machine_is_in_an_archive(tmp_path):
    own = settings("vgg13", "image_folder", "medical", 500, 0, root="/home/me/scans/lungs")
    write_record(
        tmp_path / "s",
        own,
        command="python launch.py data=image_folder data.root=/home/me/scans/lungs name=a/b",
        sessions=[{"host": "box", "process": 3, "devices": 1}],
        notes=["3 files of /home/me/scans/lungs/a were left out"],
    )
    archive(tmp_path, "-o", tmp_path / "s.parquet")
    (run,) = read_archive(tmp_path / "s.parquet")
    text = json.dumps(run.record)
    assert "/home" not in text
    assert "box" not in text
    assert "name=a/b" in run.record["command"]
    assert read_runs([tmp_path / "s.parquet"]).table.data.tolist() == ["lungs"]


def test_own_sets_with_one_folder_name_stay_apart_in_archives(tmp_path):
    for root, seed in ((root, seed) for root in ("A", "B") for seed in range(2)):
        own_run(tmp_path / "s", f"/me/hosp{root}/images", seed, whole=f"{root}{root}{root}")
    archive(tmp_path / "s", "-o", tmp_path / "both.parquet")
    runs = read_runs([tmp_path / "both.parquet"])
    assert runs.old == 0
    assert runs.table.groupby("data").size().to_dict() == {"hospA/images": 2, "hospB/images": 2}
    assert "/me" not in json.dumps([run.record for run in read_archive(tmp_path / "both.parquet")])


def test_archives_of_two_sets_with_one_folder_name_are_merged_without_loss(tmp_path):
    for root in "AB":
        own_run(tmp_path / root / "s", f"/me/hosp{root}/images", whole=f"{root}1234567")
        archive(tmp_path / root, "-o", tmp_path / f"{root}.parquet")
    archive(tmp_path / "A.parquet", tmp_path / "B.parquet", "-o", tmp_path / "both.parquet")
    runs = read_runs([tmp_path / "both.parquet"])
    assert runs.old == 0
    assert sorted(runs.table.data) == ["images (A12345)", "images (B12345)"]


def test_a_set_that_was_edited_is_one_set_also_in_an_archive(tmp_path):
    for day, (seed, whole) in enumerate(((0, "aaaa"), (1, "bbbb"))):
        own_run(tmp_path / whole / "s", "/me/leaves", seed, whole, started=f"2026-01-0{day + 1}")
        archive(tmp_path / whole, "-o", tmp_path / "s.parquet")
    runs = read_runs([tmp_path / "s.parquet"])
    assert runs.table.seed.tolist() == [1]
    assert runs.old == 1


def test_small_arrays_travel_and_large_ones_do_not(tmp_path):
    folder = write_record(tmp_path / "s", settings("vgg13", "brats", "medical", 500, 0))
    (folder / "arrays").mkdir()
    spectrum = np.arange(3000.0).reshape(300, 10)
    kept = {
        "train_singular_values@1": spectrum + 1,
        "train_singular_values@9": spectrum,
        "data_variance_shares@0": np.linspace(0, 1, LARGEST),
        "geometry_g_f@0": np.zeros((65, 64)),
        "data_components@0": np.zeros((2, 3, 4, 4)),
    }
    for name, values in kept.items():
        np.savez_compressed(folder / "arrays" / f"{name}.npz", values=values)
    assert set(small_arrays(folder)) == {("train_singular_values", 9), ("data_variance_shares", 0)}
    archive(tmp_path, "-o", tmp_path / "s.parquet")
    path = read_runs([tmp_path / "s.parquet"]).table.path[0]
    thinned = arrays(path, "train/singular_values")
    assert list(thinned) == [9]
    assert thinned[9].shape == (SPECTRUM // 10, 10)
    assert set(map(tuple, thinned[9])) <= set(map(tuple, spectrum))
    np.testing.assert_allclose(
        arrays(path, "data/variance_shares")[0], np.linspace(0, 1, LARGEST), rtol=1e-6
    )
    assert arrays(path, "geometry/g_f") == {}


@pytest.mark.parametrize("content", [b"", b"PAR1 torn PAR1"])
def test_a_damaged_archive_is_an_error_and_is_not_overwritten(tmp_path, capsys, content):
    write_record(
        tmp_path / "runs", settings("vgg13", "brats", "medical", 500, 0), scalars(500, 9, 1e-4)
    )
    file = tmp_path / "evidence" / "torn.parquet"
    file.parent.mkdir()
    file.write_bytes(content)
    assert main([str(file)]) == 2
    assert "torn.parquet cannot be read as an archive" in capsys.readouterr().err
    assert archive(tmp_path / "runs", "-o", file) == 2
    assert file.read_bytes() == content
    found = read_runs([tmp_path / "runs", file.parent])  # found in a folder: listed, never ignored
    assert len(found.table) == 1
    assert "torn.parquet" in found.broken.path[0]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nowhere", "-o", "a.parquet"], "nowhere is not a folder"),
        (["nowhere", "-o", "a.csv"], "ends in .parquet"),
    ],
)
def test_a_wrong_command_says_what_is_wrong(capsys, words, reason):
    assert archive(*words) == 2
    assert reason in capsys.readouterr().err


def test_watch_says_that_nothing_runs_in_an_archive(tmp_path, capsys):
    write_record(tmp_path / "s", settings("vgg13", "brats", "medical", 500, 0))
    archive(tmp_path, "-o", tmp_path / "s.parquet")
    assert main(["watch", str(tmp_path / "s.parquet")]) == 2
    assert "nothing runs" in capsys.readouterr().err


def test_runs_of_an_archive_and_of_folders_see_the_same_images(tmp_path):
    """So that both are averaged: an archive has the settings in another order."""
    seen = {"split": "image", "antialias": True, "reader": {"part": "train", "index": None}}
    for seed, place in enumerate(("old", "new")):
        own = settings("lenet", "mnist", "natural", 100, seed, **seen)
        write_record(tmp_path / place, own, scalars(100, 10, 1e-4))
    archive = tmp_path / "old.parquet"
    assert main(["archive", str(tmp_path / "old"), "-o", str(archive)]) == 0
    table = read_runs([archive, tmp_path / "new"]).table
    assert table.images.nunique() == 1
    assert table.images[0] == "antialias=True reader.part=train split=image"


def test_weights_of_one_name_are_those_of_their_folders(tmp_path):
    for seed, place in enumerate("ab"):
        own = settings("vgg13", "mnist", "natural", 100, seed)
        own["model"]["weights"] = f"/home/me/{place}/best.pth"
        write_record(tmp_path / "s", own)
    archive(tmp_path / "s", "-o", tmp_path / "s.parquet")
    folder, archived = (read_runs([tmp_path / name]).table for name in ("s", "s.parquet"))
    assert folder.recipe.nunique() == 2
    assert dict(zip(archived.seed, archived.recipe, strict=True)) == dict(
        zip(folder.seed, folder.recipe, strict=True)
    )
    assert "/home" not in json.dumps([run.record for run in read_archive(tmp_path / "s.parquet")])
