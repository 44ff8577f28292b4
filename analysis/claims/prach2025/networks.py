"""What certificates need: strong components, and a loss that asks for margins."""

from functools import partial

from pandas import DataFrame, Series

from analysis.claim import Claim, Evidence, Range
from analysis.claim_cells import by_level, over_seeds_in
from analysis.components import ACCURATE, ROBUST, component_runs
from analysis.exhibits import NotEnoughError
from analysis.log_lines import CRA, of_experiment
from analysis.settings import setting

HALF, GOOD = 0.5, 0.95


def weak_components(runs: DataFrame, model: str, quantity: str) -> Evidence:
    """A quantity on the components after the strong ones over that on all, by seed."""
    mine = component_runs(runs, "components")
    column = f"test/{quantity}"
    if column not in mine:
        raise NotEnoughError(f"no finished run has {column}")
    mine = mine[mine.model.str.removesuffix("_small") == model]
    kind = [
        "all" if keep == [[0, total]] else "weak" if len(keep) == 1 and keep[0][0] > 0 else "other"
        for keep, total in zip(mine.keep, mine.total, strict=True)
    ]
    first = [keep[0][0] for keep in mine.keep]
    mine = mine.assign(kind=kind, first=first)
    weak = mine[mine.kind == "weak"]
    largest = weak["first"] == weak.groupby("data")["first"].transform("min")
    mine = mine[mine.index.isin(weak[largest].index) | (mine.kind == "all")]

    def ratio(part: DataFrame) -> Series:
        table = by_level(part, "kind", column)
        if not {"weak", "all"} <= set(table):
            return Series(dtype=float)
        return (table["weak"] / table["all"])[table["all"] > 0]

    return over_seeds_in(mine, ["model", "data", "augmented"], ratio)


def best_of_both(runs: DataFrame) -> Evidence:
    """The t that is best at its worse half: accuracy and CRA, each over the best of any t."""
    mine = of_experiment(runs, "tradeoff")
    names = ["test/accuracy", f"test/{CRA}"]
    if not set(names) <= set(mine.columns):
        raise NotEnoughError(f"no finished run has {', '.join(names)}")
    mine = mine.assign(t=setting(mine, "loss.t")).dropna(subset=["t", *names])
    mine = mine.astype({"t": float})

    def both(part: DataFrame) -> Series:
        shares = [
            table.div(table.max(axis=1), axis=0)
            for table in (by_level(part, "t", n) for n in names)
        ]
        worse = shares[0].where(shares[0] < shares[1], shares[1])
        return worse.max(axis=1) if worse.shape[1] > 2 else Series(dtype=float)

    return over_seeds_in(mine, ["model", "data", "n", "size"], both)


CLAIMS = (
    Claim(
        name="weak_components_accuracy",
        statement="The components of little variance suffice for most of the accuracy.",
        source="Prach & Lampert 2025, Table 1: 85 of 94 per cent on 2 per cent of the variance",
        statistic="test accuracy: weak components over all; most means above a half",
        claimed=Range(low=HALF),
        experiment="prach2025/components seed=0,1,2",
        decide=partial(weak_components, model=ACCURATE, quantity="accuracy"),
        published="0.90",
    ),
    Claim(
        name="weak_components_cra",
        statement="The components of little variance do not suffice for certificates.",
        source="Prach & Lampert 2025, Table 1: 9 of 62 per cent",
        statistic="CRA at 36/255: weak components over all; not means below a half",
        claimed=Range(high=HALF),
        experiment="prach2025/components seed=0,1,2",
        decide=partial(weak_components, model=ROBUST, quantity=CRA),
        published="0.15",
    ),
    Claim(
        name="no_t_is_good_at_both",
        statement="No t of the loss makes one network both accurate and robust.",
        source="Prach & Lampert 2025, Fig. 11, Table 3",
        statistic="smaller share of the best accuracy and of the best CRA, at the best t; good "
        "means 0.95",
        claimed=Range(high=GOOD),
        experiment="prach2025/tradeoff seed=0,1,2",
        decide=best_of_both,
        published="0.82 at t = 0.1",
    ),
)
