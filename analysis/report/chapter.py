"""Runs that may be drawn together, and what was drawn of them."""

import logging
from dataclasses import dataclass
from typing import Any

from pandas import DataFrame

from analysis.courses import draw_courses
from analysis.grid import most_common_recipe, trained
from analysis.make import Made
from analysis.overview import unequal_settings
from analysis.records import Runs
from analysis.rendering import pictures
from analysis.report.beside import beside_published
from analysis.report.page import image
from analysis.style import style

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Chapter:
    """Runs of one protocol and one preset."""

    title: str
    runs: DataFrame  # finished
    set_aside: int  # stand-in runs of data sets that have real ones too
    made: tuple[Made, ...]
    colour: str | None = None  # setting that colours the courses of the runs


def shown_chapter(runs: Runs, chapter: Chapter, number: int) -> dict[str, Any]:
    """What the template shows: warnings, figures and tables, and what could not be made."""
    networks = trained(chapter.runs)
    return {
        "title": chapter.title,
        "runs": chapter.runs,
        "set_aside": chapter.set_aside,
        "unequal": unequal_settings(runs, chapter.runs),
        "apart": len(networks) - len(most_common_recipe(networks)),
        "courses": _courses(chapter),
        "sections": [_section(one, chapter, number) for one in chapter.made if one.is_made],
        "not_made": DataFrame(
            {
                "name": one.exhibit.name,
                "what": one.exhibit.source,
                "why not": one.reason,
                "command that would make its runs": one.exhibit.command,
            }
            for one in chapter.made
            if not one.is_made
        ),
    }


def _courses(chapter: Chapter) -> dict[str, str] | None:
    """The address of the picture of all runs' courses, and the setting in its colours."""
    try:
        with style():
            drawn = draw_courses(chapter.runs, chapter.colour)
        if drawn is None:
            return None
        figure, colour = drawn
        return {"image": image(pictures(figure, "courses")["png"], "png"), "colour": colour}
    except Exception as error:  # one picture's mistake must not cost the report
        log.warning("the courses of the runs were not drawn: %s: %s", type(error).__name__, error)
        return None


def anchor(made: Made, number: int) -> str:
    """Where in the page an exhibit is."""
    return f"{number}-{made.exhibit.kind}-{made.exhibit.name}"


def _section(made: Made, chapter: Chapter, number: int) -> dict[str, Any]:
    return {
        "exhibit": made.exhibit,
        "anchor": anchor(made, number),
        "image": _smaller(made) if made.pictures else None,
        "table": made.table,
        "published": beside_published(made.exhibit, made.exhibit.select(chapter.runs)),
    }


def _smaller(made: Made) -> str:
    """Whichever of SVG and PNG is smaller."""
    form = min(("svg", "png"), key=lambda form: len(made.pictures[form]))
    return image(made.pictures[form], form)
