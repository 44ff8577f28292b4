"""Every run as a row that can be sorted and searched, and as a point with its settings."""

from pandas import DataFrame

from records.cautions import is_within_chance
from records.quantities import main_names

ABOUT = ["status", "model", "data", "n", "seed", "experiment", "protocol", "preset"]


def run_table(table: DataFrame) -> DataFrame:
    """The table of all runs; the page's script puts filters above it and a scatter plot below."""
    numbers = main_names(list(table.columns))
    return table[[*ABOUT, *numbers, "key"]].assign(status=_status(table))


def _status(table: DataFrame) -> list[str]:
    unknown = [None] * len(table)
    accuracy, chance = (
        table.get(name, unknown) for name in ("test/accuracy", "test/chance_accuracy")
    )
    return [
        status
        + " (stand-in)" * bool(standin)
        + " (accuracy within chance)" * is_within_chance(a, c)
        for status, standin, a, c in zip(table.status, table.standin, accuracy, chance, strict=True)
    ]
