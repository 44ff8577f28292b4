"""Check that a network's output for one image does not depend on the others of its batch."""

import torch
from torch import Tensor, nn

ROUNDING = 8  # machine epsilons; most networks differ by 0, because both batches have one shape


@torch.no_grad()
def check_independent_images(model: nn.Module, x: Tensor) -> None:
    """Compare the output for an image beside itself with that beside another image.

        f(x_1 | x_1, x_1) = f(x_1 | x_1, x_n)

    The gradient at one image of a coupled batch (batch normalisation by the batch, attention across
    images) is not that of the image, and changes with the chunk. The network is checked in its
    present mode. Both batches have two images, so they round alike; the check costs four images
    forward.

    Example:
        >>> check_independent_images(nn.BatchNorm2d(1).eval(), torch.rand(4, 1, 2, 2))
        >>> check_independent_images(nn.BatchNorm2d(1).train(), torch.rand(4, 1, 2, 2))
        Traceback (most recent call last):
        ValueError: the network's output for an image ...
    """
    first, other = x[:1].detach(), x[-1:].detach()
    if len(x) < 2:
        _output(model, first)
        return
    if torch.equal(first, other):
        other = other + 1  # equal images would hide a coupling through their mean
    own = _output(model, torch.cat([first, first]))
    beside = _output(model, torch.cat([first, other]))
    apart = float((own[:1] - beside[:1]).abs().max())
    size = float(torch.cat([own, beside]).abs().max())
    if apart > ROUNDING * torch.finfo(own.dtype).eps * size:  # False for NaN of diverged networks
        raise ValueError(
            f"the network's output for an image changes by {apart:.3g} (of {size:.3g}) with the "
            "image beside it: its batch is coupled, as by batch normalisation without running "
            "statistics or attention across images, or it draws random numbers; measure a network "
            "that computes each image alone"
        )


def _output(model: nn.Module, x: Tensor) -> Tensor:
    """Output (B, outputs) of the network; ValueError if it fails or returns something else."""
    try:
        output = model(x)
    except (RuntimeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(
            f"the network cannot take images of shape {tuple(x.shape[1:])}: {reason}"
        ) from error
    if not isinstance(output, Tensor) or output.ndim == 0 or len(output) != len(x):
        got = tuple(output.shape) if isinstance(output, Tensor) else type(output).__name__
        raise ValueError(
            f"the network returns {got} for {len(x)} images; need a row of logits each"
        )
    return output.reshape(len(x), -1)
