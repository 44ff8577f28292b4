"""Runs that may be drawn together, and what was drawn of them."""

import base64
from dataclasses import dataclass

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.grid import one_recipe, trained
from analysis.make import Made
from analysis.overview import unequal_settings
from analysis.records import Runs
from analysis.report.beside import beside_published
from analysis.report.markup import escape, fold, warn, wide
from analysis.typeset import to_html
from records.counted import counted

MIME = {"svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True)
class Chapter:
    """Runs of one protocol and one preset."""

    title: str
    runs: DataFrame  # finished
    set_aside: int  # stand-in runs of data sets that have real ones too
    made: tuple[Made, ...]


def show_chapter(runs: Runs, chapter: Chapter, number: int) -> str:
    """Its warnings, its figures and tables, and what could not be made."""
    parts = [
        f"<h2>{escape(chapter.title)}</h2>",
        f'<p class="count">{len(chapter.runs)} finished runs.</p>',
    ]
    if chapter.set_aside:
        parts.append(
            warn(
                f"{chapter.set_aside} stand-in runs were set aside: their data sets have real runs "
                "too, and the two are never pooled."
            )
        )
    unequal = unequal_settings(runs, chapter.runs)
    if unequal:
        items = "".join(
            f"<li>{escape(name)}: {escape(', '.join(values))}</li>"
            for name, values in unequal.items()
        )
        networks = trained(chapter.runs)
        apart = len(networks) - len(one_recipe(networks))
        sentence = (
            "Runs of one network and data set differ in these settings; where epochs, optimiser "
            "and the like do, grids and laws hold the commonest alone, without "
            f"{counted(apart, 'run')}:"
        )
        parts.append(warn(f"{sentence}<ul>{items}</ul>"))
    parts += [_exhibit(one, chapter, number) for one in chapter.made if one.result is not None]
    parts.append(_not_made(chapter))
    return "\n".join(part for part in parts if part)


def anchor(made: Made, number: int) -> str:
    """Where in the page an exhibit is."""
    return escape(f"{number}-{made.exhibit.kind}-{made.exhibit.name}")


def selection_name(made: Made, number: int) -> str:
    """What the runs behind an exhibit are called: those of one paper in one chapter."""
    return f"{number}-{made.exhibit.paper}"


def _exhibit(made: Made, chapter: Chapter, number: int) -> str:
    exhibit = made.exhibit
    shown = _image(made) if isinstance(made.result, Figure) else wide(to_html(made.result))
    published = beside_published(exhibit, exhibit.select(chapter.runs))
    axes = " ".join(exhibit.requires)
    behind = (
        f'<div class="behind" data-selection="{escape(selection_name(made, number))}" '
        f'data-axes="{escape(axes)}"></div>'
    )
    return (
        f'<section id="{anchor(made, number)}">'
        f"<h3>{escape(exhibit.title)}</h3>"
        f'<p class="source">{escape(exhibit.source)} · {escape(exhibit.name)} · '
        f"<code>{escape(exhibit.command)}</code></p>"
        f"{shown}<p>{escape(exhibit.reading)}</p>"
        + fold("The runs behind it: settings and command of every point", behind)
        + (fold("Published values beside ours", wide(to_html(published))) if len(published) else "")
        + "</section>"
    )


def _image(made: Made) -> str:
    """Whichever of SVG and PNG is smaller; as an image, where a drawing can run no script."""
    form = min(made.pictures, key=lambda form: len(made.pictures[form]))
    data = base64.b64encode(made.pictures[form]).decode()
    return f'<img alt="{escape(made.exhibit.title)}" src="data:{MIME[form]};base64,{data}">'


def _not_made(chapter: Chapter) -> str:
    rows = [
        {
            "name": one.exhibit.name,
            "what": one.exhibit.source,
            "why not": one.reason,
            "command that would make its runs": one.exhibit.command,
        }
        for one in chapter.made
        if one.result is None
    ]
    return "<h3>Not made</h3>" + wide(to_html(DataFrame(rows))) if rows else ""
