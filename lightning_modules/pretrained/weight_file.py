"""The tensors of a file of weights: safetensors, a state dict, or a checkpoint of a run."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lightning_modules.pretrained.safetensors import read_safetensors
from records.checkpoints import is_whole

NESTED = ("state_dict", "model", "model_state_dict")  # where training scripts keep the state dict


def read_weights(path: Path) -> dict[str, Tensor]:
    """Tensors by name; ValueError if there are none. Code in the file is never run.

    The file is `.safetensors`, or a state dict saved by `torch.save`, alone or in a dictionary.
    """
    if not path.is_file():
        raise ValueError(f"model.weights={path}: no such file.")
    if path.suffix == ".safetensors":
        return read_safetensors(path)
    if zipfile.is_zipfile(path) and not is_whole(path):
        raise ValueError(f"model.weights={path}: damaged or compressed; save it with torch.save.")
    try:
        content: Any = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a foreign file can raise anything
        raise ValueError(
            f"model.weights={path}: neither safetensors nor a state dict of plain tensors "
            f"({str(error).splitlines()[0]})."
        ) from error
    for name in NESTED:
        if isinstance(content, Mapping) and isinstance(content.get(name), Mapping):
            content = content[name]
    if not isinstance(content, Mapping):
        raise ValueError(f"model.weights={path}: holds {type(content).__name__}, no state dict.")
    found = {str(name): value for name, value in content.items() if isinstance(value, Tensor)}
    if not found:
        raise ValueError(f"model.weights={path}: has no tensors by name.")
    return found
