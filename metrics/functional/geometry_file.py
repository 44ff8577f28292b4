"""A geometry in a file, with the text that identifies it."""

from pathlib import Path

import torch

from metrics.functional.geometry import Geometry

PARTS = ("rows", "weights", "matrix", "error")


def save_geometry(path: Path, identity: str, geometry: Geometry) -> None:
    """Write a geometry and its identity.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "geometry.pt"
    >>> save_geometry(path, "two pixels", Geometry.from_rows(torch.eye(2), (1, 1, 2)))
    >>> identity, geometry = load_geometry(path)
    >>> identity, geometry.dimension
    ('two pixels', 2)
    """
    state = {name: getattr(geometry, name) for name in ("input_shape", *PARTS)}
    torch.save(state | {"identity": identity}, path)


def load_geometry(path: Path) -> tuple[str, Geometry]:
    """Read the identity and the geometry of a file, in main memory."""
    found = torch.load(path, map_location="cpu", weights_only=True)
    parts = {name: found[name] for name in PARTS}
    return found["identity"], Geometry(tuple(found["input_shape"]), **parts)
