"""Find out, before torch is imported, that a folder has fewer images than n."""

import os
from collections.abc import Iterable
from pathlib import Path

from conf.resolve import look_up
from conf.run_plan import RunPlan

READER = "datamodules.readers.image_folder.ImageFolder"
SEVERAL = (".nii", ".nii.gz")  # files of many images


def too_few_files(runs: Iterable[RunPlan]) -> str:
    """A message on the first run that needs more images than its folder has; else empty.

    Only for a user's own images. The number of files is compared first, unless a table of labels
    may name files elsewhere; then `run.too_few`: too few images without the test set, or too few of
    the rarest class.
    """
    counts: dict[Path, int | None] = {}
    for run in runs:
        names = ("data.reader._target_", "data.reader.labels", "data.root", "n", "standin")
        reader, labels, root, n, standin = (look_up(run.plain, name) for name in names)
        trains = look_up(run.plain, "model.network") is not None
        if reader != READER or standin or not trains or not isinstance(n, int):
            continue
        folder = Path(str(root)).expanduser()
        if not labels and folder not in counts:
            counts[folder] = _count(folder)
        count = None if labels else counts[folder]
        if count is not None and count < n:
            return (
                f"`n={n}`: {folder} has {count} files in its class folders, of which some are for "
                f"testing; set n=all."
            )
        if run.too_few:
            return run.too_few
    return ""


def _count(folder: Path) -> int | None:
    """Number of files in class folders; None if it is no limit for the number of images."""
    total = 0
    for place, _, names in os.walk(folder):
        if any(name.lower().endswith(SEVERAL) for name in names):
            return None
        total += len(names) if Path(place) != folder else 0
    return total or None
