"""Words of a command line: `key=value`, `+key=value`, `group=choice`."""

import re
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, OverrideType, ValueType
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException


def is_known(config: DictConfig, key: str, added: bool) -> bool:
    """Whether a key exists; one added with `+` may be new in a group, but not at the root."""
    if added:
        return key.split(".")[0] in config
    missing = object()
    try:
        found = OmegaConf.select(config, key, default=missing, throw_on_missing=True)
        return found is not missing
    except OmegaConfBaseException:
        return True  # it exists; `???` is about to be set, an interpolation is checked later


SPECIAL = frozenset("'\"\\[]{}()")


def quote_for_hydra(word: str) -> str:
    """A word of the command line as Hydra's grammar, which is ASCII only, can read it.

    `~/` becomes the home folder, because shells do not expand it after `key=`. Values with brackets
    or quotes are not changed.

    >>> quote_for_hydra("data.root=/scans/zoë,/scans/ann")
    "data.root='/scans/zoë',/scans/ann"
    """
    key, equals, value = word.partition("=")
    if not SPECIAL.isdisjoint(value):
        return word
    home = str(Path.home())
    parts = [home + part[1:] if part.startswith("~/") else part for part in value.split(",")]
    return key + equals + ",".join(part if part.isascii() else f"'{part}'" for part in parts)


NUMBER = re.compile(r"([A-Za-z_][\w.]*)=(0|-?[1-9]\d*)")


@cache
def parse(text: str) -> Override:
    """An override; each text is parsed once, and a sweep repeats most of them in every run.

    Whole numbers, which differ in every run of a long sweep, skip the parser, which takes 1 ms.

    >>> parse("seed=3").value(), parse("n=null").value()
    (3, None)
    """
    number = NUMBER.fullmatch(text)
    if number:
        value = int(number[2])
        return Override(OverrideType.CHANGE, number[1], ValueType.ELEMENT, value, input_line=text)
    hydra = GlobalHydra.instance()
    loader = hydra.config_loader() if hydra.is_initialized() else None  # needed by glob(*)
    return OverridesParser.create(config_loader=loader).parse_overrides([text])[0]


def is_single(override: Override, others: list[Override]) -> bool:
    """Whether it sets one value, and no other override of the run sets its node or a part of it."""
    key = override.key_or_group
    return (
        isinstance(override.value(), int | float | str)
        and not adds(override)
        and not override.is_delete()
        and not any(
            f"{key}.".startswith(f"{o.key_or_group}.") or f"{o.key_or_group}.".startswith(f"{key}.")
            for o in others
            if o is not override
        )
    )


def leaf(config: DictConfig, key: str) -> Any:
    """The value of a key as written, with `${...}`."""
    *parents, last = key.split(".")
    parent: Any = config
    for name in parents:
        parent = parent[int(name) if isinstance(parent, ListConfig) else name]
    # OmegaConf's public way to a value that keeps `${...}` copies the whole parent, for `seed=3`
    # the root: 1.7 ms for each value of a long sweep.
    value = parent._get_node(int(last) if isinstance(parent, ListConfig) else last)._value()
    return value.name if isinstance(value, Enum) else value


def adds(override: Override) -> bool:
    """Whether it is `+key=value` or `++key=value`."""
    return bool(override.is_add() or override.is_force_add())
