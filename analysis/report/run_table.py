"""Every run as a row that can be sorted and found, and as a point that can be asked."""

from pandas import DataFrame

from analysis.report.markup import wide
from analysis.typeset import to_html
from records.quantities import main_names

ABOUT = ["status", "model", "data", "n", "seed", "experiment", "protocol", "preset"]


def show_runs(table: DataFrame) -> str:
    """The table of all runs; the script puts filters above it and a scatter plot below."""
    numbers = main_names(list(table.columns))
    shown = table[[*ABOUT, *numbers, "key"]].assign(status=_status(table))
    return (
        '<h2 id="runs">Runs</h2><noscript><p>Filters and points need the script of this page, '
        "which this browser does not run.</p></noscript>"
        f'<div id="filters"></div><div id="run-table">{wide(to_html(shown))}</div>'
        '<div id="explorer"></div>'
    )


def _status(table: DataFrame) -> list[str]:
    return [
        status + " (stand-in)" * bool(standin)
        for status, standin in zip(table.status, table.standin, strict=True)
    ]
