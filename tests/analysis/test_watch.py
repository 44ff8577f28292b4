"""Following a sweep: who runs, who was killed, what is left."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.commands.watch import course_lines, look, picture
from display.remaining_time import seconds_left
from records.run_folder import RunFolder
from records.run_state import RunState, run_state
from records.sweep import planned_below, write_sweep
from tests.analysis.synthetic_runs import scalars, settings, write_record

HOLD = """
import sys
from pathlib import Path
from records.run_folder import RunFolder
with RunFolder(Path(sys.argv[1])).lock():
    print("held", flush=True)
    sys.stdin.read()
"""
METRICS = """epoch,step,name,value
0,0,data/d_mle,9.5
4,8,train/running_loss,0.5
5,10,train/running_loss,0.25
5,10,train/running_accuracy,0.75
5,10,time/train,10.0
"""


def unfinished(root, n=500, status="running", **facts):
    folder = write_record(root, settings("vgg13", "oai", "medical", n, 0), status=status, **facts)
    (folder / "metrics.csv").write_text(METRICS)
    return folder


def test_a_killed_run_is_told_from_a_running_one(tmp_path):
    folder = unfinished(tmp_path)
    assert run_state(folder).status == "interrupted"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout.readline() == "held\n"
        assert run_state(folder).status == "running"
        other.kill()
    assert run_state(folder).status == "interrupted"


@pytest.mark.parametrize("status", [None, "exploded", ["done"]])
def test_a_record_of_no_known_status_is_one_that_cannot_be_read(tmp_path, status):
    unfinished(tmp_path, status=status)
    (state,) = look([tmp_path])
    assert (state.status, state.error[:26]) == ("failed", "record.json cannot be read")


def test_asking_takes_the_lock_from_nobody(tmp_path):
    lock = RunFolder(tmp_path).lock()
    with lock:
        assert RunFolder(tmp_path).lock().is_held()
        assert "process" in lock.holder()
    assert not lock.is_held()
    assert not RunFolder(tmp_path / "nowhere").lock().is_held()


def test_a_run_tells_its_epoch_its_pace_and_its_last_values(tmp_path):
    folder = unfinished(tmp_path)
    with RunFolder(folder).lock():
        state = run_state(folder)
    assert (state.epoch, state.epochs) == (5, 20)
    assert state.left == pytest.approx(30.0)  # 10 s for 5 of 20 epochs
    assert state.values == {"train loss": 0.25, "train accuracy": 0.75}


def test_a_record_that_changes_is_read_again(tmp_path):
    folder = unfinished(tmp_path)
    assert run_state(folder).status == "interrupted"
    record = json.loads((folder / "record.json").read_text())
    time.sleep(0.01)  # another time stamp
    (folder / "record.json").write_text(json.dumps(record | {"status": "done", "scalars": {}}))
    assert run_state(folder).status == "done"


def test_what_a_sweep_planned_and_has_not_begun_is_counted(tmp_path):
    done = write_record(tmp_path, settings("vgg13", "oai", "medical", 1, 0), scalars(500, 9, 1e-4))
    write_sweep([done, tmp_path / "later-1", tmp_path / "later-2"], "python launch.py -m n=1,2,3")
    (tmp_path / "sweeps" / "torn.json").write_text("{")
    assert len(planned_below(tmp_path)) == 3
    assert [state.status for state in look([tmp_path])] == ["done", "not started", "not started"]


def test_a_real_sweep_notes_what_it_set_out_to_do(launch, capsys):
    assert launch("-m", "model=none", "seed=0,1", "callbacks=none") == 0
    folder = launch.home / "runs" / "default"
    planned = planned_below(folder)
    assert planned == {run.path for run in launch.runs()}
    shutil.rmtree(next(iter(planned)))
    main(["watch", str(folder), "--once"])
    assert "2 runs: 1 done, 1 not started" in capsys.readouterr().out


def test_time_left_counts_the_planned_at_the_pace_of_the_finished():
    def state(name, status, **facts):
        return RunState(path=Path(name), status=status, **facts)

    running = state("b", "running", epoch=5, epochs=20, seconds=10.0)  # 30 s left
    assert (
        seconds_left([state("a", "done", seconds=60.0), running, state("c", "not started")]) == 90
    )
    assert seconds_left([running, running]) == 30  # side by side
    assert seconds_left([running, state("c", "not started")]) == 70  # at its own pace
    assert seconds_left([state("c", "not started")]) is None


def test_once_prints_every_run_and_the_exit_code_tells(tmp_path, capsys):
    write_record(tmp_path, settings("vgg13", "oai", "medical", 1, 0), scalars(500, 9, 1e-4))
    assert main(["watch", str(tmp_path), "--once"]) == 0
    unfinished(tmp_path, status="failed", error="no [bold]space[/bold] left\nand more")
    assert main(["watch", str(tmp_path), "--once"]) == 1
    out = capsys.readouterr().out
    assert "2 runs: 1 failed, 1 done" in out
    assert "no [bold]" in out
    assert "and more" not in out


def test_following_ends_when_all_is_over(tmp_path, capsys):
    write_record(tmp_path, settings("vgg13", "oai", "medical", 1, 0), scalars(500, 9, 1e-4))
    assert main(["watch", str(tmp_path), "--every", "0.01"]) == 0
    assert "1 run: 1 done" in capsys.readouterr().out


def test_where_there_is_no_terminal_changes_are_lines(tmp_path, capsys, monkeypatch):
    done, left = (settings("vgg13", "oai", "medical", n, 0) for n in (1, 2))
    write_record(tmp_path, done, scalars(500, 9, 1e-4))
    folder = write_record(tmp_path, left, status="running")  # by no process: interrupted
    monkeypatch.setattr("analysis.commands.watch.time.sleep", lambda _: shutil.rmtree(folder))
    assert main(["watch", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert printed.index("2 runs: 1 interrupted, 1 done") < printed.index("1 run: 1 done")


def test_a_long_sweep_fits_the_screen():
    states = [RunState(path=tmp, status="done") for tmp in (Path(f"run-{i}") for i in range(50))]
    group = picture(states, width=80, rows=5)
    assert group.renderables[1].row_count == 5
    assert group.renderables[2] == "and 45 done"


def test_settings_that_differ_and_what_a_number_is_are_columns(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    write_record(tmp_path, settings("vgg13", "oai", "medical", 250, 0), scalars(250, 9, 1e-4))
    unfinished(tmp_path, n=500)
    main(["watch", str(tmp_path), "--once"])
    _, _, *lines = capsys.readouterr().out.splitlines()
    headings = [" ".join(words) for words in zip(*(cells(line) for line in lines[:2]), strict=True)]
    assert [name.strip() for name in headings] == [
        *("run", "status", "epoch", "n", "train loss", "train accuracy"),
        *("test loss", "test accuracy"),
    ]
    stopped = dict(zip(headings, cells(lines[3]), strict=True))
    assert stopped[" n"] == "500"
    assert stopped["train loss"] == "0.25"
    assert stopped["test loss"] == ""


def cells(line):
    return [cell.strip() for cell in re.split("[┃│]", line)[1:-1]]


def test_a_folder_that_is_not_there_is_said(tmp_path, capsys):
    assert main(["watch", str(tmp_path / "nowhere")]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_a_running_run_shows_the_latest_value_and_the_curve_of_its_main_quantities(tmp_path):
    folder = unfinished(tmp_path)
    with (folder / "metrics.csv").open("a") as file:
        file.writelines(f"{e},{e},test/loss,{v}\n" for e, v in ((0, 2.0), (1, 1.5), (5, 0.25)))
    with RunFolder(folder).lock():
        (line,) = course_lines([run_state(folder)])
    assert line.plain == f"{folder.name}   test/loss 0.25 █▆▁"
    assert course_lines([run_state(folder)]) == []  # it does not run any more
