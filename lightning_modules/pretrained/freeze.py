"""Train the head alone: everything before it stays as it is."""

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name


def freeze_features(network: nn.Module, head: nn.Module) -> list[nn.Module]:
    """Freeze all parameters but the head's.

    Args:
        network: to freeze, in place.
        head: its last layer, which is trained.

    Returns:
        The layers with running statistics, which must stay in eval mode while the head is trained.
    """
    network.requires_grad_(False)
    head.requires_grad_(True)
    return [module for module in network.modules() if isinstance(module, _BatchNorm)]
