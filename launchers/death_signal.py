"""A run that `hydra/launcher=processes` has started ends when its launcher is killed."""

import ctypes
import os
import signal
import sys

PART = "PLUMBLINE_PART"  # of a run that another process started and reports on: that one's pid
PR_SET_PDEATHSIG = 1


def end_with_launcher() -> None:
    """Request SIGTERM from the kernel when the launcher ends for any reason. Linux only.

    The checkpoint is kept, and the same command resumes. A launcher that has already ended is
    detected.
    """
    launcher = os.environ.get(PART, "")
    if sys.platform != "linux" or not launcher.isdecimal():
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(launcher):
        os.kill(os.getpid(), signal.SIGTERM)
