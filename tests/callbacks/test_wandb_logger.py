import inspect
import sys

from wandb.sdk.wandb_run import Run

from callbacks.wandb_logger import without_launch_agent

AGENT = "wandb.sdk.launch"


def test_a_run_does_not_import_the_launch_agent(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(AGENT)]:
        monkeypatch.delitem(sys.modules, name)
    given = Run._detect_and_apply_job_inputs
    with without_launch_agent():
        Run._detect_and_apply_job_inputs(None)
        assert AGENT not in sys.modules
    assert Run._detect_and_apply_job_inputs is given


def test_the_method_left_out_does_nothing_else():
    """W&B may rename or extend it: then look again at what `without_launch_agent` leaves out."""
    assert "StagedLaunchInputs().apply(self)" in inspect.getsource(Run._detect_and_apply_job_inputs)
    assert "_detect_and_apply_job_inputs()" in inspect.getsource(Run._on_ready)


def test_staged_inputs_of_a_launch_job_are_still_applied(monkeypatch):
    monkeypatch.setitem(sys.modules, AGENT, sys)
    given = Run._detect_and_apply_job_inputs
    with without_launch_agent():
        assert Run._detect_and_apply_job_inputs is given
