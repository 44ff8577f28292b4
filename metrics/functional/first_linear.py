"""Networks whose input enters through one linear layer: a cheaper Jacobian."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn


def _is_reshaped(u: Tensor, x: Tensor) -> bool:
    """Whether u is a view of x as (examples, features)."""
    same = u.shape == (len(x), x[0].numel()) and u.data_ptr() == x.data_ptr()
    return same and u.is_contiguous() and x.is_contiguous()


@contextmanager
def cut_after(layer: nn.Linear) -> Iterator[list[Tensor]]:
    """Make the first output of `layer` a leaf of the graph, and collect it."""
    leaves: list[Tensor] = []

    def cut(_: nn.Module, __: tuple[Tensor, ...], output: Tensor) -> Tensor | None:
        if leaves:
            return None
        leaves.append(output.detach().requires_grad_())
        return leaves[0]

    handle = layer.register_forward_hook(cut)
    try:
        yield leaves
    finally:
        handle.remove()


def first_linear(model: nn.Module, x: Tensor) -> nn.Linear | None:
    """The linear layer that is the only layer to read x, and has fewer outputs than x, or None.

    Then f(x) = g(W x + b), so J = J_g W; with W = L Q^T (Q of orthonormal columns) the singular
    values of J are those of J_g L, which has a column for each row of W, not for each pixel of x.

    This is tested by running the network on a few images: the layer's output is cut from the graph,
    and then no gradient may reach x. There is no such layer if a convolution or normalisation comes
    first, a skip connection goes around the layer, or it has fewer units than logits.

    Example:
        >>> net = nn.Sequential(nn.Flatten(), nn.Linear(12, 5), nn.ReLU(), nn.Linear(5, 2))
        >>> first_linear(net, torch.zeros(1, 3, 2, 2))
        Linear(in_features=12, out_features=5, bias=True)
        >>> first_linear(nn.Sequential(nn.Tanh(), *net), torch.zeros(1, 3, 2, 2)) is None
        True
    """
    leaf = x.detach().requires_grad_()
    features = x[0].numel()
    for layer in model.modules():
        if not isinstance(layer, nn.Linear) or layer.in_features != features:
            continue
        if type(layer) is not nn.Linear or layer._forward_hooks or layer._forward_pre_hooks:
            continue  # parametrised or hooked: more than `weight` may act on x
        inputs: list[Tensor] = []
        watch = layer.register_forward_pre_hook(lambda _, args, seen=inputs: seen.append(args[0]))
        try:
            with cut_after(layer) as cut:
                logits = model(leaf)
        finally:
            watch.remove()
        if not cut or not _is_reshaped(inputs[0], leaf) or not logits.requires_grad:
            continue
        if not logits[0].numel() <= layer.out_features < features:
            continue  # nothing to save, or so narrow that zeros among the values would be lost
        (around,) = torch.autograd.grad(logits.sum(), leaf, allow_unused=True)
        if around is None:
            return layer
    return None


def narrow_factor(layer: nn.Linear) -> Tensor:
    """L of W = L Q^T, (rows of W, rows of W): W up to an isometry of the input.

    Example:
        >>> L = narrow_factor(nn.Linear(7, 3))
        >>> L.shape
        torch.Size([3, 3])
    """
    return torch.linalg.qr(layer.weight.detach().mT, mode="r").R.mT
