"""Which arrays of a `.npz` file are the images and the labels, by their shapes."""

from collections.abc import Mapping

from records.array_file import Header

LABEL_NAMES = ("y", "label", "target", "class", "diagnos", "grade")  # what names of labels contain


def likely_arrays(headers: Mapping[str, Header]) -> tuple[str | None, str | None]:
    """Names of images and labels: the largest array of pictures, and one value for each of them.

    >>> import numpy as np
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


def _is_named_label(name: str) -> bool:
    lower = name.lower()
    return any(part == lower or (part != "y" and part in lower) for part in LABEL_NAMES)
