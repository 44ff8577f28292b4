"""Configurations of the runs of a command, from as few compositions as possible."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from typing import Any

from hydra import compose
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from conf.blocks import HERE
from conf.hints import hint_for_unknown, reason_of
from conf.hydra_settings import problems_of_hydra
from conf.overrides import adds, is_known, is_single, leaf, parse
from conf.resolve import plain_of, replaced
from conf.run_plan import RunPlan
from conf.templates import Part, Template, composed_together, independent


class Composer:
    """Composes choices of groups, each once, and sets values on copies.

    Args:
        refuse: takes the problems of a command, as sentences.
    """

    def __init__(self, refuse: Callable[..., None]) -> None:
        self._refuse = refuse
        self._swept: frozenset[str] = frozenset()  # groups whose nodes are put together
        self._together: dict[str, list[str]] = {}  # by a choice of these: those of one composition
        self._composed: dict[tuple[str, ...], DictConfig | None] = {}
        self._parts: dict[tuple[str, ...], Part | None] = {}
        self._templates: dict[tuple[str, ...], Template] = {}

    def prepare(self, sweep: Sequence[Override]) -> None:
        """Plan the compositions of a sweep, before its runs."""
        self._swept = independent(sweep)
        self._together = composed_together(sweep, self._swept)

    def run(self, words: Sequence[str]) -> RunPlan | None:
        """The run of these words of a command; None if they cannot be composed."""
        parsed = [parse(text) for text in words]
        values = [o for o in parsed if not _is_choice(o) and not o.key_or_group.startswith("hydra")]
        simple = [o for o in values if is_single(o, values)]
        rest = [o for o in values if o not in simple]
        template = self._template([o for o in parsed if o not in values], rest)
        if template is None:
            return None
        changes: dict[str, Any] = {}
        for override in simple:
            changes |= self._checked(template, override)

        def make() -> DictConfig:
            config = template.config()
            for override in simple:
                self._set(config, override)
            return config

        return RunPlan(replaced(template.plain, changes), make, tuple(words))

    def compose(self, overrides: Sequence[Override]) -> DictConfig | None:
        """The configuration of a choice of groups, with Hydra's own part; values are ignored."""
        wanted = tuple(
            str(o.input_line)
            for o in overrides
            if _is_choice(o) or o.key_or_group.startswith("hydra.")
        )
        if wanted not in self._composed:
            try:
                config = compose("config", list(wanted), return_hydra_config=True)
                self._refuse(*problems_of_hydra(plain_of(config.hydra)))
                self._composed[wanted] = config
            except (HydraException, OmegaConfBaseException) as error:
                self._refuse(str(error).splitlines()[0])
                self._composed[wanted] = None
        return self._composed[wanted]

    def _template(self, groups: list[Override], rest: list[Override]) -> Template | None:
        name = tuple(str(o.input_line) for o in (*groups, *rest))
        if name not in self._templates:
            shared = [o for o in groups if o.key_or_group not in self._swept]
            alone = {o.key_or_group: str(o.input_line) for o in groups if o not in shared}
            parts = {
                name: self._part([*shared, *map(parse, self._together.get(word, [word]))])
                for name, word in alone.items()
            }
            found = {name: part for name, part in parts.items() if part is not None}
            base = next(iter(found.values())) if parts else self._part(groups)
            if base is None or len(found) < len(parts):
                return None
            template = Template(base, found)
            if rest:  # these may change every part
                config = template.config()
                for override in rest:
                    self._set(config, override)
                template = Template(Part(config, plain_of(config)))
            self._templates[name] = template
        return self._templates[name]

    def _part(self, groups: list[Override]) -> Part | None:
        name = tuple(str(o.input_line) for o in groups)
        if name not in self._parts:
            composed = self.compose(groups)
            if composed is not None:
                composed = composed.copy()
                with open_dict(composed):
                    del composed["hydra"]
            self._parts[name] = Part(composed, plain_of(composed)) if composed else None
        return self._parts[name]

    def _checked(self, template: Template, override: Override) -> dict[str, Any]:
        """A single value, converted to its type, by its dotted name; empty if it does not fit."""
        text, key = str(override.input_line), override.key_or_group
        part = template.parts.get(key.partition(".")[0], template.base)  # which has its node
        if text not in part.values:
            fits = self._set(part.config, override)
            part.values[text] = {key: leaf(part.config, key)} if fits else {}
        return part.values[text]

    def _set(self, config: DictConfig, override: Override) -> bool:
        """Set a value; if that is not possible, add the problem and return False."""
        key, value = override.key_or_group, override.value()
        if override.is_delete():
            self._refuse(f"`{override.input_line}`: nothing can be deleted; set it to null.")
            return False
        if not is_known(config, key, adds(override)):
            self._refuse(f"`{key}`:{hint_for_unknown(config, key)}")
            return False
        try:
            with open_dict(config) if adds(override) else nullcontext():
                OmegaConf.update(config, key, value, merge=True)
        except OmegaConfBaseException as error:
            self._refuse(f"`{key}={value}`: {reason_of(error)}.")
            return False
        return True


def _is_choice(override: Override) -> bool:
    """Whether it chooses a file of a group."""
    return _is_folder(override.key_or_group) or "@" in override.get_key_element()


@cache
def _is_folder(group: str) -> bool:
    return (HERE / group).is_dir() or group.startswith("hydra/")
