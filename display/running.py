"""The runs in progress: one line each, and one for the whole sweep."""

import time
from collections.abc import Collection, Sequence
from pathlib import Path

from rich.live import Live
from rich.text import Text

from display.console import bar_console
from display.remaining_time import sweep_sentence
from display.table import number
from display.terminal_safe import terminal_safe
from records.duration import duration
from records.run_state import RunState, run_state

INTERVAL = 1.0  # seconds between updates


def running_lines(
    states: Sequence[RunState], width: int, to_start: Collection[Path] | None = None
) -> Text:
    """A line on the sweep, then name, epoch, loss and time left of every running run."""
    lines = [sweep_sentence(states, to_start)]
    for state in states:
        if state.status == "running":
            facts = [terminal_safe(state.path.name), f"epoch {state.epoch}/{state.epochs}"]
            if "train loss" in state.values:
                facts.append(f"loss {number(state.values['train loss'], digits=3)}")
            if state.left is not None:
                facts.append(f"{duration(state.left)} left")
            lines.append("  ".join(facts))
    return Text("\n".join(line[: max(width - 1, 1)] for line in lines))


class RunningDisplay:
    """Keeps the lines of a sweep's runs up to date on a terminal; does nothing without one."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        console = bar_console()
        is_shown = console.is_terminal and bool(folders)
        self.live = Live(console=console, auto_refresh=False, transient=True) if is_shown else None
        self._next = 0.0

    def __enter__(self) -> "RunningDisplay":
        if self.live:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live:
            self.live.stop()

    def refresh(self, to_start: Collection[Path] | None = None) -> None:
        """Update if it is time; for `to_start` see `seconds_left`."""
        if self.live is None or time.monotonic() < self._next:
            return
        states = [run_state(folder) for folder in self.folders]
        lines = running_lines(states, self.live.console.width, to_start)
        self.live.update(lines, refresh=True)
        self._next = time.monotonic() + INTERVAL
