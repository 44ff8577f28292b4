"""Runs that may be drawn together, and their figures and tables."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas import DataFrame

from analysis.drawing.courses import Courses
from analysis.make import Made
from analysis.report.beside import beside_published
from analysis.report.page import image
from analysis.runs.overview import unequal_settings
from analysis.runs.records import Runs
from analysis.statistics.grid import most_common_recipe, trained
from analysis.statistics.seed_table import averaged_over


@dataclass(frozen=True)
class Chapter:
    """Runs of one protocol and one preset."""

    title: str
    runs: DataFrame  # finished
    set_aside: int  # stand-in runs of data sets that have real ones too
    made: tuple[Made, ...]
    courses: Courses
    over_seeds: DataFrame  # of `seed_table`
    folder: Path

    @property
    def heading(self) -> str:
        """The title in words: "Results: protocol corrected, preset cpu"."""
        protocol, _, preset = self.title.partition("-")
        return f"Results: protocol {protocol}, preset {preset}"


def shown_chapter(runs: Runs, chapter: Chapter, number: int) -> dict[str, Any]:
    """The values of the template: warnings, figures, tables, and what could not be made."""
    networks = trained(chapter.runs)
    return {
        "heading": chapter.heading,
        "anchor": f"chapter-{number}",
        "runs": chapter.runs,
        "set_aside": chapter.set_aside,
        "unequal": unequal_settings(runs, chapter.runs),
        "apart": len(networks) - len(most_common_recipe(networks)),
        "courses": _shown_courses(chapter.courses),
        "over_seeds": chapter.over_seeds,
        "averaged_over": averaged_over(chapter.runs),
        "sections": [_section(one, chapter, number) for one in chapter.made if one.is_made],
        "not_made": _not_made(chapter),
    }


def _not_made(chapter: Chapter) -> dict[str, DataFrame]:
    """By paper: what could not be made, why, and the command that would make its runs."""
    rows: dict[str, list[dict[str, str]]] = {}
    for one in chapter.made:
        if not one.is_made:
            own = {"what": one.exhibit.title, "source": one.exhibit.source, "why not": one.reason}
            own["command that would make its runs"] = one.exhibit.command
            rows.setdefault(one.exhibit.paper, []).append(own)
    return {paper: DataFrame(own) for paper, own in rows.items()}


def _shown_courses(courses: Courses) -> dict[str, str] | None:
    """The picture of the courses of all runs as a data URL, and the setting in its colours."""
    if not courses.pictures:
        return None
    return {"image": image(courses.pictures["png"], "png"), "colour": courses.colour}


def anchor(made: Made, number: int) -> str:
    """The anchor of an exhibit in the page."""
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
    """PNG, or SVG if that was asked for and is smaller."""
    forms = {"svg", "png"} & set(made.pictures)
    form = min(forms, key=lambda form: len(made.pictures[form]))
    return image(made.pictures[form], form)
