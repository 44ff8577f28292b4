"""What a figure must say of itself, whoever drew it and wherever it is pasted."""

import io
from collections.abc import Callable, Sequence

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.names import DATA, ordered

STANDIN = "stand-in data"
Maker = Callable[[DataFrame], Figure | DataFrame]


def standins_in(result: Figure | DataFrame, maker: Maker, runs: DataFrame) -> list[str]:
    """The data sets behind a figure or table whose images were generated.

    What a figure shows of the runs it was given is its own affair. Where some are real, it is drawn
    again without the stand-ins: if it looks the same, none is in it. A table says so row by row.

    Args:
        result: what came out.
        maker: makes it of runs.
        runs: that it was made of.
    """
    made_up = ordered(runs[runs.standin].data, DATA)
    if isinstance(result, DataFrame) or runs.standin.all():
        return made_up
    real = runs[~runs.standin].reset_index(drop=True)
    return [] if _made(maker, real) == _look(result) else made_up


def mark_standins(figure: Figure, names: Sequence[str], alone: bool) -> None:
    """Write on a figure which of its data sets were generated; nothing if none was.

    Args:
        figure: gets the mark.
        names: of the data sets.
        alone: nothing else is in the figure; then the names are not needed.
    """
    if names:
        listed = "" if alone else ": " + ", ".join(DATA.get(name, name) for name in names)
        figure.suptitle(STANDIN + listed, color="crimson", fontsize=10, x=0.99, ha="right")


def _made(maker: Maker, runs: DataFrame) -> bytes:
    try:
        return _look(maker(runs))
    except Exception:  # whatever the reason: it cannot do without
        return b""


def _look(figure: Figure | DataFrame) -> bytes:
    assert isinstance(figure, Figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="raw", dpi=50)
    return buffer.getvalue()
