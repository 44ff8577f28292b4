"""`python -m analysis <one run folder>`: the page of a run."""

import base64
import html
import re

from analysis.__main__ import main
from records.sweep import write_sweep
from tests.analysis.synthetic_runs import scalars, settings, write_record

HOSTILE = "<script>alert(1)</script>"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def write_run(root, **facts):
    folder = write_record(
        root, settings("vgg13", "oai", "medical", 500, 0), scalars(500, 9, 1e-4), **facts
    )
    with (folder / "metrics.csv").open("a") as file:
        file.writelines(f"{epoch},{epoch},test/loss,{1 / epoch}\n" for epoch in (1, 2, 5))
    (folder / "figures").mkdir()
    (folder / "figures" / "attacks.png").write_bytes(PIXEL)
    return folder


def test_a_run_has_a_page_with_course_pictures_settings_command_and_notes(tmp_path, capsys):
    folder = write_run(tmp_path, notes=[f"12 images left out {HOSTILE}"])
    assert main([str(folder)]) == 0
    assert "report.html" in capsys.readouterr().out
    page = (folder / "report" / "report.html").read_text()
    assert re.findall("<h2>(.*?)</h2>", page) == [
        *("Notes", "Command", "course", "attacks", "Numbers", "Settings"),
    ]
    assert page.count("data:image/png;base64,") == 2
    assert base64.b64encode(PIXEL).decode() in page
    assert html.escape("python launch.py -m model=a,b") in page
    assert "<td>data.domain</td><td>medical</td>" in page
    assert "<script" not in page
    assert html.escape(HOSTILE) in page


def test_a_note_stays_whole_and_an_end_of_an_interval_says_so(tmp_path, capsys):
    note = "2 images left out; their files are empty"
    numbers = {"data/d_mle": 9.0, "data/d_mle_low": 8.0, "data/d_mle_half": 8.5}
    own = settings("vgg13", "oai", "medical", 250, 0)
    folder = write_record(tmp_path, own, numbers, notes=[note])
    write_sweep([folder, tmp_path / "vgg13-oai-n500-s0-01234567"], "python launch.py -m n=250,500")
    assert main([str(tmp_path)]) == 0
    assert "1 cell of the grid without a finished run" in capsys.readouterr().out
    assert main([str(folder)]) == 0
    assert "of the grid" not in capsys.readouterr().out
    page = (folder / "report" / "report.html").read_text()
    assert f"<li>{note}</li>" in page
    assert "MLE: lower end of the 95 % interval" in page
    assert "MLE: from half of the points" in page


def test_a_damaged_array_costs_the_spectra_not_the_page(tmp_path):
    folder = write_run(tmp_path)
    (folder / "arrays").mkdir()
    (folder / "arrays" / "test_singular_values@1.npz").write_bytes(b"torn")
    assert main([str(folder)]) == 0
    assert "course" in (folder / "report" / "report.html").read_text()


def test_a_failed_run_says_why(tmp_path):
    folder = write_run(tmp_path, status="failed", error=HOSTILE)
    assert main([str(folder)]) == 0
    assert f"<pre>{html.escape(HOSTILE)}</pre>" in (folder / "report/report.html").read_text()
