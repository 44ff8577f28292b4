"""A run that `hydra/launcher=processes` has started ends when its launcher is killed."""

import os

from records.end_with_parent import end_with_parent

PART = "PLUMBLINE_PART"  # of a run that another process started and reports on: that one's pid


def end_with_launcher() -> None:
    """End when the launcher ends; the checkpoint is kept, and the same command resumes."""
    launcher = os.environ.get(PART, "")
    if launcher.isdecimal():
        end_with_parent(int(launcher))
