"""Whether pruning by score beats random pruning, at every share removed and kind of labels."""

from pandas import DataFrame

from analysis.claim import Evidence
from analysis.claim_cells import difference, over_seeds_in
from analysis.papers.movahedi2025.claims.directions import CELL
from analysis.papers.movahedi2025.experiments import runs_of
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe


def by_score(runs: DataFrame) -> Evidence:
    """Test accuracy in per cent: pruned by score less pruned at random."""
    mine = runs_of(runs, "pruning")
    mine = mine.assign(
        by=setting(mine, "data.transforms.prune.by"),
        removed=setting(mine, "data.transforms.prune.fraction").astype(float),
    )
    mine = one_recipe(mine, swept=["task"], compared="by")
    return over_seeds_in(
        mine,
        [*CELL, "task", "removed"],
        lambda part: 100 * difference(part, "by", "test/accuracy", "score", "random"),
    )
