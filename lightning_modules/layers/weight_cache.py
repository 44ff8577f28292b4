"""Cache of a value computed from weights, valid until the weights change."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn


class WeightCache:
    """Caches compute(*weights, **options) until weights or options change.

    The weights are compared bit by bit with a copy, so no change of a weight can return an old
    value. A version counter would be cheaper and wrong: `weight.data.mul_` and some fused
    optimisers do not increase it. The comparison takes 1/30 of the time of a Gram matrix at
    1024 x 1024, 1/240 of that of `norm_bound`.

    Nothing is cached if a gradient of the weights is needed, nor for tensors that replace a
    parameter (`torch.func.functional_call`). Mixed precision is off inside: a value rounded to 8
    bits is not a bound. Cached values are computed in float64, because GPUs round float32
    convolutions to 10 bits (TF32), and a Gram matrix that is 1e-3 off raises the Lipschitz constant
    by half of that.

    >>> cache, weight = WeightCache(), nn.Parameter(torch.ones(2))
    >>> with torch.no_grad():
    ...     a, b = cache(torch.sum, weight), cache(torch.sum, weight)
    ...     weight.data[0] = 5
    ...     a is b, cache(torch.sum, weight).item()
    (True, 6.0)
    """

    def __init__(self) -> None:
        self._weights: tuple[Tensor, ...] = ()
        self._options: dict[str, Any] = {}
        self._value: Tensor | None = None  # in float64
        self._rounded = torch.empty(0)  # the value in the weights' dtype

    def __call__(self, compute: Callable[..., Tensor], *weights: Tensor, **options: Any) -> Tensor:
        """Return compute(*weights, **options), cached or new.

        `compute` must be the same at every call, and all weights on one device.
        """
        with _full_precision(weights[0].device.type):
            learning = torch.is_grad_enabled() and any(w.requires_grad for w in weights)
            if learning or not all(isinstance(w, nn.Parameter) for w in weights):
                return compute(*weights, **options)
            # an inference tensor could not be used in a later backward pass
            with torch.inference_mode(False), torch.no_grad():
                if self._value is None or not self._unchanged(weights, options):
                    self._weights = tuple(w.detach().clone() for w in weights)
                    self._options = options
                    self._value = compute(*(w.double() for w in self._weights), **options)
                    self._rounded = self._value.to(weights[0])
                elif self._rounded.dtype != weights[0].dtype:
                    self._rounded = self._value.to(weights[0])
            return self._rounded

    def _unchanged(self, weights: tuple[Tensor, ...], options: dict[str, Any]) -> bool:
        return options == self._options and all(
            old.device == new.device and _equal(old, new)
            for old, new in zip(self._weights, weights, strict=True)
        )


def _equal(old: Tensor, new: Tensor) -> bool:
    """Equal numbers; of another dtype too, as in a copy of the network in float64."""
    same = old.dtype == new.dtype
    return torch.equal(old, new) if same else torch.equal(old.double(), new.double())


def _full_precision(device: str) -> AbstractContextManager[Any]:
    """No mixed precision, on devices that have one (`meta` has none)."""
    available = torch.amp.is_autocast_available(device)
    return torch.autocast(device, enabled=False) if available else nullcontext()
