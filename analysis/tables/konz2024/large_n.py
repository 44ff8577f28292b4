"""Test loss at a much larger training set.

Reading it: the law expects the ratio of losses `expected` = (n1/n2)^(1/d). Published ratios are
0.11 to 0.90 where d = 16 expects 0.87: real losses fall faster than the law says.
"""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import VIEW, most_common_recipe, trained
from analysis.names import MODELS, ordered
from analysis.published import published

source = "Konz & Mazurowski 2024, Tables 4 and 5"
requires = ("test/loss",)
experiment = "konz2024/large_n"
LEAST = 4  # times more images; the main grid spans 3.5


def build(runs: DataFrame) -> DataFrame:
    """One row per network, data set and n, against the data set's largest n; means over seeds."""
    usable = most_common_recipe(trained(runs).dropna(subset=list(requires)))
    order = {model: place for place, model in enumerate(ordered(usable.model, MODELS))}
    rows = []
    for names, part in usable.groupby(["data", "model", *VIEW], dropna=False):
        large = int(part.n.max())
        for small in sorted(n for n in part.n.unique() if LEAST * n <= large):
            row = dict(zip(("data", "model", *VIEW), names, strict=True))
            for n, place in ((int(small), "small"), (large, "large")):
                known = published("test/loss", data=names[0], model=names[1], n=n).value
                row[f"n {place}"] = n
                row[f"loss {place}"] = part.loc[part.n == n, "test/loss"].mean()
                row[f"loss {place} published"] = known.iloc[0] if len(known) else None
            row["ratio"] = row["loss large"] / row["loss small"]
            if "data/d_mle" in part:
                row["expected"] = (small / large) ** (1 / part["data/d_mle"].mean())
            del row["images"]  # distinguishes rows, but is long
            rows.append(row)
    if not rows:
        raise NotEnoughError(f"no data set was trained on at two sizes n a factor {LEAST} apart")
    table = DataFrame(rows)
    return table.sort_values("model", key=lambda names: names.map(order)).reset_index(drop=True)
