"""Exhibits from a table of runs, and onto disk; what cannot be made says why."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import Exhibit, NotEnoughError
from analysis.marks import STANDIN, mark_standins, standins_in
from analysis.names import plain
from analysis.typeset import to_markdown
from records.atomic import replacing, write_text


@dataclass(frozen=True)
class Made:
    """An exhibit that was made, or the reason why not."""

    exhibit: Exhibit
    result: Figure | DataFrame | None = None
    reason: str = ""
    failed: bool = False  # not for want of runs, but by a mistake

    @cached_property
    def pictures(self) -> dict[str, bytes]:
        """The figure as PNG and SVG; the same table gives the same bytes."""
        assert isinstance(self.result, Figure)
        return pictures(self.result, self.exhibit.name)


def pictures(figure: Figure, name: str) -> dict[str, bytes]:
    """A figure as PNG and SVG; `name` salts the ids, so that equal figures are equal bytes."""
    files = {}
    for form, metadata in (("png", None), ("svg", {"Date": None})):
        buffer = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": name}):
            figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
        figure.set_layout_engine(None)  # the second form keeps the layout of the first
        files[form] = buffer.getvalue()
    return files


def make(exhibit: Exhibit, runs: DataFrame) -> Made:
    """Draw or build one exhibit; its stand-in mark is put on here, so that none forgets it.

    A figure is rendered here too: what matplotlib cannot set fails then, and not on all.
    """
    runs = exhibit.select(runs)
    try:
        exhibit.check(runs)
        if exhibit.kind == "figures":
            runs = _without_formulas(runs)
        return _marked(exhibit, exhibit.make(runs), runs)
    except NotEnoughError as error:
        return Made(exhibit, reason=str(error))
    except Exception as error:  # one exhibit's mistake must not cost the others
        return Made(exhibit, reason=f"{type(error).__name__}: {error}", failed=True)


def _marked(exhibit: Exhibit, result: Figure | DataFrame, runs: DataFrame) -> Made:
    names = standins_in(result, exhibit.make, runs) if runs.standin.any() else []
    if isinstance(result, Figure):
        mark_standins(result, names, alone=bool(runs.standin.all()))
    elif names and "standin" not in result:
        result = result.assign(**{STANDIN: _standin(result, set(names), set(runs.data))})
    made = Made(exhibit, result)
    if isinstance(result, Figure):
        _ = made.pictures
    return made


def _without_formulas(runs: DataFrame) -> DataFrame:
    """Names of one's own as figures may set them."""
    return runs.assign(**{name: runs[name].map(plain) for name in ("data", "model")})


def write(made: Iterable[Made], folder: Path) -> list[Path]:
    """Figures as PNG and SVG, tables as CSV and Markdown, below `folder`."""
    written = []
    for one in made:
        base = folder / one.exhibit.kind / one.exhibit.paper / one.exhibit.name
        if isinstance(one.result, Figure):
            for form, content in one.pictures.items():
                with replacing(base.with_suffix(f".{form}")) as temporary:
                    temporary.write_bytes(content)
                written.append(base.with_suffix(f".{form}"))
        elif one.result is not None:
            write_text(base.with_suffix(".csv"), one.result.to_csv(index=False))
            write_text(base.with_suffix(".md"), to_markdown(one.result))
            written += [base.with_suffix(".csv"), base.with_suffix(".md")]
    return written


def _standin(table: DataFrame, names: set[str], among: set[str]) -> list[str]:
    """Per row: whether its data set, or for rows over many data sets any, was generated."""
    if "data" in table:
        return ["yes" if name in names else "" for name in table.data]
    return ["yes" if names == among else "in part"] * len(table)
