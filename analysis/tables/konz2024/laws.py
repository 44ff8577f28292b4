"""The scaling laws, fitted for every network.

Reading it: A is log L = -log(n)/d + log K_F + a, B the same without K_F, both with d of the data;
`repr` is B with d of the representation. Only the intercept is fitted; `deviation` 0.7 means that
single points lie a factor of two from the law. AIC and BIC compare the laws of one network, lower
is better, where `points` agree. a depends on the unit of K_F: compare at equal image size only.
"""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import cells, trained_view
from analysis.laws import SHARPNESS, fit_law, interval_over, left_out
from analysis.names import MODELS, ordered

source = "Konz & Mazurowski 2024, Eqs. 2 and 4"
requires = ("data/d_mle", "test/loss")
experiment = "konz2024/generalization"
# name: dimension, with sharpness
LAWS = {
    "A": ("data/d_mle", True),
    "B": ("data/d_mle", False),
    "repr (TwoNN)": ("train/d_repr_twonn", False),
    "repr (MLE)": ("train/d_repr_mle", False),
}


def build(runs: DataFrame) -> DataFrame:
    """One row per network and law; a note where there is nothing to fit."""
    view = trained_view(runs)
    rows = []
    for model in ordered(view.model, MODELS):
        for law, (dimension, sharp) in LAWS.items():
            columns = ["test/loss", dimension, *([SHARPNESS] if sharp else [])]
            if not set(columns) <= set(view.columns):
                continue
            runs_of = view[view.model == model]
            mine = cells(runs_of, columns)
            if len(mine) < 2:
                continue
            row = {"model": model, "law": law, "runs left out": left_out(runs_of, columns)}
            try:
                fit = fit_law(mine, dimension, sharp).scalars()
                rows.append(row | fit | {"interval over": interval_over(mine, columns)})
            except ValueError as error:  # losses of 0
                rows.append(row | {"points": 0, "note": str(error)})
    if not any("intercept" in row for row in rows):
        raise NotEnoughError("no network has 2 points with loss and dimension")
    return DataFrame(rows)
