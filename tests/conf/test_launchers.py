"""Launchers whose package is not there."""

import pytest

from conf import launchers


@pytest.mark.parametrize("there", [(), ("hydra_plugins",)], ids=["no plugins", "others"])
def test_a_launcher_that_is_not_installed_says_how_to_get_it(monkeypatch, there):
    def find_spec(name):
        parent = name.rpartition(".")[0]
        if parent and parent not in there:
            raise ModuleNotFoundError(name)  # as importlib does
        return object() if name in there else None

    monkeypatch.setattr(launchers, "find_spec", find_spec)
    target = "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher"
    (problem,) = launchers.problems_of_launcher({"_target_": target})
    assert problem.endswith("pip install -e '.[launchers]'.")
