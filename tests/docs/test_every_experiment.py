"""Every experiment under every preset runs, and the page's table is read as it is written."""

import pytest

from docs import every_experiment
from docs.every_experiment import Executed, cases, execute, known, write


@pytest.mark.slow
@pytest.mark.parametrize(("experiment", "preset"), list(cases()))
def test_it_runs(experiment, preset, tmp_path):
    done = execute(experiment, preset, tmp_path)
    assert done.status.startswith("done"), done


def test_rows_that_are_not_made_anew_are_kept(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"# Head\n\n{every_experiment.MARK}\n")
    monkeypatch.setattr(every_experiment, "PAGE", page)
    experiment, preset = next(cases())
    row = Executed(experiment, preset, "lenet-digits", "done", "12", "0.5")
    write({(experiment, preset): row, ("gone", preset): row})
    assert page.read_text().startswith("# Head")
    assert known() == {(experiment, preset): row}
