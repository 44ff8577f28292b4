"""Does label sharpness belong in the law? Likelihood of the law with K_F against the one without.

Reading it: log_r > 0 favours the law with K_F (A, Eq. 24) over the one without (B, Eq. 25);
points are those of the loss figure. `log_r` is the published form, variance set to 1;
`log_r_estimated` has each law's own variance and is what AIC and BIC differences (2 log R) rest
on. Both grow with the number of points though these repeat each other, so judge by the interval of
the latter and by `log_r_p`, the p of equal scatter about both laws: both are over data sets, and
there is none with fewer than four of them.
"""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import cells, trained_view
from analysis.laws import SHARPNESS, fit_law, interval_over, left_out
from analysis.names import MODELS, ordered
from analysis.published import published
from metrics.functional.likelihood_ratio import likelihood_ratio

source = "Konz & Mazurowski 2024, Table 2"
requires = ("data/d_mle", SHARPNESS, "test/loss")
experiment = "konz2024/generalization"


def build(runs: DataFrame) -> DataFrame:
    """One row per network; a note where the comparison cannot be made."""
    view = trained_view(runs)
    points = cells(view, list(requires))
    rows = []
    for model in ordered(points.model, MODELS):
        mine = points[points.model == model]
        known = published("log_r", model=model).value
        row = {"model": model, "log_r published": known.item() if len(known) else None}
        row["runs left out"] = left_out(view[view.model == model], list(requires))
        try:
            rows.append(row | _comparison(mine) | {"interval over": interval_over(mine, requires)})
        except ValueError as error:  # too few points, or a law that fits them exactly
            rows.append(row | {"points": len(mine), "note": str(error)})
    if not any("log_r" in row for row in rows):
        raise NotEnoughError("no network has points enough with loss, d and K_F to compare laws")
    return DataFrame(rows)


def _comparison(points: DataFrame) -> dict[str, float]:
    a, b = fit_law(points, "data/d_mle", with_sharpness=True), fit_law(points, "data/d_mle")
    ratio = likelihood_ratio(a, b, groups=list(points.data))
    return ratio.scalars() | {"bic_difference": b.bic() - a.bic()}
