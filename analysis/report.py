"""One HTML file that holds everything: no script, no network, every text escaped."""

import base64
import html
from collections.abc import Iterable
from dataclasses import dataclass

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.make import Made
from analysis.missing import filling_commands, missing_runs
from analysis.overview import overview, unequal_settings
from analysis.published import published_table
from analysis.records import Runs
from analysis.typeset import to_html

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222 }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 13px; margin: .8rem 0 }
th, td { border-bottom: 1px solid #ddd; padding: .2rem .6rem }
th, td { text-align: left; vertical-align: top }
th { border-bottom: 2px solid #888 }
.wide { overflow-x: auto }
.standin { background: #fdecea; border: 1px solid crimson; color: #90001c; padding: .6rem 1rem }
.warning { background: #fff7e0; border: 1px solid #d9a400; padding: .6rem 1rem; margin: .8rem 0 }
.source, .count { color: #666; font-size: 13px }
img { max-width: 100% }
pre { background: #f5f5f5; padding: .6rem 1rem; overflow-x: auto }
nav a { margin-right: .8rem; white-space: nowrap }
"""
MIME = {"svg": "image/svg+xml", "png": "image/png"}
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class Chapter:
    """Runs that may be drawn together: one protocol, one preset."""

    title: str
    runs: DataFrame  # finished
    set_aside: int  # stand-in runs of data sets that have real ones too
    made: tuple[Made, ...]


def render(runs: Runs, chapters: Iterable[Chapter]) -> str:
    """The report as one HTML document."""
    chapters = list(chapters)
    parts = ["<h1>Report</h1>", _standins(runs.table), _contents(chapters)]
    parts += ["<h2>Overview</h2>", _wide(to_html(overview(runs.table))), _broken(runs)]
    for number, chapter in enumerate(chapters):
        parts.append(_chapter(runs, chapter, number))
    parts += [_missing(runs.table), _published()]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>Report</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _standins(table: DataFrame) -> str:
    names = sorted(table[table.standin].data.unique())
    if not names:
        return ""
    return (
        '<p class="standin">Stand-in data: generated images were used for '
        f"{_escape(', '.join(names))}. Their numbers show that the pipeline works; they say "
        "nothing about the real data sets.</p>"
    )


def _contents(chapters: list[Chapter]) -> str:
    links = [
        f'<a href="#{_anchor(one, number)}">{_escape(one.exhibit.name)}</a>'
        for number, chapter in enumerate(chapters)
        for one in chapter.made
        if one.result is not None
    ]
    return f"<nav>{' '.join(links)}</nav>"


def _broken(runs: Runs) -> str:
    parts = []
    if len(runs.broken):
        parts.append(f"<p>{len(runs.broken)} files could not be read:</p>{to_html(runs.broken)}")
    if runs.copies:
        parts.append(f"<p>{runs.copies} runs were found more than once; each counts once.</p>")
    return f'<div class="warning">{"".join(parts)}</div>' if parts else ""


def _chapter(runs: Runs, chapter: Chapter, number: int) -> str:
    parts = [f"<h2>{_escape(chapter.title)}</h2>"]
    parts.append(f'<p class="count">{len(chapter.runs)} finished runs.</p>')
    if chapter.set_aside:
        parts.append(
            f'<p class="warning">{chapter.set_aside} stand-in runs were set aside: their data sets '
            "have real runs too, and the two are never pooled.</p>"
        )
    unequal = unequal_settings(runs, chapter.runs)
    if unequal:
        items = "".join(
            f"<li>{_escape(name)}: {_escape(', '.join(values))}</li>"
            for name, values in unequal.items()
        )
        parts.append(
            '<div class="warning">Runs of one network and data set, drawn together, differ in '
            f"these settings:<ul>{items}</ul></div>"
        )
    parts += [_exhibit(one, number) for one in chapter.made if one.result is not None]
    lacking = [one for one in chapter.made if one.result is None]
    if lacking:
        rows = DataFrame(
            [
                {"name": one.exhibit.name, "what": one.exhibit.source, "why not": one.reason,
                 "command that would make its runs": one.exhibit.command}
                for one in lacking
            ]
        )  # fmt: skip
        parts.append("<h3>Not made</h3>" + _wide(to_html(rows)))
    return "\n".join(parts)


def _exhibit(made: Made, number: int) -> str:
    exhibit = made.exhibit
    shown = _image(made) if isinstance(made.result, Figure) else _wide(to_html(made.result))
    return (
        f'<section id="{_anchor(made, number)}">'
        f"<h3>{_escape(exhibit.title)}</h3>"
        f'<p class="source">{_escape(exhibit.source)} · {_escape(exhibit.name)}</p>'
        f"{shown}<p>{_escape(exhibit.reading)}</p></section>"
    )


def _anchor(made: Made, number: int) -> str:
    return _escape(f"{number}-{made.exhibit.kind}-{made.exhibit.name}")


def _image(made: Made) -> str:
    """Whichever of SVG and PNG is smaller; as an image, where a drawing can run no script."""
    form = min(made.pictures, key=lambda form: len(made.pictures[form]))
    data = base64.b64encode(made.pictures[form]).decode()
    return f'<img alt="{_escape(made.exhibit.title)}" src="data:{MIME[form]};base64,{data}">'


def _missing(table: DataFrame) -> str:
    lacking = missing_runs(table)
    if lacking.empty:
        return ""
    commands = "\n".join(filling_commands(lacking, table))
    return (
        f"<h2>Missing runs</h2><p>{len(lacking)} cells of the grids that the records show have no "
        "finished run. The commands skip what is finished and go on with what was interrupted."
        f"</p>{_wide(to_html(lacking))}"
        f"<p>To fill them:</p><pre>{_escape(commands)}</pre>"
    )


def _published() -> str:
    return (
        "<h2>Published numbers</h2><details><summary>Konz &amp; Mazurowski 2024, as kept in "
        f"analysis/published/konz2024.csv</summary>{_wide(to_html(published_table()))}</details>"
    )


def _wide(content: str) -> str:
    return f'<div class="wide">{content}</div>'


def _escape(text: object) -> str:
    return html.escape(str(text))
