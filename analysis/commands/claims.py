"""Report which claims of the papers hold on given runs: each with its statistic and interval.

Prints the table. Of run folders it also writes it as `claims.csv` and `claims.md`; of archives,
which may lie where nothing should be written, only with --out.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from analysis.claims_table import Judged, claims_table, found, judge_all, remark, to_page
from analysis.exhibits import papers
from analysis.runs.records import holds_archives, read_runs, report_folder
from display.console import new_console
from display.steps import working
from display.terminal_safe import terminal_safe
from records.atomic import write_text

COLOURS = {"holds": "green", "fails": "red", "undecided": "yellow", "not run": "dim"}


def main(argv: Sequence[str]) -> int:
    """Read, judge, print, write; 1 if something could not be read, 2 for a wrong command."""
    parser = argparse.ArgumentParser(prog="python -m analysis claims", description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, help="run folders or archives")
    parser.add_argument(
        "-o", "--out", type=Path, help="where to write; default: <first run folder>/report"
    )
    arguments = parser.parse_args(argv)
    try:
        with working("reading records"):
            runs = read_runs(arguments.sources)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    judged = judge_all(runs.done)
    console = new_console()
    for paper in papers():
        console.print(as_table(paper, [one for one in judged if one.paper == paper]))
    print(remark(judged))
    write(judged, arguments.out or default_folder(arguments.sources[0]))
    for path, reason in zip(runs.broken.path, runs.broken.reason, strict=True):
        print(f"not read: {path}: {reason}", file=sys.stderr)
    return 1 if len(runs.broken) else 0


def default_folder(source: Path) -> Path | None:
    """Where the table of run folders is written; None for an archive or a folder of archives."""
    return None if holds_archives(source) else report_folder(source)


def write(judged: list[Judged], out: Path | None) -> None:
    """Write the table as CSV and Markdown, and print where."""
    if out is None:
        print(
            "No table was written, because the sources are archives; "
            "--out DIR writes claims.csv and claims.md."
        )
        return
    write_text(out / "claims.csv", claims_table(judged).to_csv(index=False))
    write_text(out / "claims.md", to_page(judged))
    print(f"Written: {out / 'claims.csv'}, claims.md")


def as_table(paper: str, judged: Sequence[Judged]) -> Table:
    """One line per claim of a paper, for the terminal."""
    table = Table(title=paper, title_justify="left")
    for heading in ("claim", "verdict"):
        table.add_column(heading, no_wrap=True)
    for heading in ("found (95 %)", "claimed", "over", "data"):
        table.add_column(heading, overflow="fold")
    for one in judged:
        shown = found(one)
        texts = [shown.interval, str(one.claim.claimed), shown.over, shown.data or one.reason]
        cells = [Text(terminal_safe(text)) for text in texts]
        table.add_row(one.claim.name, Text(one.verdict, COLOURS[one.verdict]), *cells)
    return table
