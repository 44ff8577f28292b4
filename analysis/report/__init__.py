"""One HTML file that holds everything: it opens from disk, without a network."""

from collections.abc import Iterable

from pandas import DataFrame

from analysis.missing import filling_commands, missing_runs, refused_runs
from analysis.overview import overview
from analysis.published import papers as published_papers
from analysis.published import published_table
from analysis.records import Runs
from analysis.report.chapter import Chapter, anchor, show_chapter
from analysis.report.markup import escape, fold, warn, wide
from analysis.report.page import fill
from analysis.report.points import points
from analysis.report.run_table import show_runs
from analysis.typeset import to_html
from records.counted import counted

__all__ = ["Chapter", "render"]

LISTED = 200  # missing runs in full; a table of 100,000 took a browser two minutes to lay out


def render(runs: Runs, chapters: Iterable[Chapter]) -> str:
    """The report as one HTML document."""
    chapters = list(chapters)
    parts = [
        "<h1>Report</h1>",
        _standins(runs.table),
        _contents(chapters),
        '<h2 id="overview">Overview</h2>',
        wide(to_html(overview(runs.table))),
        _broken(runs),
        show_runs(runs.table),
        *(show_chapter(runs, chapter, number) for number, chapter in enumerate(chapters)),
        _refused(runs.table),
        _missing(runs.table),
        _published(),
    ]
    return fill("\n".join(part for part in parts if part), points(runs, chapters))


def _standins(table: DataFrame) -> str:
    names = sorted(table[table.standin].data.unique())
    if not names:
        return ""
    return (
        '<p class="standin">Stand-in data: generated images were used for '
        f"{escape(', '.join(names))}. Their numbers show that the pipeline works; they say "
        "nothing about the real data sets.</p>"
    )


def _contents(chapters: list[Chapter]) -> str:
    lines = ['<a href="#overview">overview</a> <a href="#runs">runs</a>']
    for number, chapter in enumerate(chapters):
        links = [
            f'<a href="#{anchor(one, number)}">{escape(one.exhibit.name)}</a>'
            for one in chapter.made
            if one.result is not None
        ]
        if links:
            lines.append(f"{escape(chapter.title)}: {' '.join(links)}")
    return "<nav>" + "".join(f"<p>{line}</p>" for line in lines) + "</nav>"


def _broken(runs: Runs) -> str:
    parts = []
    if len(runs.broken):
        files = counted(len(runs.broken), "file")
        parts.append(f"<p>{files} could not be read:</p>{to_html(runs.broken)}")
    if runs.copies:
        copies = counted(runs.copies, "run")
        parts.append(f"<p>Found more than once, and counted once: {copies}.</p>")
    return warn("".join(parts)) if parts else ""


def _refused(table: DataFrame) -> str:
    refused = refused_runs(table)
    if refused.empty:
        return ""
    more = "" if len(refused) <= LISTED else f"<p>The first {LISTED} of them are listed.</p>"
    return (
        f"<h2>Refused runs</h2><p>{len(refused)} runs ended before their first step, for want of "
        f"data; they say nothing on the grids.</p>{more}{wide(to_html(refused.head(LISTED)))}"
    )


def _missing(table: DataFrame) -> str:
    lacking = missing_runs(table)
    if lacking.empty:
        return ""
    commands = filling_commands(lacking, table)
    listed = "\n".join(commands[:LISTED])
    more = "" if len(lacking) <= LISTED else f"<p>The first {LISTED} of them are listed.</p>"
    return (
        "<h2>Missing runs</h2><p>Of the planned runs, or the grids that the records show, "
        f"{counted(len(lacking), 'cell')} without a finished run. The commands skip what is "
        "finished and go on with what was interrupted."
        f"</p>{more}{wide(to_html(lacking.drop(columns='command').head(LISTED)))}"
        f"<p>To fill them:</p><pre>{escape(listed)}</pre>"
    )


def _published() -> str:
    tables = [
        fold(f"As kept in analysis/published/{paper}.csv", wide(to_html(published_table(paper))))
        for paper in published_papers()
    ]
    return "<h2>Published numbers</h2>" + "".join(tables)
