"""`difficulty.md`: a data set among the published ones, as text and picture."""

from pathlib import Path

from pandas import DataFrame

from analysis.difficulty import describe, measured
from analysis.drawing.landscape import landscape
from analysis.drawing.rendering import pictures
from analysis.drawing.style import style
from analysis.make import mark_standins, write_pictures
from datamodules.source_images import SourceImages
from records.atomic import write_text


def write_difficulty(
    runs: DataFrame, out: Path, target: float, source: SourceImages | None = None
) -> str:
    """Write `difficulty.md` and its picture into a folder; returns the text.

    The arguments are those of `measured` and `describe`.
    """
    found = measured(runs)
    with style():
        figure = landscape(found)
    mark_standins(figure, runs[runs.standin].data.unique(), alone=bool(runs.standin.all()))
    write_pictures(pictures(figure, "difficulty", ("png", "svg")), out / "difficulty")
    text = describe(found, target, source)
    write_text(out / "difficulty.md", f"{text}\n\n![d and K_F](difficulty.png)\n")
    return text
