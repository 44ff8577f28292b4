"""Translate torchvision's names of the weights of ResNet, VGG and ViT to ours."""

import re
from collections.abc import Iterable

from torch import nn

RESNET = [
    (r"conv1\.", "stem.0."),
    (r"bn1\.", "stem.1."),
    (r"(layer\d\.\d+)\.downsample\.", r"\1.shortcut."),
    (r"fc\.", "head."),
]
VIT = [
    (r"class_token$", "class_token"),
    (r"conv_proj\.", "patches."),
    (r"encoder\.pos_embedding$", "positions"),
    (r"encoder\.ln\.", "norm."),
    (r"heads\.head\.", "head."),
]
VIT_BLOCK = [
    (r"ln_1\.", "attention.0."),
    (r"self_attention\.in_proj_", "attention.1.projection."),  # rows of q, k and v, as ours
    (r"self_attention\.out_proj\.", "attention.1.out."),
    (r"ln_2\.", "mlp.0."),
    (r"mlp\.(?:0|linear_1)\.", "mlp.1."),
    (r"mlp\.(?:3|linear_2)\.", "mlp.3."),
]
VGG_CLASSIFIER = {"0": "classifier.0.", "3": "classifier.3.", "6": "head."}


def our_names(network: nn.Module, names: Iterable[str]) -> dict[str, str]:
    """Our name for each of torchvision's names; unknown names are left out.

    `network` is our ResNet, VGG or ViT; other networks have no known names.
    """
    kind = type(network).__name__
    names = list(names)
    if kind == "VGG":
        return _vgg(network, names)
    rename = {"ResNet": _resnet, "ViT": _vit}.get(kind)
    found = {} if rename is None else {name: rename(name) for name in names}
    return {name: ours for name, ours in found.items() if ours is not None}


def _resnet(name: str) -> str | None:
    """Our name; a block's k-th convolution is followed by its norm and an activation.

    >>> _resnet("layer2.0.conv2.weight"), _resnet("layer1.1.bn1.running_var")
    ('layer2.0.branch.3.weight', 'layer1.1.branch.1.running_var')
    """
    if inside := re.fullmatch(r"(layer\d\.\d+)\.(conv|bn)(\d)\.(\w+)", name):
        stage, kind, number, rest = inside.groups()
        return f"{stage}.branch.{3 * (int(number) - 1) + (kind == 'bn')}.{rest}"
    return _first(RESNET, name)


def _vit(name: str) -> str | None:
    """Our name.

    >>> _vit("encoder.layers.encoder_layer_3.self_attention.in_proj_bias")
    'blocks.3.attention.1.projection.bias'
    """
    if inside := re.fullmatch(r"encoder\.layers\.encoder_layer_(\d+)\.(.+)", name):
        rest = _first(VIT_BLOCK, inside[2])
        return None if rest is None else f"blocks.{inside[1]}.{rest}"
    return _first(VIT, name)


def _vgg(network: nn.Module, names: list[str]) -> dict[str, str]:
    """The k-th layer with weights is the k-th of ours; indices differ by our norm layers."""
    parts = [re.fullmatch(r"features\.(\d+)\.(\w+)", name) for name in names]
    theirs = sorted({int(part[1]) for part in parts if part})
    layers = [
        place
        for place, layer in network.get_submodule("convolutions").named_children()
        if any(True for _ in layer.parameters())
    ]
    places = dict(zip(theirs, layers, strict=False))
    found = {
        name: f"convolutions.{places[int(part[1])]}.{part[2]}"
        for name, part in zip(names, parts, strict=True)
        if part and int(part[1]) in places
    }
    for name in names:
        part = re.fullmatch(r"classifier\.(\d)\.(\w+)", name)
        if part and part[1] in VGG_CLASSIFIER:
            found[name] = VGG_CLASSIFIER[part[1]] + part[2]
    return found


def _first(rules: list[tuple[str, str]], name: str) -> str | None:
    for pattern, ours in rules:
        if re.match(pattern, name):
            return re.sub(f"^{pattern}", ours, name)
    return None
