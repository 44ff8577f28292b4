"""Records and file names from others cannot write to the terminal."""

from io import StringIO

from rich.console import Console

from analysis.commands.watch import main as watch
from display.table import show_run
from records.run_folder import RunFolder
from tests.analysis.synthetic_runs import settings, write_record

ESCAPE = "\x1b]0;owned\x07\x1b[2J"


def test_watch_shows_no_raw_escapes(tmp_path, capsys):
    one = settings(f"le{ESCAPE}net", "digits", "natural", 100, 0)
    write_record(tmp_path, one, {}, status="failed", error=f"bad {ESCAPE}", bad_data=False)
    two = settings("lenet", "digits", "natural", 200, 0)
    write_record(tmp_path, two, {})
    watch([str(tmp_path), "--once"])
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "\\x1b]0;owned" in text


def test_the_table_of_a_run_shows_none_either(tmp_path):
    one = settings("lenet", "digits", "natural", 100, 0)
    folder = RunFolder(write_record(tmp_path, one, {f"test/{ESCAPE}": 1.0}, notes=[ESCAPE]))
    console = Console(file=StringIO())
    show_run(folder, console)
    assert "\x1b" not in console.file.getvalue()
