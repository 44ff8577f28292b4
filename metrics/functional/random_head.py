"""Find the linear head of a network, so that one random body can be used with many heads."""

import math
from typing import Any

import torch
from torch import Tensor, nn

from metrics.functional.initialisation import Initialisation
from metrics.functional.input_gradients import Scalar, scalar_coefficients

WIDEST = 1024  # features F; above it 64 random heads are nearly orthogonal, and QR costs F^3


class RandomHead:
    """The last `nn.Linear` of a network, redrawn independently of the body.

    Valid for any network whose output is the output of one `nn.Linear` that is called once on
    (B, F) features and shares its weight with nothing else: the law of (body, head) is then a
    product, and E[grad f grad f^T] may be averaged over many heads of one body.

    The geometry depends on the head only through E[w w^T]. If its entries are i.i.d. with mean 0
    and deviation s, this is s^2 I, and heads are drawn orthogonal instead of independent: rows of
    one fixed random rotation, with random signs. The mean is the same, and F of them average the
    head out exactly.

    The law must be `replayed`; `linear_head` finds the head.
    """

    def __init__(self, law: Initialisation, head: nn.Linear, scalar: Scalar) -> None:
        self._law, self._head = law, head
        self._coefficients = scalar_coefficients(scalar, head.out_features).to(head.weight)
        deviation = law.standard_deviation(head.weight)
        self._frame: Tensor | None = None  # (F, F): orthogonal rows of length s |c| sqrt(F)
        size = head.in_features
        if deviation is not None and size <= WIDEST:
            with law.stream(-3):
                square = head.weight.new_empty(size, size).normal_()
            length = deviation * float(self._coefficients.norm()) * math.sqrt(size)
            self._frame = torch.linalg.qr(square)[0] * length

    def draw(self, count: int) -> Tensor:
        """Heads of the scalar f: (count, F), from the global generator."""
        if self._frame is None:
            weights = self._law.draw_parameter(self._head.weight, count)  # (count, outputs, F)
            return torch.einsum("o,kof->kf", self._coefficients, weights)
        sets = math.ceil(count / len(self._frame))
        noise = self._frame.new_empty(2, sets, len(self._frame)).uniform_(-1, 1)
        order, signs = noise[0].argsort(1), noise[1].sign()
        return (self._frame[order] * signs[:, None]).flatten(0, 1)[:count]

    def gradients(self, model: nn.Module, x: Tensor, heads: Tensor) -> Tensor:
        """Rows grad_x (w . features(x)): (heads, D), the same number of heads at each point.

        The heads of a point share its forward pass, which is half the cost of a row.
        """
        features: list[Tensor] = []
        hook = self._head.register_forward_pre_hook(lambda _, inputs: features.append(inputs[0]))
        try:
            points = x.detach().requires_grad_()
            with torch.enable_grad():
                model(points)
                # passing heads as `grad_outputs` would import sympy, which takes 3 s
                turns = heads.unflatten(0, (len(x), -1)).unbind(1)
                totals = [(features[0] * turn).sum() for turn in turns]
            rows = [
                torch.autograd.grad(total, points, retain_graph=total is not totals[-1])[0]
                for total in totals
            ]
            return torch.stack(rows, 1).flatten(0, 1).flatten(1)
        finally:
            hook.remove()


@torch.no_grad()
def linear_head(model: nn.Module, x: Tensor) -> nn.Linear | None:
    """Return the `nn.Linear` whose output is the network's output, or None if there is none.

    Example:
        >>> net = nn.Sequential(nn.Flatten(), nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> linear_head(net, torch.zeros(1, 1, 2, 2)) is net[3]
        True
    """
    calls: list[tuple[nn.Linear, Tensor, Tensor]] = []

    def keep(module: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        calls.append((module, inputs[0], output))

    linears = [module for module in model.modules() if isinstance(module, nn.Linear)]
    hooks = [module.register_forward_hook(keep) for module in linears]
    try:
        output = model(x)
    finally:
        for hook in hooks:
            hook.remove()
    last = [call for call in calls if call[2] is output]
    if not last:
        return None
    head, features, _ = last[0]
    owners = [
        module
        for module in model.modules()
        if any(weight is head.weight for weight in module.parameters(recurse=False))
    ]
    once = sum(call[0] is head for call in calls) == 1 and len(owners) == 1
    return head if once and features.ndim == 2 else None
