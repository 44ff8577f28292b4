"""Termination signals under Slurm.

Before a time limit Slurm sends SIGUSR2 (submitit's signal), and submitit queues the job again.
SIGTERM has two meanings: preemption with a grace time, when the job should be queued again too, and
`scancel` or a requeue in progress, when it should just end. The job's state distinguishes them: a
job that is being preempted still counts as running.
"""

import contextlib
import os
import signal
import subprocess
from typing import Any

JOB = "SLURM_JOB_ID"  # set by Slurm in its jobs


def is_running(job: str) -> bool:
    """Whether Slurm counts a job as running; False if Slurm does not answer."""
    try:
        shown = subprocess.run(
            ["scontrol", "show", "job", job], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    return "JobState=RUNNING" in shown


def on_request_to_end(number: int, _: Any) -> None:
    """Signal handler: end now, keeping the last checkpoint; if preempted, requeue the job first."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # ignore further ones
    if is_running(os.environ[JOB]):
        with contextlib.suppress(Exception):  # it is queued already
            signal.raise_signal(signal.SIGUSR2)  # submitit's handler queues it again and exits
    os._exit(128 + number)  # bypasses submitit, which would report the job as done
