"""What certificates need: strong components, and a loss that rewards margins."""

from pandas import DataFrame, Series

from analysis.claim import SEEDS, Center, Evidence
from analysis.claim_cells import at_common_levels, by_level, over_seeds_in
from analysis.exhibits import need_columns
from analysis.papers.prach2025.components import component_runs
from analysis.papers.prach2025.tradeoff import CELL, COLUMNS, tradeoff_runs
from analysis.statistics.grid import one_recipe


def weak_components(
    runs: DataFrame, model: str, quantity: str, center: Center = "mean"
) -> Evidence:
    """A quantity on the components after the strong ones over that on all, by seed."""
    mine = component_runs(runs, "components")
    column = f"test/{quantity}"
    need_columns(mine, [column])
    mine = mine[mine.model.str.removesuffix("_small") == model].dropna(subset=[column])
    kind = [
        "all" if keep == [[0, total]] else "weak" if len(keep) == 1 and keep[0][0] > 0 else "other"
        for keep, total in zip(mine.keep, mine.total, strict=True)
    ]
    mine = mine.assign(kind=kind, start=[keep[0][0] for keep in mine.keep])
    mine = mine[mine.kind != "other"]
    mine = one_recipe(mine, swept=["augmented"], compared="kind", least=SEEDS[center])
    most = mine[mine.kind == "weak"].groupby("data").start.min()
    mine = mine[(mine.kind == "all") | (mine.start == mine.data.map(most))]

    def ratio(part: DataFrame) -> Series:
        table = by_level(part, "kind", column)
        if not {"weak", "all"} <= set(table):
            return Series(dtype=float)
        return (table["weak"] / table["all"])[table["all"] > 0]

    return over_seeds_in(mine, ["model", "data", "augmented"], ratio, center=center)


def best_of_both(runs: DataFrame) -> Evidence:
    """Largest over t of the smaller of accuracy and CRA, each divided by its best over all t."""

    def both(part: DataFrame) -> Series:
        shares = [
            table.div(table.max(axis=1), axis=0)
            for table in (
                at_common_levels(by_level(part, "t", name)).dropna() for name in COLUMNS.values()
            )
        ]
        worse = shares[0].where(shares[0] < shares[1], shares[1])
        return worse.max(axis=1) if worse.shape[1] > 2 else Series(dtype=float)

    return over_seeds_in(tradeoff_runs(runs), CELL[:-1], both)
