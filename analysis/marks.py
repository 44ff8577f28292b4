"""What a figure must say of itself, whoever drew it and wherever it is pasted."""

import io
from collections.abc import Callable, Sequence

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.names import DATA, ordered

STANDIN = "stand-in data"
Maker = Callable[[DataFrame], Figure | DataFrame]


def standins_in(result: Figure | DataFrame, maker: Maker, runs: DataFrame) -> list[str]:
    """The data sets in a figure or table whose images were generated.

    Where there are real images too, what a figure or table shows of the runs it was given is its
    own affair; a stand-in is in it if it would look different without.

    Args:
        result: what came out.
        maker: makes it of runs.
        runs: that it was made of.
    """
    made_up = ordered(runs[runs.standin].data, DATA)
    if runs.standin.all():
        return made_up
    whole = _look(result)
    return [name for name in made_up if _made(maker, _without(runs, name)) != whole]


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


def _without(runs: DataFrame, name: str) -> DataFrame:
    return runs[~(runs.standin & (runs.data == name))].reset_index(drop=True)


def _made(maker: Maker, runs: DataFrame) -> bytes:
    try:
        return _look(maker(runs))
    except Exception:  # whatever the reason: it cannot do without
        return b""


def _look(result: Figure | DataFrame) -> bytes:
    if isinstance(result, DataFrame):
        return result.to_csv(index=False).encode()
    buffer = io.BytesIO()
    result.savefig(buffer, format="raw", dpi=50)
    return buffer.getvalue()
