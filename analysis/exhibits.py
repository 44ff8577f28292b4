"""Figures and tables: `papers/<paper>/exhibits.toml` lists them and names their functions."""

import importlib
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from matplotlib.figure import Figure
from pandas import DataFrame

Kind = Literal["figures", "tables"]
# From finished runs to the figure or table, optionally with the rows that are in it.
Maker = Callable[[DataFrame], Figure | DataFrame | tuple[Figure | DataFrame, DataFrame]]
PAPERS = Path(__file__).parent / "papers"


class NotEnoughError(ValueError):
    """The runs do not suffice for a figure, table or claim, with the reason.

    Every maker and every function that decides a claim may raise it.
    """


def need_columns(runs: DataFrame, columns: Iterable[str]) -> None:
    """Raise NotEnoughError if a column is not there or empty."""
    if lacking := [name for name in columns if name not in runs or runs[name].isna().all()]:
        raise NotEnoughError(f"no finished run has {', '.join(lacking)}")


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper: what it shows, what it needs and how it is made.

    `source` says where it is in the paper, `requires` names the columns without which it cannot be
    made, `experiment` the runs that fill them, `maker` the function that makes it.
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
        need_columns(runs, self.requires)


def papers() -> list[str]:
    """The papers that have exhibits.

    >>> "konz2024" in papers()
    True
    """
    return sorted(file.parent.name for file in PAPERS.glob("*/exhibits.toml"))


def discover(kind: Kind, paper: str | None = None) -> list[Exhibit]:
    """All exhibits of a kind, of one paper or of all, in the papers' order.

    >>> [figure.name for figure in discover("figures", "konz2024")][:2]
    ['props', 'gen_ddata']
    """
    wanted = [paper] if paper else papers()
    return [load(kind, one, name) for one in wanted for name in listed(one)[kind]]


def load(kind: Kind, paper: str, name: str) -> Exhibit:
    """The exhibit listed under this name."""
    fields = listed(paper)[kind][name]
    reading = " ".join(fields["reading"].split())
    maker = deferred(fields["maker"], fields.get("options", {}))
    texts = {key: fields[key] for key in ("title", "source", "experiment")}
    requires = tuple(fields["requires"])
    return Exhibit(name, paper, kind, reading=reading, requires=requires, maker=maker, **texts)


def deferred(path: str, options: dict[str, Any]) -> Callable[[DataFrame], Any]:
    """The function of that dotted name with its options; imported when it is first called."""
    return partial(_call, path, options)


def _call(path: str, options: dict[str, Any], runs: DataFrame) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)(runs, **options)


@cache
def listed(paper: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The file of a paper: its figures, tables and claims by name."""
    return tomllib.loads((PAPERS / paper / "exhibits.toml").read_text(encoding="utf-8"))
