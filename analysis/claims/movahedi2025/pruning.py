"""Whether pruning by score beats random pruning: means over seeds, at every share removed."""

from pandas import DataFrame

from analysis.architectures import runs_of
from analysis.claim import Claim, Evidence, Range
from analysis.claim_cells import difference, one_recipe, over_seeds_in
from analysis.settings import setting


def by_score(runs: DataFrame) -> Evidence:
    """Test accuracy in per cent: pruned by score less pruned at random."""
    mine = one_recipe(runs_of(runs, "pruning"))
    mine = mine.assign(
        by=setting(mine, "data.transforms.prune.by"),
        removed=setting(mine, "data.transforms.prune.fraction").astype(float),
        accuracy=100 * mine["test/accuracy"],
    )
    return over_seeds_in(
        mine,
        ["model", "removed"],
        lambda part: difference(part, "by", "accuracy", "score", "random"),
    )


CLAIMS = (
    Claim(
        name="pruning",
        statement="Removing the images of smallest score x^T G_F x / |x|^2 leaves a higher test "
        "accuracy than removing random ones, at every share.",
        source="Movahedi et al. 2025, Tables 1 and 2",
        statistic="test accuracy, per cent: score less random, in every network and share",
        claimed=Range(low=0),
        experiment="movahedi2025/pruning seed=0,1,2",
        decide=by_score,
        published="above 0 throughout",
    ),
)
