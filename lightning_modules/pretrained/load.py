"""Copy the weights of a file into a network."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from lightning_modules.pretrained.torchvision_names import our_names
from records.first_of import first_of

# Before the names in checkpoints of our runs and of other training scripts.
PREFIXES = ("", "network.network.", "network.", "module.", "model.")
HEAD = "head."
COUNTER = "num_batches_tracked"  # older files lack it


def load_pretrained(network: nn.Module, weights: Mapping[str, Tensor]) -> str:
    """Copy weights with our names or torchvision's into a network, in place.

    A head of another shape keeps its own initialisation: other classes need another head. All other
    names and shapes must match, else it raises ValueError. Returns a sentence on what was loaded.
    """
    own = network.state_dict()
    found = _matched(network, own, weights)
    _check(own, found, weights)
    heads = [name for name in own if name.startswith(HEAD)]
    fits = all(name in found and found[name].shape == own[name].shape for name in heads)
    for name, tensor in found.items():
        if fits or not name.startswith(HEAD):
            with torch.no_grad():
                own[name].copy_(tensor)
    loaded = f"{len(found) - (0 if fits else sum(one in found for one in heads))} tensors loaded"
    if fits:
        return f"{loaded}, the head included"
    theirs = next((len(found[name]) for name in heads if name in found), 0)
    ours = len(own[heads[0]]) if heads else 0
    return f"{loaded}; the head has {ours} outputs, the file's {theirs}: it is not loaded"


def _matched(
    network: nn.Module, own: Mapping[str, Tensor], weights: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """The tensors by our names, with the naming scheme and prefix that match most of them."""
    candidates = []
    for prefix in PREFIXES:
        cut = {k.removeprefix(prefix): v for k, v in weights.items() if k.startswith(prefix)}
        theirs = our_names(network, cut)
        candidates.append({name: cut[name] for name in own if name in cut})
        candidates.append({ours: cut[name] for name, ours in theirs.items() if ours in own})
    return max(candidates, key=len)


def _check(
    own: Mapping[str, Tensor], found: Mapping[str, Tensor], weights: Mapping[str, Tensor]
) -> None:
    missing = [
        name
        for name in own
        if name not in found and not name.startswith(HEAD) and not name.endswith(COUNTER)
    ]
    used = {id(tensor) for tensor in found.values()}
    unused = [name for name, tensor in weights.items() if id(tensor) not in used]
    unused = [name for name in unused if not name.endswith(COUNTER)]
    if missing:
        raise ValueError(
            f"model.weights: {len(missing)} of {len(own)} tensors of this network are not in the "
            f"file: {first_of(missing)}; unknown in the file: {first_of(unused) or 'none'}. It is "
            "of another network: compare model.network."
        )
    if unused:
        raise ValueError(
            f"model.weights: {len(unused)} tensors of the file have no place in this network: "
            f"{first_of(unused)}. It is of another network: compare model.network."
        )
    for name, tensor in found.items():
        if tensor.shape != own[name].shape and not name.startswith(HEAD):
            raise ValueError(
                f"model.weights: `{name}` has shape {list(own[name].shape)} here and "
                f"{list(tensor.shape)} in the file; compare data.channels, data.size and "
                "model.network."
            )
