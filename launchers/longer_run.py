"""A run with more epochs continues the checkpoint of the same run with fewer epochs."""

import contextlib
import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conf.run_plan import RunPlan
from records.atomic import replacing
from records.checkpoints import LAST, is_whole
from records.key import canonical
from records.provenance import versions
from records.reader import Record
from records.run_folder import RunFolder

log = logging.getLogger(__name__)

CONTINUES = "continues"  # entry of the record: the key of the shorter run, or null
# Learning-rate schedules that do not depend on the total number of epochs.
ENDLESS = ("lightning_modules.schedules.constant", "lightning_modules.schedules.exponential")
LOGGED_ALWAYS = ("validation/", "train/running_")  # numbers logged after every epoch, the last too


@dataclass(frozen=True)
class Shorter:
    """A finished run that is the same but for fewer epochs."""

    folder: RunFolder
    record: Record

    @property
    def epochs(self) -> int:
        """Number of its epochs."""
        return int(self.record["settings"]["epochs"])

    def hand_over(self, folder: RunFolder) -> None:
        """Copy the files that a run with more epochs would have by now; the checkpoint last.

        Arrays measured at the end of the shorter run are not copied.
        """
        arrays = [
            path
            for path in self.folder.arrays.glob("*@*.npz")
            if int(path.stem.rpartition("@")[2]) < self.epochs
        ]
        figures = self.folder.figures.glob("*.png")
        for path in (*arrays, *figures, self.folder.checkpoints / LAST):
            with replacing(folder.path / path.relative_to(self.folder.path)) as temporary:
                shutil.copy(path, temporary)


@contextlib.contextmanager
def shorter_run(run: RunPlan) -> Iterator[Shorter | None]:
    """The longest finished run that this one can continue, locked; None if there is none.

    Without the lock another launch could clear it (`resume=never`) before its files are copied.
    """
    found = _longest(run)
    with contextlib.ExitStack() as held:
        if found is not None:
            with contextlib.suppress(PermissionError):  # a folder of another user is only read
                held.enter_context(found.folder.lock())
            again = _longest(run)  # it may have changed before it was locked
            if again is None or again.folder.path != found.folder.path:
                name = found.folder.path.name
                log.info("%s: starts from scratch: %s was removed or changed.", run.key, name)
                found.folder.remove_if_empty()  # locking it has made the folder of a removed run
                again = None
            found = again
        yield found


def _longest(run: RunPlan) -> Shorter | None:
    """The same without a lock; why a finished run cannot be continued is logged.

    Ranks that all start at once, as under Slurm, do not see the files that rank 0 copies: such a
    run starts from scratch.
    """
    if int(os.environ.get("SLURM_NTASKS", "1")) > 1 or os.environ.get("WORLD_SIZE"):
        return None
    longest = max(_equal_but_shorter(run), key=lambda one: one.epochs, default=None)
    if longest is None:
        return None
    if reason := _obstacle(run.settings, longest.record):
        log.info(
            "%s: starts from scratch, although %s is done with epochs=%d: %s.",
            *(run.key, longest.folder.path.name, longest.epochs, reason),
        )
        return None
    return longest


def _equal_but_shorter(run: RunPlan) -> list[Shorter]:
    own = _identity(run.settings, run)
    name, _, _ = run.key.rpartition("-")
    found = []
    for path in sorted(run.folder.parent.glob(f"{name}-*")):
        folder = RunFolder(path)
        record = folder.read()
        if path == run.folder or record is None or record["status"] != "done":
            continue
        settings = record["settings"]
        if (
            record.get("data_fingerprint") == run.fingerprint
            and 0 < settings.get("epochs", 0) < run.settings["epochs"]
            and _identity(settings, run) == own
            and is_whole(folder.checkpoints / LAST)
        ):
            found.append(Shorter(folder, record))
    return found


def _identity(settings: dict[str, Any], run: RunPlan) -> str:
    others = {name: value for name, value in settings.items() if name != "epochs"}
    return canonical(others, run.data.replaces if run.data else ())


def _obstacle(settings: dict[str, Any], shorter: Record) -> str:
    """Why a run cannot continue a shorter one; empty if it can."""
    schedule = str((settings.get("schedule") or {}).get("_target_"))
    if schedule not in ENDLESS:
        word = schedule.rpartition(".")[2]
        return f"schedule={word} sets the rate by the number of epochs; a constant rate continues"
    monitor = (settings.get("stop") or {}).get("monitor")
    if monitor and not monitor.startswith(LOGGED_ALWAYS):
        return f"stop.monitor={monitor} was not measured after its last epoch"
    if CONTINUES not in shorter:
        return "its checkpoint is of an earlier version of this code"
    if (shorter.get("versions") or {}).get("torch") != versions()["torch"]:
        return "it was made with another version of torch"
    return ""
