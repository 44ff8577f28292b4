"""Figures and tables, found by the files they are in."""

import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from matplotlib.figure import Figure
from pandas import DataFrame

Kind = Literal["figures", "tables"]
# From finished runs to the figure or table, optionally with the rows that are in it.
Maker = Callable[[DataFrame], Figure | DataFrame | tuple[Figure | DataFrame, DataFrame]]
HERE = Path(__file__).parent
MAKERS = {"figures": "draw", "tables": "build"}


class NotEnoughError(ValueError):
    """The runs do not suffice for a figure or table; with the reason."""


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper: what it shows, what it needs and how it is made.

    One with code of its own is a module in the folder of its paper: its name is the module's, its
    title the first line of the docstring, how to read it the rest. The others are listed in that
    folder's `__init__`. `source` says where it is in the paper, `requires` names the columns
    without which it cannot be made, `experiment` the runs that fill them.
    """

    name: str
    paper: str
    kind: Kind
    title: str
    reading: str
    source: str
    requires: tuple[str, ...]
    experiment: str
    maker: Maker

    def make(self, runs: DataFrame) -> Figure | DataFrame:
        """The figure or table itself."""
        return self.made_of(runs)[0]

    def made_of(self, runs: DataFrame) -> tuple[Figure | DataFrame, DataFrame]:
        """The figure or table, and the runs that are in it.

        A maker that does not say which it used is taken to have used all that have what it needs.
        """
        result = self.maker(runs)
        if isinstance(result, tuple):
            return result
        return result, runs.dropna(subset=list(self.requires))

    @property
    def command(self) -> str:
        """What would make the runs it needs."""
        return f"python launch.py -m experiment={self.experiment}"

    def select(self, runs: DataFrame) -> DataFrame:
        """Without the runs that were made for another paper: their settings differ."""
        others = set(papers()) - {self.paper}
        foreign = [name for name in runs.experiment.unique() if name.partition("/")[0] in others]
        return runs[~runs.experiment.isin(foreign)].reset_index(drop=True) if foreign else runs

    def needs_met(self, runs: DataFrame) -> bool:
        """Whether the runs have the columns it needs; it may still need more of them."""
        try:
            self.check(self.select(runs))
        except NotEnoughError:
            return False
        return True

    def check(self, runs: DataFrame) -> None:
        """Raise NotEnoughError if a required column is not there or empty."""
        lacking = [c for c in self.requires if c not in runs or runs[c].isna().all()]
        if lacking:
            raise NotEnoughError(f"no finished run has {', '.join(lacking)}")


def papers() -> list[str]:
    """The papers that have exhibits: the folders below `analysis/figures`.

    >>> "konz2024" in papers()
    True
    """
    return sorted(module.name for module in pkgutil.iter_modules([str(HERE / "figures")]))


def discover(kind: Kind, paper: str | None = None) -> list[Exhibit]:
    """All exhibits of a kind, of one paper or of all, in the papers' order.

    >>> [figure.name for figure in discover("figures", "konz2024")][:2]
    ['props', 'gen_ddata']
    """
    found = []
    for one in [paper] if paper else papers():
        modules = [module.name for module in pkgutil.iter_modules([str(HERE / kind / one)])]
        names = [*_listed(kind, one), *modules]
        found += sorted((load(kind, one, name) for name in names), key=_place)
    return found


def load(kind: Kind, paper: str, name: str) -> Exhibit:
    """The exhibit listed in `analysis/<kind>/<paper>/__init__.py`, or else `<name>.py` beside."""
    if listed := _listed(kind, paper).get(name):
        return listed
    module = importlib.import_module(f"analysis.{kind}.{paper}.{name}")
    title, _, reading = (module.__doc__ or "").strip().partition("\n")
    return Exhibit(
        name=name,
        paper=paper,
        kind=kind,
        title=title.removesuffix("."),
        reading=" ".join(reading.split()),
        source=module.source,
        requires=tuple(module.requires),
        experiment=module.experiment,
        maker=getattr(module, MAKERS[kind]),
    )


def _listed(kind: Kind, paper: str) -> dict[str, Exhibit]:
    """Those without code of their own: plain data in the package of their paper."""
    package = importlib.import_module(f"analysis.{kind}.{paper}")
    return {exhibit.name: exhibit for exhibit in getattr(package, "EXHIBITS", ())}


def _place(exhibit: Exhibit) -> tuple[int, str]:
    """By the number of the figure or table; those of our own come last."""
    found = re.search(r"(?:Figs?\.|Tables?) (\d+)", exhibit.source)
    return (int(found[1]) if found else 1000, exhibit.name)
