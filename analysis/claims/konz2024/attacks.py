"""Whether the FGSM penalty follows K_F: over all data sets, and within each domain."""

from functools import partial

from pandas import DataFrame

from analysis.claim import Claim, Evidence, Range
from analysis.claims.konz2024.law import by_network
from analysis.laws import SHARPNESS, tensors
from metrics.functional.correlation import correlation
from metrics.functional.estimate import Estimate

PENALTY = "test/fgsm_loss_penalty@2"
STATISTIC = "r of the FGSM loss penalty at 2/255 and K_F over data sets and n, in every network"


def follows(runs: DataFrame, domain: str = "") -> Evidence:
    """Pearson's r over the points of every network, of all domains or of one."""
    own = runs[runs.domain == domain] if domain else runs
    return by_network(own, [SHARPNESS, PENALTY], _r)


def _r(points: DataFrame, confidence: float) -> Estimate:
    x, y = tensors(points, SHARPNESS, PENALTY)
    return correlation(x, y, list(points.data), confidence=confidence).pooled


CLAIMS = (
    Claim(
        name="penalty_follows_k_f",
        statement="Over all data sets, the penalty of an attack grows with label sharpness K_F.",
        source="Konz & Mazurowski 2024, Table 1, Fig. 3",
        statistic=STATISTIC,
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=follows,
        published="0.37 to 0.70",
    ),
    Claim(
        name="penalty_within_medical",
        statement="Within medical images, the penalty of an attack grows with K_F.",
        source="Konz & Mazurowski 2024, Table 6",
        statistic=STATISTIC.replace("data sets", "medical sets"),
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=partial(follows, domain="medical"),
    ),
    Claim(
        name="penalty_within_natural",
        statement="Within natural images, the penalty of an attack falls with K_F.",
        source="Konz & Mazurowski 2024, Table 7: every r is negative",
        statistic=STATISTIC.replace("data sets", "natural sets"),
        claimed=Range(high=0),
        experiment="konz2024/real_sets",
        decide=partial(follows, domain="natural"),
        published="negative in all six networks",
    ),
)
