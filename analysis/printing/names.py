"""What models, data sets and domains are called in print, in which order, and in which colour."""

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex
from pandas import DataFrame, Series

from analysis.runs.columns import ISIC

MODELS = {
    "resnet18": "ResNet-18",
    "resnet34": "ResNet-34",
    "resnet50": "ResNet-50",
    "vgg13": "VGG-13",
    "vgg16": "VGG-16",
    "vgg19": "VGG-19",
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
    "mlp_1x512": "MLP 1x512",
    "mlp_3x512": "MLP 3x512",
    "small_alexnet": "small AlexNet",
    "small_inception": "small Inception",
    "aol_mlp": "AOL-MLP",
    "lcn_cpl": "CPL-LCN",
    "lcn_aol": "AOL-LCN",
    "lcn_small": "AOL-LCN (small)",
    "simple_convnet": "SimpleConvNet",
}
DATA = {
    "brats": "BraTS",
    "dbc": "DBC",
    "oai": "OAI",
    "chexpert": "CheXpert",
    "mura": "MURA",
    "rsna_ih_ct": "RSNA-IH-CT",
    "prostate_mri": "Prostate",
    "mnist": "MNIST",
    "cifar10": "CIFAR-10",
    "svhn": "SVHN",
    "imagenet": "ImageNet",
    "isic": "ISIC",
    "fashion": "Fashion-MNIST",
    "kmnist": "KMNIST",
    "tiny_imagenet": "Tiny ImageNet",
    "lgg": "LGG",
    "breakhis": "BreakHis",
    "retinal_oct": "retinal OCT",
}
# The paper's: medical blue, natural orange, ISIC purple; markers distinguish them without colour.
SHADES = {"medical": "Blues", "natural": "Oranges", ISIC: "Purples", "synthetic": "Greys"}
MARKERS = {"medical": "o", "natural": "s", ISIC: "^", "synthetic": "D"}


def ordered(names: Iterable[str], known: dict[str, str]) -> list[str]:
    """Known names in the paper's order, then the others by alphabet.

    >>> ordered({"lenet", "vgg13", "resnet18"}, MODELS)
    ['resnet18', 'vgg13', 'lenet']
    """
    present = set(names)
    return [name for name in known if name in present] + sorted(present - set(known))


def networks_of(table: DataFrame) -> list[str]:
    """The networks of some runs, in the papers' order."""
    return ordered(table.model, MODELS)


def in_order(table: DataFrame, by: Sequence[str]) -> DataFrame:
    """The rows sorted by some columns, networks in the papers' order."""
    place = {model: i for i, model in enumerate(networks_of(table))}

    def key(column: Series) -> Series:
        return column.map(place) if column.name == "model" else column

    return table.sort_values(list(by), key=key, kind="stable", ignore_index=True)


def model_name(model: str) -> str:
    """A network's name in print; a small version has that of its large one, with a remark.

    >>> model_name("vgg13"), model_name("aol_mlp_small"), model_name("resnet18_small")
    ('VGG-13', 'AOL-MLP (small)', 'ResNet-18')
    """
    base = model.removesuffix("_small")
    small = f"{MODELS[base]} (small)" if base in MODELS and base != model else model
    return MODELS.get(model, small)


def data_name(data: str) -> str:
    """A data set's name in print.

    >>> data_name("cifar10"), data_name("blood_cells")
    ('CIFAR-10', 'blood cells')
    """
    return DATA.get(data, data.replace("_", " "))


def cell_name(names: object, by: Sequence[str] = ()) -> str:
    """The printed name of a cell; `by` are the columns of `names`.

    >>> cell_name(("lenet", "cifar10", 0.5)), cell_name(("lenet", "my_cells"), ("model", "data"))
    ('LeNet, CIFAR-10, 0.5', 'LeNet, my cells')
    >>> cell_name(("lenet", 50000, 32, False), ("model", "n", "size", "augmented"))
    'LeNet, n = 50,000, 32 px, not augmented'
    """
    parts = names if isinstance(names, tuple) else (names,)
    columns = [*by, *[""] * (len(parts) - len(by))]
    return ", ".join(map(_part_name, parts, columns))


def _part_name(part: object, column: str) -> str:
    if isinstance(part, str):
        return data_name(part) if column == "data" else DATA.get(part, model_name(part))
    if isinstance(part, bool | np.bool_):
        return column if part else f"not {column}"
    known = {"n": f"n = {part:,}", "size": f"{part:g} px"}
    return known.get(column, f"{part:g}")


def plain(name: str) -> str:
    """A user's name in a figure: dollar signs are escaped, so that they start no formula."""
    return name.replace("$", r"\$")


def colour(domain: str, depth: float = 0.65) -> str:
    """A domain's colour, from light (0) to dark (1)."""
    return to_hex(colormaps[SHADES.get(domain, "Greys")](0.3 + 0.6 * depth))


def marker(domain: str) -> str:
    """A domain's marker."""
    return MARKERS.get(domain, "D")
