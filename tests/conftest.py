"""Run the real command, in this process or in one of its own."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings

from display.console import console
from records.late_imports import delay_imports
from records.printable import printable
from records.run_folder import RunFolder
from tests.thorough import mark_thorough

ROOT = Path(__file__).parent.parent
SMALL = ("logger=csv", "epochs=2", "n=100", "callbacks=none")
KILLS = "kills that a command was resumed after"  # a property of a test: set-up and number

delay_imports()  # as launch.py does

# The same examples in every run: none fails by chance. `pytest -m slow tests/fuzz` tries others.
settings.register_profile("fixed", derandomize=True)
settings.load_profile("fixed")


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by marker
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mark_thorough(items, [] if "-m" in config.invocation_params.args else config.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """A report with a name that is not UTF-8 ends pytest-xdist, and all failures with it."""
    report = yield
    report.sections = [(title, printable(text)) for title, text in report.sections]
    if report.failed and (text := str(report.longrepr)) != printable(text):
        report.longrepr = printable(text)
    return report


def pytest_terminal_summary(terminalreporter):
    """How many times commands were killed and resumed, over all processes of pytest."""
    kills: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                kills.update(dict(value for name, value in report.user_properties if name == KILLS))
    if kills:
        terminalreporter.section("kill points")
        for name, number in sorted(kills.items()):
            terminalreporter.write_line(f"{number:6d}  {name}")
        terminalreporter.write_line(f"{kills.total():6d}  in {len(kills)} set-ups")


@dataclass
class Launcher:
    """`launch(...)` in this process; `start(...)` as a process. Everything lands below `home`."""

    home: Path
    cache: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    output: str = field(default="")

    def arguments(self, *overrides: str) -> list[str]:
        return [*overrides, f"paths.runs={self.home}/runs", f"paths.cache={self.cache}"]

    def __call__(self, *overrides: str, small: bool = True) -> int:
        import launch

        given = [*(SMALL if small else ()), *overrides]
        self.monkeypatch.setattr(sys, "argv", ["launch.py", *self.arguments(*given)])
        self.monkeypatch.setattr(launch.signal, "signal", lambda *_: None)  # pytest keeps its own
        self.capsys.readouterr()
        console.file = None
        code = launch.main()
        self.output = self.capsys.readouterr().out
        return code

    def start(
        self, *overrides: str, small: bool = True, pause: int | None = None
    ) -> subprocess.Popen[str]:
        """As a process; `pause`: it stands still at this epoch, until it is ended."""
        given = [*(SMALL if small else ()), *overrides]
        paused = [str(ROOT / "tests" / "launch" / "paused.py"), str(pause)]
        script = [str(ROOT / "launch.py")] if pause is None else paused
        return subprocess.Popen(
            [sys.executable, *script, *self.arguments(*given)],
            cwd=self.home,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def runs(self, name: str = "default") -> list[RunFolder]:
        return [
            RunFolder(p.parent) for p in sorted((self.home / "runs" / name).glob("*/record.json"))
        ]

    def run(self, name: str = "default") -> RunFolder:
        (only,) = self.runs(name)
        return only


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def launch(
    tmp_path: Path,
    shared_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Launcher:
    return Launcher(tmp_path, shared_cache, monkeypatch, capsys)


@pytest.fixture
def scalars() -> Callable[[RunFolder], dict[str, float]]:
    """The final numbers of a run but for the times, which no two runs share."""

    def of(folder: RunFolder) -> dict[str, float]:
        record = folder.read()
        assert record is not None
        return {k: v for k, v in record["scalars"].items() if not k.startswith("time/")}

    return of
