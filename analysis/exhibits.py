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
HERE = Path(__file__).parent
MAKERS = {"figures": "draw", "tables": "build"}


class NotEnoughError(ValueError):
    """The runs that are there do not suffice for a figure or table; the message says for what."""


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper: what it shows, what it needs and how it is made.

    Each is one module, in the folder of its paper. Its name is the module's, its title the first
    line of the docstring, how to read it the rest; `source` says where it is in the paper,
    `requires` names the columns without which it cannot be made, `experiment` the runs that fill
    them.
    """

    name: str
    paper: str
    kind: Kind
    title: str
    reading: str
    source: str
    requires: tuple[str, ...]
    experiment: str
    make: Callable[[DataFrame], Figure | DataFrame]

    @property
    def command(self) -> str:
        """What would make the runs it needs."""
        return f"python launch.py -m experiment={self.experiment}"

    def select(self, runs: DataFrame) -> DataFrame:
        """Without the runs that were made for another paper: their settings differ."""
        others = set(papers()) - {self.paper}
        foreign = runs.experiment.str.split("/").str[0].isin(others)
        return runs[~foreign].reset_index(drop=True)

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
        names = [module.name for module in pkgutil.iter_modules([str(HERE / kind / one)])]
        found += sorted((load(kind, one, name) for name in names), key=_place)
    return found


def load(kind: Kind, paper: str, name: str) -> Exhibit:
    """The exhibit in `analysis/<kind>/<paper>/<name>.py`."""
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
        make=getattr(module, MAKERS[kind]),
    )


def _place(exhibit: Exhibit) -> tuple[int, str]:
    """By the number of the figure or table; those of our own come last."""
    found = re.search(r"(?:Figs?\.|Tables?) (\d+)", exhibit.source)
    return (int(found[1]) if found else 1000, exhibit.name)
