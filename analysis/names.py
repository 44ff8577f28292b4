"""What models, data sets and domains are called in print, in which order, and in which colour."""

from collections.abc import Iterable

from matplotlib import colormaps
from matplotlib.colors import to_hex

from analysis.columns import ISIC

MODELS = {
    "resnet18": "ResNet-18",
    "resnet34": "ResNet-34",
    "resnet50": "ResNet-50",
    "vgg13": "VGG-13",
    "vgg16": "VGG-16",
    "vgg19": "VGG-19",
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
}
# The paper's: medical blue, natural orange, ISIC purple; markers tell them apart without colour.
SHADES = {"medical": "Blues", "natural": "Oranges", ISIC: "Purples", "synthetic": "Greys"}
MARKERS = {"medical": "o", "natural": "s", ISIC: "^", "synthetic": "D"}


def ordered(names: Iterable[str], known: dict[str, str]) -> list[str]:
    """Known names in the paper's order, then the others by alphabet.

    >>> ordered({"lenet", "vgg13", "resnet18"}, MODELS)
    ['resnet18', 'vgg13', 'lenet']
    """
    present = set(names)
    return [name for name in known if name in present] + sorted(present - set(known))


def plain(name: str) -> str:
    """A name of one's own for a figure: dollars are dollars, and begin no formula."""
    return name.replace("$", r"\$")


def colour(domain: str, depth: float = 0.65) -> str:
    """A domain's colour, from light (0) to dark (1)."""
    return to_hex(colormaps[SHADES.get(domain, "Greys")](0.3 + 0.6 * depth))


def marker(domain: str) -> str:
    """A domain's marker."""
    return MARKERS.get(domain, "D")
