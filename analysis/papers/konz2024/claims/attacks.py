"""Whether the FGSM penalty follows K_F: over all data sets, and within each domain."""

from pandas import DataFrame

from analysis.claim import Evidence
from analysis.papers.konz2024.claims.law import by_network
from analysis.statistics.laws import SHARPNESS, tensors
from metrics.functional.correlation import correlation
from metrics.functional.estimate import Estimate

PENALTY = "test/fgsm_loss_penalty@2"


def follows(runs: DataFrame, domain: str = "") -> Evidence:
    """Pearson's r over the points of every network, of all domains or of one."""
    own = runs[runs.domain == domain] if domain else runs
    return by_network(own, [SHARPNESS, PENALTY], _r)


def _r(points: DataFrame, confidence: float) -> Estimate:
    x, y = tensors(points, SHARPNESS, PENALTY)
    return correlation(x, y, list(points.data), confidence=confidence).pooled
