"""Under Slurm: what a request to end means for a run.

Before a time limit Slurm sends SIGUSR2 (submitit's signal), upon which submitit queues the job
again. Preemption with a grace time and `scancel` both send SIGTERM: the first should queue the job
again too, the second should not. Slurm knows which it was.
"""

import os
import signal
import subprocess
from typing import Any


def is_cancelled(job: str) -> bool:
    """Whether a job is on its way out because somebody said so."""
    try:
        shown = subprocess.run(
            ["scontrol", "show", "job", job], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return True  # nobody to ask: end, the same command goes on
    return "JobState=CANCELLED" in shown


def on_request_to_end(number: int, _: Any) -> None:
    """Signal handler: end now; the last checkpoint stands. Preempted: queue the job again first."""
    job = os.environ.get("SLURM_ARRAY_JOB_ID")
    task = os.environ.get("SLURM_ARRAY_TASK_ID")
    name = f"{job}_{task}" if job and task else os.environ.get("SLURM_JOB_ID", "")
    if not is_cancelled(name):
        signal.raise_signal(signal.SIGUSR2)  # submitit's handler queues it again and exits
    os._exit(128 + number)


def is_job() -> bool:
    """Whether this process was started by Slurm."""
    return "SLURM_JOB_ID" in os.environ
