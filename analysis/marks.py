"""What a figure must say of itself, whoever drew it and wherever it is pasted."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.names import DATA, ordered

STANDIN = "stand-in data"


def mark_standins(figure: Figure, runs: DataFrame) -> None:
    """Write on a figure which of the data sets behind it were generated; nothing if none was."""
    made_up = ordered(runs[runs.standin].data, DATA)
    if not made_up:
        return
    real = set(runs[~runs.standin].data)
    names = "" if not real else ": " + ", ".join(DATA.get(name, name) for name in made_up)
    figure.suptitle(STANDIN + names, color="crimson", fontsize=10, x=0.99, ha="right")
