"""Read the hidden layers of a network while it runs."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from difflib import get_close_matches
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle


@contextmanager
def tap(network: nn.Module, layers: Sequence[str]) -> Iterator[dict[str, Tensor]]:
    """Capture hidden layers each time the network is called.

    A layer is `penultimate`, the input of the network's `head`; or an alias in the network's
    `taps`, such as `konz2024`; or the dotted name of any module, such as `layer3.0`, whose output
    is captured. Names are those of the network itself, also if it is the `network` of a module that
    normalises its input first.

    Yields a dictionary, empty until the network is called. A captured layer is a copy, so a later
    in-place activation cannot change it; it is flattened to (B, F), at least float32, and detached.
    Each call of the network replaces the layers of the call before; of a module used several times
    in one call the last output is captured. ValueError, with the nearest names, if there is no such
    layer.

    >>> network = nn.Sequential(nn.Conv2d(1, 6, 5), nn.Flatten(), nn.Linear(3456, 10))
    >>> with tap(network, ["0", "2"]) as captured:
    ...     scores = network(torch.rand(5, 1, 28, 28))
    >>> {name: tuple(values.shape) for name, values in captured.items()}
    {'0': (5, 3456), '2': (5, 10)}
    """
    captured: dict[str, Tensor] = {}
    with ExitStack() as hooks:
        for layer in layers:
            hooks.enter_context(_hook(network, layer, captured))
        yield captured


def _hook(network: nn.Module, layer: str, captured: dict[str, Tensor]) -> RemovableHandle:
    inner = getattr(network, "network", network)
    head = getattr(inner, "head", None)
    if layer == "penultimate" and isinstance(head, nn.Module):
        return head.register_forward_pre_hook(
            lambda module, inputs: _keep(captured, layer, inputs[0])
        )
    name = getattr(inner, "taps", {}).get(layer, layer)
    modules = {**dict(network.named_modules()), **dict(inner.named_modules())}
    if name not in modules or not name:
        raise ValueError(_no_such_layer(inner, layer, [known for known in modules if known]))
    return modules[name].register_forward_hook(
        lambda module, inputs, output: _keep(captured, layer, output)
    )


def _keep(captured: dict[str, Tensor], layer: str, values: Any) -> None:
    if not isinstance(values, Tensor):
        raise TypeError(
            f"layer {layer!r} returns a {type(values).__name__}, not a tensor; name one inside it"
        )
    dtype = torch.promote_types(values.dtype, torch.float32)
    captured[layer] = values.detach().flatten(1).to(dtype, copy=True)


def _no_such_layer(network: nn.Module, layer: str, names: list[str]) -> str:
    aliases = [*getattr(network, "taps", {}), *(["penultimate"] if "head" in names else [])]
    nearest = get_close_matches(layer, [*aliases, *names], n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(nearest)}?" if nearest else f"some are {', '.join(names[:8])}"
    return f"layer {layer!r}: {type(network).__name__} has no layer of that name; {hint}"
