"""Where the images of a run are and how they are read, as a digest: archives name no folders."""

import hashlib
from collections.abc import Mapping
from typing import Any

from records.key import canonical
from records.reader import Record

PLACES = ("root", "extra")  # of the data's settings
READ_BY = ("name", "reader", "split", "extra_only")
ARCHIVED = "data_listing"  # in a record whose paths were shortened


def reading(data: Mapping[str, Any]) -> str:
    """How the images of some data settings are read, wherever they are.

    >>> reading({"name": "npz", "root": "/a"}) == reading({"name": "npz", "root": "/b"})
    True
    """
    return canonical({name: data.get(name) for name in READ_BY})


def data_listing(record: Record) -> str:
    """Equal for runs on one data set, edited or not; the paths cannot be read from it.

    >>> def of(root):
    ...     return {"settings": {"data": {"name": "npz", "root": root}}}
    >>> data_listing(of("/a/images")) == data_listing(of("/b/images"))
    False
    >>> data_listing({**of(".../images"), "data_listing": data_listing(of("/a/images"))}) == (
    ...     data_listing(of("/a/images"))
    ... )
    True
    """
    if record.get(ARCHIVED):
        return str(record[ARCHIVED])
    data = record["settings"]["data"]
    text = reading(data) + canonical({name: data.get(name) for name in PLACES})
    return hashlib.sha256(text.encode()).hexdigest()[:12]
