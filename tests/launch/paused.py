"""`launch.py` that stands still at an epoch: `python paused.py <epoch> <words of the command>`.

A test that kills a run would else race it: on a busy machine the run could end first.
"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def pause_at(epoch: int) -> None:
    """Before the first step of an epoch, in every process of the run."""
    from callbacks.training_log import TrainingLog

    original = TrainingLog.on_train_epoch_start

    def start(self: TrainingLog, trainer, module) -> None:
        while trainer.current_epoch >= epoch:
            time.sleep(0.1)
        original(self, trainer, module)

    TrainingLog.on_train_epoch_start = start


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    import launch

    pause_at(int(sys.argv.pop(1)))
    sys.argv[0] = str(ROOT / "launch.py")
    sys.exit(launch.main())
