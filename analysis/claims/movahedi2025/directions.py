"""What networks learn along strong and along weak directions of G_F: means over seeds."""

from functools import partial

from pandas import DataFrame, Series

from analysis.architectures import runs_of
from analysis.claim import Claim, Evidence, Range
from analysis.claim_cells import difference, first_less_last, one_recipe, over_seeds_in
from analysis.direction_curves import with_directions
from analysis.exhibits import NotEnoughError
from analysis.settings import setting

ACCURACY = "test/accuracy"
FLAT = 0.05  # of accuracy: no difference that the figures would show
INVARIANT = "mlp"  # its G_F is a multiple of the identity: no direction is stronger


def networks(runs: DataFrame, invariant: bool) -> DataFrame:
    """The MLP, or the networks whose G_F has strong and weak directions.

    Raises:
        NotEnoughError: There is none.
    """
    mine = runs[(runs.model == INVARIANT) == invariant].reset_index(drop=True)
    if mine.empty:
        raise NotEnoughError("no run is of " + ("an MLP" if invariant else "any but an MLP"))
    return mine


def plane(runs: DataFrame, invariant: bool) -> Evidence:
    """Accuracy on the plane of two strong directions less that with a weak one."""
    mine = one_recipe(networks(runs_of(runs, "plane"), invariant))
    mine = mine.assign(u2=setting(mine, "data.law.u2").astype(int))
    return over_seeds_in(mine, ["model"], lambda part: difference(part, "u2", ACCURACY, 1, -1))


def along(runs: DataFrame, experiments: tuple[str, ...], where: str, invariant: bool) -> Evidence:
    """Accuracy for labels along the first direction less that along the last, in every cell."""
    mine = with_directions(networks(runs_of(runs, *experiments), invariant), where)
    return over_seeds_in(
        one_recipe(mine),
        ["model", "data", "kind"],
        lambda part: first_less_last(part, "direction", ACCURACY),
    )


def crossover(runs: DataFrame) -> Evidence:
    """How much more the line is used than the circles: on a strong direction less on a weak one."""
    mine = networks(runs_of(runs, "simplicity", "simplicity_resnet"), invariant=False)
    names = [f"{ACCURACY}@linear", f"{ACCURACY}@nonlinear"]
    if not set(names) <= set(mine.columns):
        raise NotEnoughError(f"no finished run has {', '.join(names)}")
    mine = one_recipe(mine).dropna(subset=names)
    mine = mine.assign(
        u1=setting(mine, "data.law.u1").astype(int), use=mine[names[0]] - mine[names[1]]
    )
    return over_seeds_in(mine, ["model"], lambda part: first_less_last(part, "u1", "use"))


def elimination(runs: DataFrame) -> Evidence:
    """Accuracy without directions that G_F does not see less that without random ones."""
    mine = one_recipe(runs_of(runs, "elimination"))
    mine = mine.assign(
        which=setting(mine, "data.transforms.remove.which"),
        removed=setting(mine, "data.transforms.remove.count").astype(int),
    )
    mine = mine[mine.removed > 0]

    def gain(part: DataFrame) -> Series:
        """Mean over the numbers removed that have both, by seed."""
        each = [
            difference(some, "which", ACCURACY, "geometry", "random")
            for _, some in part.groupby("removed")
        ]
        table = DataFrame({place: values for place, values in enumerate(each) if len(values)})
        return table.dropna().mean(axis=1) if table.size else Series(dtype=float)

    return over_seeds_in(mine, ["model"], gain)


CLAIMS = (
    Claim(
        name="plane_strong",
        statement="A network with pooling learns circles on two strong directions of G_F, and not "
        "where one of the two is weak.",
        source="Movahedi et al. 2025, Fig. 1",
        statistic="test accuracy: strong plane less weak plane, in every network but the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/plane",
        decide=partial(plane, invariant=False),
    ),
    Claim(
        name="plane_mlp",
        statement="An MLP, whose G_F is a multiple of I, learns both planes alike.",
        source="Movahedi et al. 2025, Sec. 2 and Fig. 9",
        statistic="test accuracy: strong plane less weak plane, MLP; alike means within 0.05",
        claimed=Range(-FLAT, FLAT),
        experiment="movahedi2025/plane",
        decide=partial(plane, invariant=True),
    ),
    Claim(
        name="directions_of_images",
        statement="Test accuracy falls with the index of the eigenvector of G_F S G_F that labels "
        "the images.",
        source="Movahedi et al. 2025, Fig. 4",
        statistic="test accuracy: first less last direction, in every network and kind of label",
        claimed=Range(low=0),
        experiment="movahedi2025/directions seed=0,1,2",
        decide=partial(along, experiments=("directions",), where="task", invariant=False),
    ),
    Claim(
        name="directions_of_noise",
        statement="On isotropic data, accuracy falls with the index of the eigenvector of G_F.",
        source="Movahedi et al. 2025, Fig. 10",
        statistic="test accuracy: first less last direction, in every network but the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/isotropic seed=0,1,2",
        decide=partial(
            along, experiments=("isotropic", "isotropic_deep"), where="data.law", invariant=False
        ),
    ),
    Claim(
        name="directions_of_noise_mlp",
        statement="For an MLP the test accuracy is the same along every direction.",
        source="Movahedi et al. 2025, Fig. 10",
        statistic="test accuracy: first less last direction, MLP; the same means within 0.05",
        claimed=Range(-FLAT, FLAT),
        experiment="movahedi2025/isotropic seed=0,1,2",
        decide=partial(along, experiments=("isotropic",), where="data.law", invariant=True),
    ),
    Claim(
        name="simplicity",
        statement="A line is used instead of circles where it lies on a strong direction of G_F, "
        "and less where it lies on a weak one.",
        source="Movahedi et al. 2025, Fig. 5",
        statistic="accuracy by the line less by the circles: first less last direction, in every "
        "network but the MLP",
        claimed=Range(low=0),
        experiment="movahedi2025/simplicity seed=0,1,2",
        decide=crossover,
    ),
    Claim(
        name="elimination",
        statement="Removing directions of high variance that G_F does not see costs less accuracy "
        "than removing random ones of equal variance.",
        source="Movahedi et al. 2025, Fig. 6",
        statistic="test accuracy: unseen removed less random removed, mean over their numbers, in "
        "every network",
        claimed=Range(low=0),
        experiment="movahedi2025/elimination seed=0,1,2",
        decide=elimination,
    ),
)
