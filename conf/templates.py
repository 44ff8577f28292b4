"""Configurations for all choices of groups, put together from few compositions.

Hydra composes a configuration in about 0.1 s. The files of some groups set nothing outside the node
of their group, so a grid of 6 models and 11 data sets needs 11 compositions and not 66: all but the
nodes `model` and `data` is the same in each, and a composition serves a model and a data set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from hydra.core.override_parser.types import Override
from omegaconf import DictConfig

from conf.resolve import Plain
from conf.sweeps import values_of

# Groups whose files, with their blocks, set the node of their name and nothing else.
INDEPENDENT = ("model", "data", "task", "augmentation", "loss", "optimizer", "schedule", "stop")


def independent(overrides: Sequence[Override]) -> frozenset[str]:
    """The groups of a sweep that can be composed separately; none if that saves nothing.

    A choice inside a node (`geometry@data.law.geometry=own`) needs the file of that node.
    """
    if any("@" in o.get_key_element() for o in overrides):
        return frozenset()
    swept = {o.key_or_group for o in overrides if o.is_sweep_override()} & set(INDEPENDENT)
    return frozenset(swept if len(swept) > 1 else ())


def composed_together(overrides: Sequence[Override], swept: frozenset[str]) -> dict[str, list[str]]:
    """For each choice of an independent group, the choices of all groups in its composition.

    >>> from conf.overrides import parse
    >>> words = [parse("model=lenet,mlp"), parse("data=digits,cifar10,svhn")]
    >>> composed_together(words, frozenset({"model", "data"}))["data=cifar10"]
    ['model=mlp', 'data=cifar10']
    """
    columns = {
        o.key_or_group: [f"{o.key_or_group}={value}" for value in values_of(o)]
        for o in overrides
        if o.key_or_group in swept
    }
    rows = [[word for word in row if word] for row in zip_longest(*columns.values())]
    return {word: row for row in rows for word in row}


@dataclass
class Part:
    """One composition, without Hydra's own settings."""

    config: DictConfig
    plain: Plain
    values: dict[str, dict[str, Any]] = field(default_factory=dict)  # checked values, by override


@dataclass(frozen=True)
class Template:
    """A choice of groups: a composition, in which some nodes are replaced by those of others."""

    base: Part
    parts: dict[str, Part] = field(default_factory=dict)  # by the name of the replaced node

    @property
    def plain(self) -> Plain:
        """Plain containers, with `${...}` as written."""
        return {**self.base.plain, **{name: p.plain[name] for name, p in self.parts.items()}}

    def config(self) -> DictConfig:
        """A new configuration."""
        config = self.base.config.copy()
        for name, part in self.parts.items():
            config[name] = part.config[name]
        return config
