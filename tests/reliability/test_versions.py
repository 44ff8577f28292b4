"""Two versions of the code on one run folder."""

from launchers import report
from records import attempt
from tests.launch.test_survival import interrupted


def as_of(monkeypatch, commit):
    for module in (attempt, report):
        monkeypatch.setattr(module, "git", lambda: {"commit": commit, "dirty": False})


def test_a_run_that_went_on_with_other_code_says_so(launch, monkeypatch):
    as_of(monkeypatch, "a" * 40)
    interrupted(launch, monkeypatch)
    as_of(monkeypatch, "b" * 40)
    assert launch("epochs=5", "checkpoint_seconds=0") == 0
    record = launch.run().read()
    assert [session["commit"][0] for session in record["sessions"]] == ["a", "b"]
    assert record["git"]["commit"] == "b" * 40
    (note,) = record["notes"]
    assert note.startswith("two versions of the code: started with commit aaaa")
    assert "two versions of the code" in launch.output


def test_finished_runs_of_other_code_are_pointed_out(launch, monkeypatch):
    as_of(monkeypatch, "a" * 40)
    launch("-m", "seed=0,1")
    assert "other versions" not in launch.output
    as_of(monkeypatch, "b" * 40)
    assert launch("-m", "seed=0,1,2") == 0
    assert "Made by other versions of this code: commit aaaaaaaa." in launch.output


def test_a_setting_that_new_code_adds_is_another_run(launch):
    launch()
    launch("+model.lr_on.digits=0.01")
    assert len(launch.runs()) == 2
