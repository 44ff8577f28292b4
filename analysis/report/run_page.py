"""The page of one run: its course, pictures, numbers, settings, command and notes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pandas import DataFrame, Series

from analysis.drawing.course import draw_course
from analysis.drawing.rendering import pictures
from analysis.drawing.style import style
from analysis.report.page import fill, image
from analysis.runs.records import Runs
from analysis.runs.run_row import CURVES, IDENTITY, SETTINGS
from analysis.runs.series import arrays
from records.cautions import cautions
from records.quantities import describe
from records.run_folder import RunFolder
from records.schema import flat

LARGEST = 2**25  # bytes of a picture


def render_run(runs: Runs) -> str:
    """The page of the only run of a table, as one HTML document."""
    run = runs.table.iloc[0]
    numbers = {
        name: run[name]
        for name in run.index
        if name not in (*IDENTITY, SETTINGS, CURVES) and "/" in name and run[name] == run[name]
    }
    record = RunFolder(run.path).read() or {}
    notes = [*cautions(numbers), *(record.get("notes") or [])]
    return fill(
        "run.html",
        {},
        run=run.to_dict(),
        broken=runs.broken,
        notes=notes,
        pictures=dict(_pictures(run)),
        numbers=DataFrame(
            [(name, value, describe(name)) for name, value in numbers.items()],
            columns=["quantity", "value", "what"],
        ),
        settings=DataFrame(
            [(name, str(value)) for name, value in flat(run[SETTINGS])],
            columns=["setting", "value"],
        ),
    )


def _pictures(run: Series) -> Iterator[tuple[str, str]]:
    """Name and data URL of the course so far and of the figures of the run."""
    with style():
        rows = zip(*vars(run[CURVES]).values(), strict=True)
        figure = draw_course(rows, _spectra(run.path))
    if figure is not None:
        yield "course", image(pictures(figure, "course", ("png",))["png"], "png")
    for file in sorted((run.path / "figures").glob("*.png")):
        if file.stem != "course" and file.is_file() and file.stat().st_size <= LARGEST:
            yield file.stem, image(file.read_bytes(), "png")


def _spectra(path: Path) -> dict[int, np.ndarray[Any, Any]]:
    """Spectra of the test images by epoch; none where a file is damaged."""
    try:
        return dict(arrays(path, "test/singular_values"))
    except ValueError:
        return {}
