"""The networks of Movahedi et al. 2025 in print, and the runs of single experiments of theirs."""

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.names import ordered

NETWORKS = {
    "mlp": "MLP",
    "lenet": "LeNet",
    "small_lenet": "LeNet, smaller",
    "vgg11": "VGG-11",
    "resnet18_small": "ResNet-18",
    "resnet18_plain": "ResNet-18, no norm",
    "vit": "ViT",
    "vit_plain": "ViT, no norm",
    "perceptron": "one hidden layer",
    "linear_convnet": "linear CNN",
}


def printed(model: str) -> str:
    """A network's name in print."""
    return NETWORKS.get(model, model)


def networks_of(runs: DataFrame) -> list[str]:
    """The networks of some runs, in the paper's order."""
    return ordered(runs.model, NETWORKS)


def runs_of(runs: DataFrame, *experiments: str) -> DataFrame:
    """The runs of these experiments of the paper, networks only.

    Raises:
        NotEnoughError: There are none.
    """
    names = [f"movahedi2025/{name}" for name in experiments]
    mine = runs[runs.experiment.isin(names) & (runs.model != "none")].reset_index(drop=True)
    if mine.empty:
        raise NotEnoughError(f"no finished run is of {' or '.join(names)}")
    return mine
