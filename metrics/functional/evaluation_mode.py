"""Evaluation mode during a measurement."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def evaluation_mode(model: nn.Module) -> Iterator[None]:
    """Put every module into evaluation mode, then restore the mode of each.

    Inside the block dropout draws no random numbers and batch normalisation updates no running
    statistics, so a measurement in the middle of training changes nothing. Modes are stored per
    module: a frozen batch normalisation inside a network that trains stays frozen.

    Example:
        >>> net = nn.Sequential(nn.Dropout(), nn.BatchNorm1d(3).eval())
        >>> with evaluation_mode(net):
        ...     print(net[0].training, net[1].training)
        False False
        >>> print(net[0].training, net[1].training)
        True False
    """
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
