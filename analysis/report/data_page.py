"""`data.html`: what was found in a set of images, with the images themselves as thumbnails."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pandas import DataFrame
from PIL import Image

from analysis.data_findings import LISTED, NEAR_LEVELS, DataFindings, find_problems
from analysis.report.page import fill, image
from datamodules.scanned_images import PARTS, ScannedImages
from records.atomic import write_text

ENLARGED = 96  # pixels that a thumbnail is shown at


def write_data(name: str, images: ScannedImages, path: Path) -> list[str]:
    """Find the problems of a data set and write the page; returns one line per problem."""
    found = find_problems(images)
    write_text(path, render_data(name, found))
    return list(found.lines())


def render_data(name: str, found: DataFindings) -> str:
    """The page as one HTML document."""
    images = found.images
    pairs = {
        "Equal images with different labels": [(i, j, 0.0) for i, j in found.mislabelled],
        "Test images equal or nearly equal to a training image": found.leaked,
        "The closest images of different labels": [found.closest] if found.closest else [],
    }
    return fill(
        "data.html",
        {},
        name=name,
        lines=list(found.lines()),
        near=f"{NEAR_LEVELS:g}",
        listed=LISTED,
        classes=DataFrame(
            [(label, *counts) for label, counts in found.classes.items()],
            columns=["class", *PARTS],
        ),
        unreadable=DataFrame(list(images.unreadable), columns=["image", "why"]),
        pairs={title: _shown(found, own) for title, own in pairs.items() if own},
        mixed_groups=DataFrame({"group": list(found.mixed_groups)}),
    )


def _shown(found: DataFindings, pairs: Sequence[tuple[int, int, float]]) -> dict[str, Any]:
    rows = [
        {
            "names": [found.called(i), found.called(j)],
            "images": [_thumbnail(found.images.thumbnails[place]) for place in (i, j)],
            "distance": f"{distance:.3g}",
        }
        for i, j, distance in pairs[:LISTED]
    ]
    return {"count": len(pairs), "rows": rows}


def _thumbnail(pixels: np.ndarray) -> str:
    """A grey thumbnail as a data URL."""
    content = io.BytesIO()
    large = Image.fromarray(pixels).resize((ENLARGED, ENLARGED), Image.Resampling.NEAREST)
    large.save(content, format="png")
    return image(content.getvalue(), "png")
