"""Suggestions for wrong settings."""

import re
from collections.abc import Sequence

from omegaconf import DictConfig, OmegaConf

from conf.nearest import nearest
from conf.resolve import plain_of
from records.schema import nodes

# Names that other frameworks use.
SYNONYMS = {
    "learning_rate": ("model.lr", "optimizer.lr"),
    "weight_decay": ("optimizer.weight_decay",),
    "device": ("trainer=cpu", "trainer=gpu"),
    "gpu": ("trainer=gpu",),
    "gpus": ("trainer.devices",),
    "accelerator": ("trainer.accelerator",),
    "num_epochs": ("epochs",),
    "max_epochs": ("epochs",),
    "dataset": ("data",),
    "data_dir": ("paths.data", "data=image_folder data.root"),
    "output_dir": ("paths.runs",),
    "network": ("model",),
    "arch": ("model",),
    "random_seed": ("seed",),
    "num_workers": ("hydra.launcher.jobs",),
}
TYPES = {"Integer": "a whole number", "Float": "a number", "Boolean": "true or false"}


def hint_for_unknown(config: DictConfig, key: str) -> str:
    """What to set instead of a key that does not exist.

    >>> hint_for_unknown(OmegaConf.create({"optimizer": {"lr": 0.1}}), "lr")
    ' did you mean `optimizer.lr`?'
    >>> hint_for_unknown(OmegaConf.create({}), "device")
    ' did you mean `trainer=cpu` or `trainer=gpu`?'
    """
    if key == "data.root":
        name = OmegaConf.select(config, "data.name")
        return f" `{name}` is not read from a folder; for images of your own add data=image_folder."
    known = [name for name, _ in nodes(plain_of(config))]
    last = key.rpartition(".")[2]
    meant = SYNONYMS.get(key) or [name for name in known if name.endswith(f".{key}")][:3]
    meant = meant or SYNONYMS.get(last, ())
    if meant:
        return f" did you mean {' or '.join(f'`{name}`' for name in meant)}?"
    if key.startswith(("probes.", "callbacks.")):  # a common prefix makes all names similar
        return _hint_for_probe(config, key, known)
    return nearest(key, known) or " there is no such setting."


def _hint_for_probe(config: DictConfig, key: str, known: Sequence[str]) -> str:
    """The nearest option of a probe, or all its options.

    >>> config = OmegaConf.create({"callbacks": {"fgsm": {"_target_": "x", "levels": [1]}}})
    >>> _hint_for_probe(config, "callbacks.fgsm.level", [])
    ' did you mean `callbacks.fgsm.levels`?'
    >>> _hint_for_probe(config, "callbacks.fgsm.eps", [])
    ' there is no such setting; callbacks.fgsm has levels.'
    """
    place, _, last = key.rpartition(".")
    node = OmegaConf.select(config, place)
    if not isinstance(node, DictConfig):
        return nearest(key, known) or " there is no such setting."
    names = [str(name) for name in node if not str(name).startswith("_")]
    near = nearest(last, names).replace("`", f"`{place}.", 1)
    return near or f" there is no such setting; {place} has {', '.join(names) or 'none'}."


def reason_of(error: Exception) -> str:
    """The first line of an error of OmegaConf, in words for users.

    >>> reason_of(ValueError("Value 'abc' of type 'str' could not be converted to Integer"))
    'must be a whole number'
    """
    text = str(error).splitlines()[0].rstrip(".")
    found = re.search(r"could not be converted to (\w+)$", text)
    return f"must be {TYPES[found[1]]}" if found and found[1] in TYPES else text
