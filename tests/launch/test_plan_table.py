"""The runs of a command, without starting any."""

import sys


def test_a_plan_starts_nothing_and_says_what_is_done(launch, monkeypatch):
    grid = ("-m", "model=none", "callbacks=none", "n=50,100")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "callbacks.build", None)  # a start would import it
        assert launch(*grid, "--plan") == 0
    assert launch.runs() == []
    assert launch.output.count("not started") == 2
    assert "2 runs, 2 to start." in launch.output
    assert "after the first finished run" in launch.output
    assert launch(*grid[:-1], "n=50") == 0
    assert launch("--plan", *grid) == 0
    assert "2 runs, 1 to start." in launch.output
    assert launch.output.count("not started") == 1
    assert "by 1 finished run" in launch.output
    assert "MB of disk" in launch.output
    assert launch("--plan", *grid, "name=other") == 0
    assert "by 1 finished run" in launch.output
    assert launch("--plan", *grid, "name=other", "data.size=8") == 0  # those take another time
    assert "after the first finished run" in launch.output
    assert len(launch.runs()) == 1
    assert not (launch.home / "runs" / "default" / "sweeps").exists()


def test_a_plan_shows_mistakes_too(launch):
    assert launch("--plan", "modle=lenet") == 2
    assert "did you mean `model`" in launch.output


def test_an_experiment_without_m_says_which_single_run_it_is(launch):
    experiment = ("experiment=konz2024/generalization", "preset=cpu")
    assert launch("--plan", *experiment, small=False) == 0
    run = "-m is missing: this is one run, lenet-digits-n500-s0, and not the sweep"
    assert run in launch.output
    assert f"python launch.py -m {' '.join(experiment)}" in launch.output
    grid = ("model=lenet", "data=digits", "n=500", "seed=0")
    for words in (grid, ("-m", *grid[:2])):
        assert launch("--plan", *experiment, *words, small=False) == 0
        assert "-m is missing" not in launch.output
    assert launch("experiment=tour") == 0  # it is trained nevertheless
    assert "not the sweep of experiment=tour over model, seed;" in launch.output
