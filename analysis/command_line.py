"""`python -m analysis <run folders> [--figure NAME] [--out DIR]`: a report of runs.

A first word that names a file of `analysis/commands` is that command: `watch <run folders>` follows
runs in progress, `best <run folders> --by NAME` names the best run, `archive <run folders> -o FILE`
writes runs into one file, `claims <run folders>` tests the papers' claims, `atlas` prints how every
figure and table is made.
"""

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from pandas import DataFrame
from pyarrow import csv, parquet

from analysis.commands import command, command_names
from analysis.drawing.courses import courses_of
from analysis.drawing.rendering import ALL_FORMS, FORMS
from analysis.exhibits import Exhibit, discover, papers
from analysis.make import write, write_pictures
from analysis.make_all import making_all
from analysis.printing.table_files import write_table
from analysis.report import Chapter, render
from analysis.report.leftovers import remove_leftovers
from analysis.report.run_page import render_run
from analysis.runs.missing import missing_runs, refused_runs
from analysis.runs.records import Runs, read_runs, report_folder
from analysis.statistics.grid import prefer_real
from analysis.statistics.seed_table import caption, seed_table
from display.steps import working
from records.atomic import replacing, write_text
from records.counted import counted
from records.late_imports import all_kept, collected_once

STORE = ".parsed"  # of the report's folder: what `analysis.runs.parsed_runs` keeps


def main(words: Sequence[str]) -> int:
    """Read, make, write, print; returns 0, 1 if an exhibit failed, or 2 for a wrong command."""
    if words and (named := command(words[0])):
        return named(words[1:])
    if words and not Path(words[0]).exists():
        near = difflib.get_close_matches(words[0], command_names(), n=1)
        if near:
            print(
                f"{words[0]}: no such folder or command; did you mean {near[0]}?", file=sys.stderr
            )
            return 2
    arguments = parse(words)
    out = arguments.out or report_folder(arguments.folders[0])
    try:
        exhibits = chosen(arguments.figure)
        with working("reading records"), all_kept():
            runs = read_runs(arguments.folders, out / STORE)
        check_setting(arguments.colour, runs)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    single = is_one_run(arguments.folders) and len(runs.table) == 1
    print(summary(runs, whole=not single))
    alone = single and not arguments.figure
    forms = forms_of(arguments)
    made = [] if alone else chapters(runs, exhibits, out, arguments.colour, forms)
    written = [file for one in made for file in write_chapter(one, bool(arguments.figure))]
    if not arguments.figure:
        with working("writing the report"), collected_once():
            save(runs.plain, out / "runs")
            save(runs.metrics, out / "metrics")
            write_text(out / "report.html", render_run(runs) if alone else render(runs, made))
        if not alone and (left := remove_leftovers(out, set(written))):
            print(f"Removed: {counted(left, 'file')} of an earlier report, not in this one.")
        print(f"Report: {out / 'report.html'}")
    results = [one for chapter in made for one in chapter.made]
    if arguments.figure and not any(one.is_made for one in results):
        return 1
    return 1 if any(one.failed for one in results) else 0


def write_chapter(chapter: Chapter, named: bool) -> list[Path]:
    """Write figures and tables and return their paths; print what failed.

    If figures were asked for by name (`named`), print their paths and why one was not made.
    """
    written = write(chapter.made, chapter.folder)
    if named:
        print("\n".join(str(path) for path in written))
    else:
        courses, means = chapter.folder / "figures" / "courses", chapter.folder / "tables"
        written += write_pictures(chapter.courses.pictures, courses)
        written += write_table(chapter.over_seeds, means / "over_seeds", caption(chapter.runs))
    for one in chapter.made:
        if not one.is_made and (one.failed or named):
            print(f"{one.exhibit.name}: {one.reason}; needs: {one.exhibit.command}")
    return written


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of the command; exits with code 2 where they are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m analysis",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        help="run folders, folders that contain run folders, or archives",
    )
    parser.add_argument(
        "--figure",
        action="append",
        metavar="NAME",
        help="this figure (as PNG, SVG and PDF) or table only",
    )
    parser.add_argument("--colour", metavar="SETTING", help="in the courses: model.name, n, ...")
    parser.add_argument("--svg", action="store_true", help="all figures as SVG too")
    parser.add_argument("--pdf", action="store_true", help="all figures as PDF too")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        help="where to write; default: <first folder>/report, of archives runs/report-<name>",
    )
    return parser.parse_args(words)


def forms_of(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The forms of figures that were asked for.

    >>> forms_of(parse(["runs"])), forms_of(parse(["runs", "--pdf"]))
    (('png',), ('png', 'pdf'))
    """
    asked = (form for form in ALL_FORMS if form in FORMS or getattr(arguments, form))
    return ALL_FORMS if arguments.figure else tuple(asked)


def is_one_run(folders: Sequence[Path]) -> bool:
    """Whether the only source is the folder of one run, which has its own kind of page."""
    return len(folders) == 1 and (folders[0] / "record.json").is_file()


def chosen(names: Sequence[str] | None) -> list[Exhibit]:
    """The exhibits with these names, or all. ValueError for an unknown name."""
    exhibits = [*discover("figures"), *discover("tables")]
    known = {exhibit.name for exhibit in exhibits}
    for name in names or ():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}."
            raise ValueError(f"--figure {name}: no such figure or table; {hint}")
    return [exhibit for exhibit in exhibits if not names or exhibit.name in names]


def check_setting(name: str | None, runs: Runs) -> None:
    """ValueError for a setting that no run has."""
    if name is None:
        return
    known = dict.fromkeys(one for settings in runs.settings.values() for one in settings)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3) or list(known)[:8]
        raise ValueError(f"--colour {name}: no run has this setting; try {', '.join(near)}.")


@collected_once()
def chapters(
    runs: Runs,
    exhibits: Sequence[Exhibit],
    out: Path,
    colour: str | None = None,
    forms: tuple[str, ...] = FORMS,
) -> list[Chapter]:
    """One chapter per protocol and preset: their numbers are not comparable, so never pooled."""
    made = []
    parts = list(runs.done.groupby(["protocol", "preset"]))
    for (protocol, preset), part in parts:
        kept, title = prefer_real(part), f"{protocol}-{preset}"
        own = re.sub(r"[^\w-]", "_", title)  # from records, which could name any path
        folder = out if len(parts) == 1 else out / own
        with making_all(exhibits, kept, forms) as new:
            courses, over_seeds = courses_of(kept, colour, forms), seed_table(kept)
            results = list(new)
        # of a paper that no run was made for, only what could be made is shown
        asked = papers_of(kept)
        shown = tuple(one for one in results if one.is_made or one.exhibit.paper in asked)
        aside = len(part) - len(kept)
        made.append(Chapter(title, kept, aside, shown, courses, over_seeds, folder))
    return made


def papers_of(runs: DataFrame) -> set[str]:
    """The papers whose experiments the runs come from; if none, all papers."""
    known = set(papers())
    return known & set(runs.experiment.str.split("/").str[0]) or known


def summary(runs: Runs, whole: bool = True) -> str:
    """One line on what was read; with `whole`, also how many runs of the grid are missing."""
    counts = ", ".join(f"{n} {status}" for status, n in runs.table.status.value_counts().items())
    line = f"{counted(len(runs.table), 'run')}: {counts or 'none readable'}"
    if len(runs.broken):
        line += f"; {counted(len(runs.broken), 'file')} could not be read"
    if runs.old:
        line += f"; {counted(runs.old, 'more run')} on data that were edited since, left out"
    if refused := len(refused_runs(runs.table)):
        line += f"; {refused} of the failed ones because of their data: missing, damaged or too few"
    lacking = len(missing_runs(runs.table, runs.superseded)) if whole else 0
    cells = counted(lacking, "cell")
    return line + (f"; {cells} of the grid without a finished run." if lacking else ".")


def save(table: DataFrame, base: Path) -> None:
    """Write CSV and Parquet; Arrow writes a million rows ten times faster than pandas."""
    whole = pa.Table.from_pandas(table, preserve_index=False)
    with replacing(base.with_suffix(".csv")) as temporary:
        csv.write_csv(whole, temporary, csv.WriteOptions(quoting_style="needed"))
    with replacing(base.with_suffix(".parquet")) as temporary:
        parquet.write_table(whole, temporary)
