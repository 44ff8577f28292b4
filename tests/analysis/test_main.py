"""The command as people give it: files, report, exit codes, sentences."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from analysis.__main__ import main
from tests.analysis.synthetic_runs import A, scalars, settings, write_grid, write_record

ROOT = Path(__file__).parents[2]
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A small sweep with everything that can go wrong in it, reported once."""
    root = tmp_path_factory.mktemp("runs")
    write_grid(root / "sweep", models=("vgg13",), sizes=(500, 1750), seeds=1, standin=True)
    hostile = settings("vgg13", SCRIPT, "medical", 500, 0)
    write_record(root / "sweep", hostile, scalars(500, 9, 1e-4))
    failed = settings("vgg13", "oai", "medical", 1000, 0)
    write_record(root / "sweep", failed, status="failed", error=f"{SCRIPT} & more")
    (root / "sweep" / "torn").mkdir()
    (root / "sweep" / "torn" / "record.json").write_text("{")
    assert main([str(root), "--svg"]) == 0
    return root / "report"


def test_the_law_comes_back_through_the_whole_command(tmp_path):
    write_grid(tmp_path / "runs", models=("resnet18",), scatter=0.05, seeds=1)
    done = subprocess.run(
        [sys.executable, "-m", "analysis", str(tmp_path / "runs"), "--figure", "laws"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    table = pd.read_csv(
        tmp_path / "runs" / "report" / "tables" / "konz2024" / "laws.csv"
    ).set_index("law")
    assert table.loc["A"].intercept == pytest.approx(A, abs=4 * 0.05 / 18**0.5)
    assert table.loc["A"].deviation == pytest.approx(0.05, rel=0.5)
    assert "18 runs: 18 done." in done.stdout
    assert "laws.md" in done.stdout
    assert not (tmp_path / "runs" / "report" / "report.html").exists()


def test_records_that_cannot_be_read_alone_still_make_a_report(tmp_path):
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "record.json").write_text("{")
    assert main([str(tmp_path)]) == 0
    assert "1 file could not be read" in (tmp_path / "report" / "report.html").read_text()


def test_files_lie_where_they_are_said_to(report):
    for name in ("runs.csv", "runs.parquet", "metrics.csv", "metrics.parquet", "report.html"):
        assert (report / name).stat().st_size > 0
    for name in ("gen_ddata.png", "gen_ddata.svg"):
        assert (report / "figures" / "konz2024" / name).stat().st_size > 0
    for name in ("likelihood.csv", "likelihood.md"):
        assert (report / "tables" / "konz2024" / name).stat().st_size > 0
    assert len(pd.read_csv(report / "runs.csv")) == len(pd.read_parquet(report / "runs.parquet"))


def test_nothing_in_a_record_can_become_markup(report):
    text = (report / "report.html").read_text()
    assert len(re.findall("<script", text)) == 2  # the page's own: its data and its script
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    for svg in (report / "figures").glob("*.svg"):
        assert "<script" not in svg.read_text()


def test_the_report_needs_no_other_file(report):
    text = (report / "report.html").read_text()
    assert not re.findall(r'(?:src|href)="(?!data:|#)', text)
    assert "default-src 'none'" in text


def test_the_report_tells_stand_ins_broken_files_and_missing_runs(report):
    text = (report / "report.html").read_text()
    assert "Stand-in data: generated images were used for brats" in text
    assert "1 file could not be read" in text
    assert "python launch.py -m model=vgg13 data=brats n=1000 seed=0" in text
    assert "&amp; more" in text
    assert "python launch.py -m experiment=konz2024/isic" in text  # what was not drawn
    assert "13.5" in text  # a published number


def test_tables_say_which_rows_are_stand_ins(report):
    table = pd.read_csv(report / "tables" / "konz2024" / "required_samples.csv").set_index("data")
    assert table.loc["brats", "stand-in data"] == "yes"
    assert pd.isna(table.loc[SCRIPT, "stand-in data"])


def test_protocols_are_never_pooled(tmp_path):
    for protocol in ("corrected", "code"):
        write_grid(tmp_path / protocol, models=("vgg13",), sizes=(500,), protocol=protocol)
    assert main([str(tmp_path), "--figure", "laws", "--out", str(tmp_path / "out")]) == 0
    for protocol in ("corrected", "code"):
        table = pd.read_csv(
            tmp_path / "out" / f"{protocol}-cpu" / "tables" / "konz2024" / "laws.csv"
        )
        assert set(table.points) == {6}


def test_a_mistyped_figure_gets_a_hint(tmp_path, capsys):
    assert main([str(tmp_path), "--figure", "gen_data"]) == 2
    assert "did you mean gen_ddata?" in capsys.readouterr().err


def test_no_runs_is_said(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "no record.json below" in capsys.readouterr().err


def test_a_figure_that_cannot_be_drawn_says_why(tmp_path, capsys):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), {"test/loss": 1.0})
    assert main([str(tmp_path), "--figure", "props"]) == 1
    assert "props: no finished run has data/d_mle" in capsys.readouterr().out


def test_only_unfinished_runs_give_a_report_of_what_is_missing(tmp_path):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), status="running")
    assert main([str(tmp_path)]) == 0
    assert "Missing runs" in (tmp_path / "report" / "report.html").read_text()


def test_a_mistake_in_one_figure_costs_only_that_one(tmp_path, monkeypatch, capsys):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), scalars(500, 9, 1e-4))

    def broken(runs, **_):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("analysis.papers.konz2024.figures.networks.gen_ddata", broken)
    assert main([str(tmp_path), "--figure", "gen_ddata", "--figure", "properties"]) == 1
    assert "gen_ddata: ZeroDivisionError: oops" in capsys.readouterr().out
    assert (tmp_path / "report" / "tables" / "konz2024" / "properties.csv").exists()


def test_settings_that_differ_within_a_cell_are_told(tmp_path):
    for seed, epochs in ((0, 3), (1, 20)):
        one = settings("vgg13", "brats", "medical", 500, seed) | {"epochs": epochs}
        write_record(tmp_path, one)
    assert main([str(tmp_path)]) == 0
    text = (tmp_path / "report" / "report.html").read_text()
    assert "<li>epochs: 20, 3</li>" in text


def test_stand_ins_are_never_pooled_with_real_runs_of_the_same_data_set(tmp_path):
    for seed, standin in ((0, False), (1, True)):
        one = settings("vgg13", "brats", "medical", 500, seed)
        write_record(tmp_path, one, scalars(500, 9 + seed, 1e-4), standin=standin)
    assert main([str(tmp_path), "--figure", "properties"]) == 0
    table = pd.read_csv(tmp_path / "report" / "tables" / "konz2024" / "properties.csv")
    assert (table.d_mle.item(), table.standin.item()) == (9.0, False)


def test_no_record_says_where_files_are_written(tmp_path):
    for protocol in ("corrected", str(tmp_path / "elsewhere"), "../../elsewhere"):
        write_grid(
            tmp_path / "runs" / protocol[-3:], models=("vgg13",), sizes=(500,), protocol=protocol
        )
    main([str(tmp_path / "runs"), "--figure", "laws", "--out", str(tmp_path / "out")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "runs"]


def test_a_mistyped_command_gets_a_hint(capsys):
    assert main(["dificulty", "data=digits"]) == 2
    assert "did you mean difficulty?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["archive"]])
def test_a_place_that_cannot_be_written_is_one_sentence(command, tmp_path, capsys):
    write_record(tmp_path / "runs", settings("vgg13", "oai", "medical", 500, 0))
    (tmp_path / "file").write_text("mine")
    out = str(tmp_path / "file" / "report.parquet")
    assert main([*command, str(tmp_path / "runs"), "--out", out]) == 2
    error = capsys.readouterr().err
    assert error.startswith(str(tmp_path / "file"))
    assert "cannot be written: " in error
    assert (tmp_path / "file").read_text() == "mine"


def test_nothing_of_an_earlier_report_stays_beside_a_new_one(tmp_path, capsys):
    for preset in ("cpu", "gpu"):
        one = settings("vgg13", "oai", "medical", 500, int(preset == "gpu"))
        write_record(tmp_path / "runs" / preset, one, scalars(500, 9, 1e-4), preset=preset)
    out = tmp_path / "out"

    def report(*words):
        assert main([*map(str, words), "--out", str(out)]) == 0
        return {path.relative_to(out).as_posix() for path in out.rglob("*.png")}

    both = report(tmp_path / "runs")
    assert {"corrected-cpu/figures/konz2024/props.png"} < both
    (out / "figures").mkdir()
    for mine in ("figures/mine.png", "corrected-gpu/note.png"):
        (out / mine).write_bytes(b"mine")
    assert report(tmp_path / "runs", "--figure", "props") > both
    few = settings("vgg13", "oai", "medical", 500, 0)
    write_record(tmp_path / "few", few, {"data/d_mle": 9.0}, preset="cpu")
    write_record(tmp_path / "few", few | {"seed": 1}, {"data/d_mle": 9.0}, preset="cpu")
    single = report(tmp_path / "few")
    assert {"figures/mine.png", "corrected-gpu/note.png"} <= single
    assert not any("props" in name or name.startswith("corrected-cpu") for name in single)
    assert not (out / "corrected-cpu").exists()
    assert "of an earlier report, not in this one" in capsys.readouterr().out
