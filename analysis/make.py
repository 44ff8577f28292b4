"""Exhibits from a table of runs, and onto disk; failures are reported with their reason."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import Exhibit, NotEnoughError
from analysis.names import DATA, ordered, plain
from analysis.style import style
from analysis.typeset import to_markdown
from records.atomic import replacing, write_text

STANDIN = "stand-in data"


@dataclass(frozen=True)
class Made:
    """An exhibit that was made, or the reason why not."""

    exhibit: Exhibit
    result: Figure | DataFrame | None = None
    reason: str = ""
    failed: bool = False  # by a mistake, not because runs are missing
    used: tuple[str, ...] = ()  # keys of the runs that are in it

    @cached_property
    def pictures(self) -> dict[str, bytes]:
        """The figure as PNG and SVG; the same table gives the same bytes."""
        assert isinstance(self.result, Figure)
        return pictures(self.result, self.exhibit.name)


def pictures(figure: Figure, name: str) -> dict[str, bytes]:
    """A figure as PNG and SVG; `name` salts the ids, so that equal figures are equal bytes."""
    files = {}
    with style(name):
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")  # or each form would draw twice to lay out again
        for form, metadata in (("png", None), ("svg", {"Date": None})):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
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
        with style():
            return _marked(exhibit, runs)
    except NotEnoughError as error:
        return Made(exhibit, reason=str(error))
    except Exception as error:  # one exhibit's mistake must not cost the others
        return Made(exhibit, reason=f"{type(error).__name__}: {error}", failed=True)


def _marked(exhibit: Exhibit, runs: DataFrame) -> Made:
    result, used = exhibit.made_of(runs)
    names = ordered(used[used.standin].data, DATA)
    alone = bool(used.standin.all())
    if isinstance(result, Figure):
        mark_standins(result, names, alone)
    elif names and "standin" not in result:
        result = result.assign(**{STANDIN: _standin(result, set(names), alone)})
    made = Made(exhibit, result, used=tuple(used.key))
    if isinstance(result, Figure):
        _ = made.pictures
    return made


def mark_standins(figure: Figure, names: Sequence[str], alone: bool) -> None:
    """Write on a figure which of its data sets were generated; nothing if none was.

    Args:
        figure: gets the mark.
        names: of the data sets.
        alone: nothing else is in the figure; then the names are not needed.
    """
    if names:
        listed = "" if alone else ": " + ", ".join(DATA.get(name, name) for name in names)
        figure.suptitle(STANDIN + listed, color="crimson", fontsize=10, x=0.99, ha="right")


def _without_formulas(runs: DataFrame) -> DataFrame:
    """Names of one's own as figures may set them."""
    return runs.assign(**{name: runs[name].map(plain) for name in ("data", "model", "domain")})


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


def _standin(table: DataFrame, names: set[str], alone: bool) -> list[str]:
    """Per row: whether its data set, or for rows over many data sets any, was generated."""
    if "data" in table:
        return ["yes" if name in names else "" for name in table.data]
    return ["yes" if alone else "in part"] * len(table)
