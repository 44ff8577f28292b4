"""Which arrays of a `.npz` file are the images and the labels, and what others should become."""

import difflib
from collections.abc import Mapping

import numpy as np

from datamodules.readers.setting import setting
from records.array_file import Header

LABEL_NAMES = ("y", "label", "target", "class", "diagnos", "grade")  # what names of labels contain


def likely_arrays(headers: Mapping[str, Header]) -> tuple[str | None, str | None]:
    """Names of images and labels: the largest array of pictures, and one value for each of them.

    >>> header = lambda *shape: Header(shape, np.dtype(np.uint8), False)
    >>> likely_arrays({"labels": header(9), "images": header(9, 8, 8), "id": header(9)})
    ('images', 'labels')
    """
    pictures = {
        name: header
        for name, header in headers.items()
        if len(header.shape) in (3, 4) and header.dtype.kind in "iufb"
    }
    if not pictures:
        return None, None
    x = max(pictures, key=lambda name: pictures[name].nbytes)
    count = pictures[x].shape[0]
    values = [name for name, header in headers.items() if header.shape in ((count,), (count, 1))]
    return x, max(values, key=_is_named_label, default=None)  # the first of equal ones


def likely_settings(headers: Mapping[str, Header], name: str, x: str, y: str) -> str:
    """What a missing array may be called in a file, as an end of the sentence on it."""
    if name not in (x, y):
        free = [other for other in headers if other not in (x, y)]
        near = difflib.get_close_matches(name, free, n=1, cutoff=0.0)
        return f"; the nearest name is `{near[0]}`" if near else ""
    named = zip(("x", "y"), (x, y), likely_arrays(headers), strict=True)
    words = [
        setting(f"data.reader.{key}", like) for key, own, like in named if like and like != own
    ]
    return f"; its shapes suggest {' '.join(words)}" if words else ""


def _is_named_label(name: str) -> bool:
    lower = name.lower()
    return any(part == lower or (part != "y" and part in lower) for part in LABEL_NAMES)


def label_way_out(y: np.ndarray) -> str | None:
    """What to write in place of labels that are no (N,) classes; None where that is not known.

    >>> label_way_out(np.eye(3)), label_way_out(np.array([0.31, 2.2]))[:26]
    ('One-hot labels: write y=labels.argmax(axis=1).', 'Fractions: write classes, ')
    >>> label_way_out(np.array([[1, 1], [0, 0]]))
    'Several labels per image: write one of them, such as y=labels[:, 0].'
    """
    if y.dtype.kind not in "iufb" or y.size == 0:
        return None
    if y.ndim == 1 and y.dtype.kind == "f":
        return (
            "Fractions: write classes, such as y=(values > limit).astype(int), or grades as text, "
            "y=labels.astype(str)."
        )
    if y.ndim != 2 or not np.isin(y, (0, 1)).all():
        return None
    if (y.sum(axis=1) == 1).all():
        return "One-hot labels: write y=labels.argmax(axis=1)."
    return "Several labels per image: write one of them, such as y=labels[:, 0]."


def image_way_out(shape: tuple[int, ...]) -> str | None:
    """What to write in place of images of four channels; None for other shapes.

    >>> image_way_out((9, 32, 32, 4)), image_way_out((9, 5))
    ('Of four channels write three, without alpha x=images[..., :3], or one.', None)
    """
    if len(shape) != 4 or 4 not in (shape[1], shape[3]):
        return None
    part = "[..., :3]" if shape[3] == 4 else "[:, :3]"
    return f"Of four channels write three, without alpha x=images{part}, or one."
