"""One HTML file that holds everything: it opens from disk, without a network."""

from collections.abc import Iterable

from analysis.exhibits import papers
from analysis.published import published_table
from analysis.report.chapter import Chapter, shown_chapter
from analysis.report.claims import claims_shown
from analysis.report.page import fill
from analysis.report.points import points
from analysis.report.run_table import run_table
from analysis.report.title import report_title
from analysis.runs.missing import filling_commands, missing_runs, refused_runs
from analysis.runs.overview import overview
from analysis.runs.records import Runs

__all__ = ["Chapter", "render"]

LISTED = 200  # missing runs in full; a table of 100,000 took a browser two minutes to lay out


def render(runs: Runs, chapters: Iterable[Chapter]) -> str:
    """The report as one HTML document."""
    chapters = list(chapters)
    table = runs.table
    missing = missing_runs(table, runs.superseded)
    tables = [(paper, published_table(paper)) for paper in papers()]
    return fill(
        "report.html",
        points(runs, chapters),
        title=report_title(table),
        claims=claims_shown(runs.done),
        standins=sorted(table[table.standin].data.unique()),
        overview=overview(table),
        broken=runs.broken,
        copies=runs.copies,
        superseded=len(runs.superseded),
        outdated=len(runs.outdated),
        runs=run_table(table),
        chapters=[shown_chapter(runs, one, number) for number, one in enumerate(chapters)],
        refused=refused_runs(table),
        missing=missing,
        commands=filling_commands(missing, table),
        listed=LISTED,
        published={paper: numbers for paper, numbers in tables if len(numbers)},
    )
