import os
import subprocess
import sys

import numpy as np
import pytest

from analysis.__main__ import main
from analysis.printing.typeset import compact
from analysis.runs.records import read_runs
from analysis.statistics.seed_table import averaged_over, seed_table
from tests.analysis.synthetic_runs import settings, write_record

LOSSES = {("vgg13", 0): 0.5, ("vgg13", 1): 0.7, ("resnet18", 0): 0.3, ("resnet18", 1): 1.3}


@pytest.fixture
def root(tmp_path):
    for (model, seed), loss in LOSSES.items():
        numbers = {"test/loss": loss, "test/accuracy": 1 - loss / 2, "data/d_mle": 9.0 + seed}
        write_record(tmp_path, settings(model, "oai", "medical", 250, seed), numbers)
    lost = settings("vgg13", "oai", "medical", 250, 2)
    write_record(tmp_path, lost, {"test/loss": 0.0}, status="failed", error="a reason")
    return tmp_path


def test_the_best_run_is_named_with_its_setting_command_and_folder(root, capsys):
    assert main(["best", str(root), "--by", "test/loss"]) == 0
    told = capsys.readouterr().out
    assert "test/loss = 0.3: lowest of 4 finished runs." in told
    assert "The first" not in told  # all are listed
    assert "Folder: " + str(next(root.glob("resnet18-oai-n250-s0-*"))) in told
    assert "Command of its whole sweep: python launch.py -m" in told
    # one seed of the other network did worse, but the two together do better
    assert "Best mean over seeds: 0.6 (standard deviation 0.1414), 2 runs: model=vgg13" in told
    assert main(["best", str(root), "--by", "test/accuracy"]) == 0
    assert "0.85: highest" in capsys.readouterr().out


def test_the_direction_is_asked_where_no_one_knows_it(root, capsys):
    assert main(["best", str(root), "--by", "data/d_mle"]) == 2
    assert "add --lowest if a lower value is better, else --highest." in capsys.readouterr().err
    assert main(["best", str(root), "--by", "data/d_mle", "--highest", "--first", "1"]) == 0
    printed = capsys.readouterr().out
    assert "10: highest of 4" in printed
    assert "The first 1 of 4 (--first N lists N):" in printed
    assert main(["best", str(root), "--by", "test/los"]) == 2
    assert "try test/loss" in capsys.readouterr().err


def test_means_and_deviations_are_over_runs_that_differ_in_their_seed_alone(root):
    table = seed_table(read_runs([root]).done).set_index("model")
    assert table.runs.tolist() == [2, 2]
    assert table["test/loss"].to_dict() == pytest.approx({"resnet18": 0.8, "vgg13": 0.6})
    assert table["test/loss_sd"]["vgg13"] == pytest.approx(0.02**0.5)


def test_a_mean_of_some_of_the_runs_says_of_how_many(tmp_path):
    for seed, k_f in enumerate((2.0, None, 4.0)):  # K_F is infinite with equal images
        numbers = {"test/loss": 0.5, "data/k_f": k_f}
        write_record(tmp_path, settings("vgg13", "oai", "medical", 250, seed), numbers)
    write_record(tmp_path, settings("lenet", "oai", "medical", 250, 0), {"data/k_f": 1.0})
    table = seed_table(read_runs([tmp_path]).done).set_index("model")
    assert table["data/k_f_runs"].to_dict() == pytest.approx(
        {"lenet": np.nan, "vgg13": 2}, nan_ok=True
    )
    assert "test/loss_runs" not in table
    assert compact(table)["data/k_f"].tolist() == ["1", "3 ± 1.41 (of 2 runs)"]


def test_folds_are_called_folds(tmp_path, capsys):
    for fold in range(5):
        own = settings("vgg13", "oai", "medical", 250, 0) | {"folds": 5, "fold": fold}
        write_record(tmp_path, own, {"test/loss": 0.5 + fold})
    assert main(["best", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "Best mean over folds: 2.5 (standard deviation 1.581), 5 runs" in told
    assert "report the mean over\nfolds, and" in told
    assert main([str(tmp_path)]) == 0
    report = tmp_path / "report"
    assert "<h3>Mean and spread over folds</h3>" in (report / "report.html").read_text()
    assert "Mean over folds" in (report / "tables" / "over_seeds.tex").read_text()
    write_record(tmp_path, settings("vgg13", "oai", "medical", 250, 1) | {"folds": 5, "fold": 0})
    assert averaged_over(read_runs([tmp_path]).done) == "seeds and folds"


def test_the_report_has_the_table_as_csv_markdown_and_latex(root):
    assert main([str(root)]) == 0
    tables = root / "report" / "tables"
    assert "0.6 ± 0.141" in (tables / "over_seeds.md").read_text()
    assert r"0.6 $\pm$ 0.141 &" in (tables / "over_seeds.tex").read_text()
    assert "test/loss_sd" in (tables / "over_seeds.csv").read_text()
    page = (root / "report" / "report.html").read_text()
    assert "Mean and spread over seeds" in page


def test_the_data_set_is_shown_where_several_are_in_the_table(tmp_path):
    for data, n in (("digits", 50), ("digits", 100), ("mnist", 70)):
        write_record(tmp_path, settings("lenet", data, "natural", n, 0), {"test/loss": 0.5})
    table = seed_table(read_runs([tmp_path]).done)
    assert sorted(zip(table.data, table.n, strict=True)) == [
        *(("digits", "100"), ("digits", "50"), ("mnist", "70")),
    ]


def test_the_data_set_is_shown_where_the_runs_that_are_not_listed_have_another(tmp_path, capsys):
    for data, loss in (("digits", 0.1), ("mnist", 0.9)):
        write_record(tmp_path, settings("lenet", data, "natural", 50, 0), {"test/loss": loss})
    assert main(["best", str(tmp_path), "--first", "1"]) == 0
    heading = capsys.readouterr().out.partition("first 1 of 2")[2].splitlines()[2]
    assert "data" in heading


def test_a_reader_that_stops_reading_is_no_error(root):
    """As `| head` does: here the pipe is closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "analysis", "best", str(root)]
    ended = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert b"Traceback" not in ended.stderr
    assert b"BrokenPipe" not in ended.stderr


def test_without_a_finished_run_the_best_is_not_looked_for(tmp_path, capsys):
    write_record(tmp_path, settings("lenet", "digits", "natural", 50, 0), status="running")
    assert main(["best", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("no run has finished")


def test_a_run_in_an_archive_is_in_a_file_and_not_in_a_folder(root, tmp_path, capsys):
    archive = tmp_path / "all.parquet"
    assert main(["archive", str(root), "-o", str(archive)]) == 0
    assert main(["best", str(archive), "--by", "test/accuracy"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(f"In the archive {archive}")


def test_own_images_have_the_names_of_their_folders(tmp_path, capsys):
    for name, loss in (("leaves", 0.5), ("knees", 0.7)):
        own = settings("vgg13", "image_folder", "natural", 250, 0)
        own["data"]["root"] = f"/me/{name}"
        write_record(tmp_path, own, {"test/loss": loss})
    assert main(["best", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if "0.5 " in line or "0.7 " in line]
    assert " leaves " in rows[-2]
    assert " knees " in rows[-1]
    table = seed_table(read_runs([tmp_path]).done)
    assert table.data.tolist() == ["knees", "leaves"]
    assert "data.root" not in table  # a path is nobody else's business


def test_stand_ins_are_marked(tmp_path, capsys):
    for name, standin in (("oai", False), ("isic", True)):
        own = settings("vgg13", name, "medical", 250, 0)
        write_record(tmp_path, own, {"test/loss": 0.5 + standin}, standin=standin)
    assert main(["best", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "isic (stand-in)" in printed
    assert "oai (stand-in)" not in printed
