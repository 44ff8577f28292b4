"""The nonlinearity of a network, chosen by name."""

from torch import nn

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "gelu": nn.GELU}


def make_activation(name: str) -> nn.Module:
    """Build the activation called `name`, never in place.

    An in-place activation overwrites the output of the layer before it: a tap on that layer then
    shows values after the activation on CPU and before it on GPU.

    >>> make_activation("gelu")
    GELU(approximate='none')
    """
    if name not in ACTIVATIONS:
        raise ValueError(f"activation={name!r} does not exist; use one of {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]()
