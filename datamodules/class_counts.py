"""What the numbers of images per class mean for a task: its images, notes and errors."""

import numpy as np

from datamodules.errors import DataError, TooFewImagesError
from datamodules.tasks.task import Labels
from records.counted import counted
from records.first_of import first_of


def kept_by_balance(labels: Labels) -> int:
    """Images of a balanced task: as many of every class as there are of the rarest."""
    counts = np.bincount(labels.y, minlength=len(labels.classes))
    return len(counts) * int(counts.min())


def is_uneven(labels: Labels) -> bool:
    """Whether balance leaves out more than a quarter of the images."""
    return labels.balanced and 4 * kept_by_balance(labels) < 3 * len(labels.y)


def unbalanced_way(labels: Labels) -> str:
    """Advice for errors on tasks of which balance leaves out more than a quarter; '' for others."""
    way = "task=all task.balanced=false uses every image of every class"
    return f"; {way}" if is_uneven(labels) else ""


def rarest_class(labels: Labels) -> str:
    """The class that limits a balanced task, in parentheses, for messages; '' if not balanced."""
    if not labels.balanced:
        return ""
    counts = np.bincount(labels.y, minlength=len(labels.classes))
    least = int(counts.argmin())
    return f" (rarest class: {counts[least]} of `{labels.classes[least]}`)"


def note_on_balance(labels: Labels, used: int) -> tuple[str, ...]:
    """A note where all images that balance keeps are used, and balance leaves out many."""
    way = unbalanced_way(labels)
    if not way:
        return ()
    left = len(labels.y) - used
    share = f"{left:,} of {len(labels.y):,} images{rarest_class(labels)} are not used"
    return (f"classes are balanced, so {share}{way}",)


def note_on_untrained(labels: Labels, official_test: np.ndarray) -> tuple[str, ...]:
    """A note on classes without official training images; DataError if that leaves none at all."""
    trained = np.bincount(labels.y[~official_test], minlength=len(labels.classes))
    lacking = np.flatnonzero(trained == 0)
    if not lacking.size:
        return ()
    names, number = _named(labels, lacking), counted(len(lacking), "class", "classes")
    text = f"data.split=official has no training image of {number}"
    if labels.balanced:
        raise DataError(
            f"{text} ({names}), so a balanced task has none; data.split=image or group divides all "
            "images anew, task=all task.balanced=false uses the other classes."
        )
    return (f"{text} ({names}), whose test images cannot be classified correctly",)


def check_two_of_each(labels: Labels, name: str) -> None:
    """Raise for classes of one image, which no balanced task can train and test on."""
    counts = np.bincount(labels.y, minlength=len(labels.classes))
    single = np.flatnonzero(counts == 1)
    if not single.size or not labels.balanced:
        return
    of_all = f"{single.size:,} of {counted(len(counts), 'class', 'classes')}"
    have = "has" if single.size == 1 else "have"
    raise TooFewImagesError(
        f"`{name}`: {of_all} {have} one image ({_named(labels, single)}); a balanced task needs "
        "two of each, one for the test: add images, or leave these classes out; task=all "
        "task.balanced=false uses every image of every class."
    )


def _named(labels: Labels, numbers: np.ndarray) -> str:
    """The first of these classes, for messages."""
    return first_of(f"`{labels.classes[k]}`" for k in numbers)
