"""Exhibits from a table of runs, and onto disk; failures are reported with their reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.drawing.rendering import ALL_FORMS, FORMS, pictures
from analysis.drawing.style import style
from analysis.exhibits import Exhibit, NotEnoughError
from analysis.printing.names import DATA, data_name, ordered, plain
from analysis.printing.table_files import write_table
from records.atomic import replacing
from records.late_imports import collected_once

STANDIN = "stand-in data"


@dataclass(frozen=True)
class Made:
    """An exhibit that was made, or the reason why not."""

    exhibit: Exhibit
    result: Figure | DataFrame | None = None  # a figure made in another process is not kept
    reason: str = ""
    failed: bool = False  # by a mistake, not because runs are missing
    used: tuple[str, ...] = ()  # keys of the runs that are in it
    pictures: Mapping[str, bytes] = field(default_factory=dict)  # of a figure, by form

    @property
    def is_made(self) -> bool:
        """Whether there is a figure or table to show."""
        return not self.reason

    @property
    def table(self) -> DataFrame | None:
        """The table; None for a figure."""
        return self.result if isinstance(self.result, DataFrame) else None


def make(exhibit: Exhibit, runs: DataFrame, forms: tuple[str, ...] = FORMS) -> Made:
    """Draw or build one exhibit; its stand-in mark is put on here, so that no maker can omit it.

    A figure is rendered here too: what matplotlib cannot set fails then, and not on all.
    """
    runs = exhibit.select(runs)
    try:
        exhibit.check(runs)
        if exhibit.kind == "figures":
            runs = _without_formulas(runs)
        with collected_once(), style():
            return _marked(exhibit, runs, forms)
    except NotEnoughError as error:
        return Made(exhibit, reason=str(error))
    except Exception as error:  # one exhibit's mistake must not cost the others
        return Made(exhibit, reason=f"{type(error).__name__}: {error}", failed=True)


def _marked(exhibit: Exhibit, runs: DataFrame, forms: tuple[str, ...]) -> Made:
    result, used = exhibit.made_of(runs)
    names = ordered(used[used.standin].data, DATA)
    alone = bool(used.standin.all())
    if isinstance(result, Figure):
        mark_standins(result, names, alone)
    elif names and "standin" not in result:
        result = result.assign(**{STANDIN: _standin(result, set(names), alone)})
    drawn = pictures(result, exhibit.name, forms) if isinstance(result, Figure) else {}
    return Made(exhibit, result, used=tuple(used.key), pictures=drawn)


def mark_standins(figure: Figure, names: Sequence[str], alone: bool) -> None:
    """Write on a figure which of its data sets were generated; nothing if none was.

    Where nothing else is in the figure (`alone`), the names are not needed.
    """
    if names:
        listed = "" if alone else ": " + ", ".join(data_name(name) for name in names)
        figure.suptitle(STANDIN + listed, color="crimson", fontsize=10, x=0.99, ha="right")


def _without_formulas(runs: DataFrame) -> DataFrame:
    """Names of one's own as figures may set them."""
    return runs.assign(**{name: runs[name].map(plain) for name in ("data", "model", "domain")})


def write(made: Iterable[Made], folder: Path) -> list[Path]:
    """Figures in the forms they are drawn in, tables as CSV, Markdown and LaTeX, below `folder`."""
    written = []
    for one in made:
        base = folder / one.exhibit.kind / one.exhibit.paper / one.exhibit.name
        written += write_pictures(one.pictures, base)
        if one.table is not None:
            written += write_table(one.table, base, one.exhibit.title)
    return written


def write_pictures(files: Mapping[str, bytes], base: Path) -> list[Path]:
    """Write `<base>.<form>` for every form; returns their paths.

    Other forms, of an earlier report, are removed: they may show other runs. No files, no change.
    """
    for form in set(ALL_FORMS) - set(files) if files else ():
        base.with_suffix(f".{form}").unlink(missing_ok=True)
    for form, content in files.items():
        with replacing(base.with_suffix(f".{form}")) as temporary:
            temporary.write_bytes(content)
    return [base.with_suffix(f".{form}") for form in files]


def _standin(table: DataFrame, names: set[str], alone: bool) -> list[str]:
    """Per row: whether its data set, or for rows over many data sets any, was generated."""
    if "data" in table:
        return ["yes" if name in names else "" for name in table.data]
    return ["yes" if alone else "in part"] * len(table)
