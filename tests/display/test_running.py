"""One line for every run that goes on."""

from pathlib import Path

from display.remaining_time import seconds_left, sweep_sentence
from display.running import RunningDisplay, running_lines
from records.run_state import RunState


def state(name: str, status: str, n: int = 100, **more: object) -> RunState:
    settings = {"n": n, "epochs": 10, "model": {"network": {}}}
    return RunState(Path(name), status, epochs=10, settings=settings, **more)


STATES = [
    state("lenet-digits-n100-s0-0123abcd", "done", epoch=10, seconds=20.0),
    state("lenet-digits-n100-s1-1123abcd", "running", epoch=5, seconds=10.0,
          values={"train loss": 0.31234}),
    state("lenet-digits-n100-s2-2123abcd", "running"),
    RunState(Path("lenet-digits-n100-s3-3123abcd"), "not started"),
]  # fmt: skip


def test_name_epoch_loss_and_time_left():
    first, *lines = running_lines(STATES, width=200).plain.splitlines()
    assert first == "4 runs: 1 done, 2 running, about 25 s left"  # (10 + 20 + 20) / 2
    assert lines == [
        "lenet-digits-n100-s1-1123abcd  epoch 5/10  loss 0.312  10 s left",
        "lenet-digits-n100-s2-2123abcd  epoch 0/10",
    ]


def test_larger_runs_to_come_take_longer_in_watch_and_in_the_launcher_alike():
    small = state("a", "done", n=100, seconds=10.0)
    large = state("b", "done", n=300, seconds=30.0)
    now = state("c", "running", n=100, epoch=9, seconds=9.0)
    assert seconds_left([small, large, now, state("d", "not started", n=500)]) == 1.0 + 50.0
    assert sweep_sentence([small, now]).endswith("about 1 s left")


def test_failed_and_interrupted_runs_count_where_the_launcher_will_start_them():
    now = state("b", "running", epoch=5, seconds=10.0)  # 10 s left
    states = [
        state("a", "done", seconds=20.0),
        now,
        state("c", "failed"),
        state("d", "interrupted"),
    ]
    paths = [one.path for one in states]
    assert seconds_left(states, paths[1:]) == 10.0 + 2 * 20.0
    assert seconds_left(states, paths[3:]) == 10.0 + 20.0  # the other one was tried in this command
    assert seconds_left(states, []) == 10.0
    first, *_ = running_lines(states, 200, paths).plain.splitlines()
    assert first.endswith("about 50 s left")


def test_nothing_is_shown_where_there_is_no_terminal(tmp_path):
    with RunningDisplay([tmp_path]) as display:
        display.refresh()
    assert display.live is None
