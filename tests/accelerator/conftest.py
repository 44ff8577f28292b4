"""The checks run only where they are named: collected, they give every test a second device."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out `check_*.py` in the process of other tests; None is pytest's own rule.

    With `--doctest-modules` pytest imports every file below `tests`. A process with that device
    cannot differentiate after a fork, which the tests of two processes do.
    """
    named = {(config.invocation_params.dir / word.split("::")[0]).resolve() for word in config.args}
    if collection_path.name.startswith("check_") and collection_path.resolve() not in named:
        return True
    return None
