"""Does label sharpness belong in the law? Likelihood of the law with K_F against the one without.

Reading it: log_r > 0 favours the law with K_F (A, Eq. 24) over the one without (B, Eq. 25);
points are those of the loss figure. `log_r` is the published form, variance set to 1;
`log_r_estimated` has each law's own variance and is what AIC and BIC differences (2 log R) rest
on. Both grow with the number of points though these repeat each other, so judge by the intervals,
which resample data sets, by `support`, the share of resamples in which A wins, and by Vuong's p
over data sets.
"""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import cells, main_view, trained
from analysis.laws import SHARPNESS, fit_law, groups, resampled
from analysis.names import MODELS, ordered
from analysis.published import published
from metrics.functional.likelihood_ratio import likelihood_ratio

source = "Konz & Mazurowski 2024, Table 2"
requires = ("data/d_mle", SHARPNESS, "test/loss")
experiment = "konz2024/generalization"
LEAST = 3  # points: two are fitted exactly by differences of one parameter


def build(runs: DataFrame) -> DataFrame:
    """One row per network."""
    points = cells(trained(main_view(runs)), list(requires))
    rows = []
    for model in ordered(points.model, MODELS):
        mine = points[points.model == model]
        if len(mine) < LEAST:
            continue
        a, b = fit_law(mine, "data/d_mle", with_sharpness=True), fit_law(mine, "data/d_mle")
        ratio = likelihood_ratio(a, b, groups=groups(mine)).scalars()
        known = published("log_r", model=model).value
        rows.append(
            {"model": model, "log_r published": known.item() if len(known) else None}
            | ratio
            | {"bic_difference": b.bic() - a.bic(), "resampled": resampled(mine)}
        )
    if not rows:
        raise NotEnoughError(f"no network has {LEAST} points with loss, d and K_F")
    return DataFrame(rows)
