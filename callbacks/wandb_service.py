"""Start W&B's service process while torch is imported."""

import contextlib
from threading import Thread


def start_wandb_service() -> None:
    """Start the service in a thread: `wandb.init` would wait 0.2 s for it, without computing.

    If this fails, `wandb.init` starts the service itself, and its errors are those of the run.
    """
    with contextlib.suppress(Exception):
        import wandb  # in this thread, because imports in two threads may wait for each other

        def set_up() -> None:
            with contextlib.suppress(Exception):
                wandb.setup()  # `wandb.init` waits for its lock; nothing is started if W&B is off

        Thread(target=set_up, name="wandb.setup").start()
