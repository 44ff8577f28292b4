"""No room, no right to write, a clock that goes back, a cache gone bad."""

import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from records import attempt, run_folder
from tests.conftest import ROOT, SMALL
from tests.launch.test_survival import assert_same_run, interrupted


def test_a_limit_on_file_sizes_fails_the_run_and_room_lets_it_finish(launch, scalars):
    """The kernel refuses what is over 64 kB, as a full disk does: the checkpoint alone."""
    assert launch("seed=7", "name=first") == 0  # fills the cache
    words = launch.arguments(*SMALL, "seed=7", "model=mlp", "checkpoint_seconds=0")
    command = shlex.join([sys.executable, str(ROOT / "launch.py"), *words])
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 64; exec {command}"], capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the checkpoint cannot be written; is there room?" in done.stdout
    folder = launch.run()
    assert folder.read()["status"] == "failed"
    assert not list(folder.path.rglob("*.tmp"))
    assert launch("seed=7", "model=mlp") == 0
    launch("seed=7", "model=mlp", "name=whole")
    assert scalars(launch.run()) == scalars(launch.run("whole"))


def test_a_place_that_cannot_be_written_is_told_without_a_traceback(launch, capsys):
    """/proc takes no folders, not even from root."""
    launch.home = Path("/proc")
    assert launch() == 1
    assert "could not be written" in launch.output
    assert "Traceback" not in launch.output


def test_a_file_where_runs_should_be_is_told_without_a_traceback(launch, tmp_path):
    (tmp_path / "runs").write_text("mine")
    assert launch() == 2
    assert "Not a directory; set paths.runs=" in launch.output


def test_a_clock_that_goes_back_changes_nothing(launch, monkeypatch, scalars):
    years = iter(range(2040, 1990, -1))

    def earlier(precision: str = "seconds") -> str:
        return datetime(next(years), 1, 1, tzinfo=UTC).isoformat(timespec=precision)

    for module in (run_folder, attempt):
        monkeypatch.setattr(module, "now", earlier)
    interrupted(launch, monkeypatch)
    assert launch("epochs=5", "checkpoint_seconds=0") == 0
    record = launch.run().read()
    assert [session["resumed"] for session in record["sessions"]] == [False, True]
    assert record["finished"] < record["started"]
    launch("epochs=5", "checkpoint_seconds=0", "name=whole")
    assert_same_run(launch.run(), launch.run("whole"))
    assert launch("epochs=5") == 0
    assert "1 done already" in launch.output


def test_a_cache_gone_bad_is_found_by_its_checksums_and_decoded_anew(
    launch, tmp_path, scalars, caplog
):
    launch.cache = tmp_path / "own"
    standin = ("data=mnist", "standin=true", "task=all", "data.test_n=100", "model=mlp")
    assert launch(*standin, "name=before") == 0
    rows = max((launch.cache / "images").rglob("rows.u8"))
    content = bytearray(rows.read_bytes())
    content[5] ^= 1
    rows.write_bytes(content)
    assert launch(*standin, "name=after") == 0
    assert "are damaged and decoded again" in caplog.text
    assert scalars(launch.run("after")) == scalars(launch.run("before"))
    assert rows.read_bytes() != bytes(content)
