"""A geometry in a file, with the text that identifies it."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import torch

from metrics.functional.geometry import Geometry


def geometry_state(geometry: Geometry) -> dict[str, Any]:
    """The fields of a geometry, for `torch.save`."""
    return {field.name: getattr(geometry, field.name) for field in fields(geometry)}


def save_geometry(path: Path, identity: str, geometry: Geometry) -> None:
    """Write a geometry and its identity.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "geometry.pt"
    >>> save_geometry(path, "two pixels", Geometry.from_rows(torch.eye(2), (1, 1, 2)))
    >>> identity, geometry = load_geometry(path)
    >>> identity, geometry.dimension
    ('two pixels', 2)
    """
    torch.save(geometry_state(geometry) | {"identity": identity}, path)


def load_geometry(path: Path) -> tuple[str, Geometry]:
    """Read the identity and the geometry of a file, in main memory."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    return state.pop("identity"), Geometry(**state)
