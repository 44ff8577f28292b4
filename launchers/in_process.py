"""One run after the other, in this process."""

import gc
import time
from collections.abc import Sequence

from conf.planned import Planned
from launchers.estimate import Estimate
from launchers.run import run_one
from launchers.say import say
from records.run_folder import RunFolder


def run_in_turn(runs: Sequence[Planned]) -> None:
    """Every run; memory stays what the first one took.

    A run's trainer, network and callbacks refer to each other in circles, which Python clears away
    rarely: 80 MB gathered in 200 runs. What the first run imported is frozen, so that clearing
    away after every run looks at little and costs milliseconds.

    Raises:
        Stopped: one failed, and `on_error=stop`.
    """
    import callbacks.build  # noqa: F401  # takes seconds once, which no other run will

    estimate = Estimate()
    images = [images_of(run) for run in runs]
    try:
        for number, run in enumerate(runs):
            start = time.monotonic()
            run_one(run, is_first=number == 0)
            gc.collect()
            if number == 0:
                gc.freeze()
            if RunFolder(run.folder).status == "done":
                estimate.add(images[number], time.monotonic() - start)
            if text := estimate.sentence(images[number + 1 :]):
                say(text)
    finally:
        gc.unfreeze()


def images_of(run: Planned) -> int:
    """That it trains on, epochs counted; 0 where nothing is trained."""
    trains = run.settings["model"].get("network") is not None
    return int(run.settings["n"] or 0) * int(run.settings["epochs"] or 0) * trains
