"""From the command line to the runs it asks for, each composed and checked, before any starts."""

import argparse
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from conf.check import keys_of, nearest, problems_of
from conf.schema import register
from records.key import key_of, settings_of

HERE = Path(__file__).parent
# Flags with which Hydra answers a question instead of running anything.
QUESTIONS = (
    "help",
    "hydra_help",
    "version",
    "cfg",
    "info",
    "shell_completion",
    "experimental_rerun",
)


@dataclass(frozen=True)
class Planned:
    """One run of the plan."""

    config: DictConfig
    overrides: tuple[str, ...]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the key is made of."""
        return settings_of(self.config)

    @cached_property
    def key(self) -> str:
        """The run's name."""
        return key_of(self.settings)

    @cached_property
    def folder(self) -> Path:
        """Where its record is."""
        return folder_of(self.config, self.key)


@dataclass
class Plan:
    """All runs of a command, or what is wrong with it."""

    runs: list[Planned] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def folder_of(config: DictConfig, key: str) -> Path:
    """`<paths.runs>/<name>/<key>`."""
    return Path(config.paths.runs).expanduser() / config.name / key


def asks_only(arguments: argparse.Namespace) -> bool:
    """True for `--help`, `--cfg job` and the like."""
    return any(getattr(arguments, flag, None) for flag in QUESTIONS)


def plan(argv: list[str]) -> Plan | None:
    """Compose every run of a command line; None where Hydra only answers a question.

    Problems are collected over all runs, each said once.
    """
    arguments = get_args_parser().parse_args(argv)
    if asks_only(arguments):
        return None
    register()
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(HERE), version_base="1.3", job_name="launch"):
            return _Planner(arguments.overrides, arguments.multirun).plan()
    finally:
        GlobalHydra.instance().clear()


class _Planner:
    """Expands sweeps; composes once per choice of groups, then sets single values on copies."""

    def __init__(self, overrides: list[str], multirun: bool) -> None:
        self.multirun = multirun
        self.problems: dict[str, None] = {}  # a dict keeps order and says each thing once
        self.overrides = self._parse(overrides)
        self.composed: dict[tuple[str, ...], DictConfig | None] = {}

    def plan(self) -> Plan:
        usable = [o for o in self.overrides if self._group_is_right(o)]
        runs: dict[Path, Planned] = {}
        for job in self._jobs(usable):
            config = self._configure(job)
            if config is None:
                continue
            found = problems_of(config)
            trainer = config.trainer
            alone = trainer.devices == 1 and trainer.strategy == "auto"
            if self.multirun and not alone and "fork" not in trainer.strategy:
                found.append(
                    f"`trainer.strategy={trainer.strategy}` with trainer.devices={trainer.devices} "
                    "re-runs the command in every process, and would sweep again in each: inside "
                    "-m use trainer=ddp_cpu or one device, or launch the runs one by one."
                )
            self.problems.update(dict.fromkeys(found))
            if not found and not self.problems:
                run = Planned(config, tuple(job))
                runs.setdefault(run.folder, run)
        return Plan(list(runs.values()), list(self.problems))

    def _parse(self, texts: list[str]) -> list[Override]:
        parsed = []
        for text in texts:
            try:
                parsed += OverridesParser.create().parse_overrides([text])
            except HydraException as error:
                reason = str(error).splitlines()[0]
                self.problems[f"`{text}`: {reason}; put quotes around special characters."] = None
        return parsed

    def _group_is_right(self, override: Override) -> bool:
        """Check the choice of a group against the files in its folder; values pass."""
        group = HERE / override.key_or_group
        if not group.is_dir():
            return True
        options = sorted(str(p.relative_to(group))[:-5] for p in group.rglob("*.yaml"))
        values = (
            list(override.sweep_string_iterator())
            if override.is_sweep_override()
            else [override.get_value_element_as_str()]
        )
        wrong = [value for value in values if value not in options and value != "null"]
        for value in wrong:
            hint = nearest(value, options) or f" there are {', '.join(options)}."
            self.problems[f"`{override.key_or_group}={value}`: no such choice;{hint}"] = None
        return not wrong

    def _jobs(self, overrides: list[Override]) -> list[list[str]]:
        sweeps = [o for o in overrides if o.is_sweep_override()]
        if sweeps and not self.multirun:
            for o in sweeps:
                self.problems[f"`{o.input_line}`: several values need -m (--multirun)."] = None
            overrides = [o for o in overrides if not o.is_sweep_override()]
        if self.multirun:
            groups = [
                str(o.input_line)
                for o in overrides
                if self._is_group(o) and not o.is_sweep_override()
            ]
            base = self._compose(tuple(groups), hydra=True)
            params = OmegaConf.select(base, "hydra.sweeper.params") if base is not None else None
            own = [f"{name}={value}" for name, value in (params or {}).items()]
            overrides = [*self._parse(own), *overrides]
        return BasicSweeper.split_arguments(overrides, max_batch_size=None)[0]

    def _configure(self, job: list[str]) -> DictConfig | None:
        parsed = OverridesParser.create().parse_overrides(job)
        groups = tuple(str(o.input_line) for o in parsed if self._is_group(o))
        base = self._compose(groups)
        if base is None:
            return None
        config = base.copy()
        for override in parsed:
            key = override.key_or_group
            if self._is_group(override) or key.split(".")[0] == "hydra":
                continue
            self._set(config, override)
        return config

    def _is_group(self, override: Override) -> bool:
        return (HERE / override.key_or_group).is_dir() or "@" in override.get_key_element()

    def _set(self, config: DictConfig, override: Override) -> None:
        key, value = override.key_or_group, override.value()
        if override.is_delete():
            self.problems[f"`{override.input_line}`: nothing can be deleted; set it to null."] = (
                None
            )
            return
        if not _is_known(config, key, _adds(override)):
            deeper = [k for k in keys_of(config) if k.endswith(f".{key}")]
            hint = nearest(key, keys_of(config)) or " there is no such setting."
            if deeper:
                hint = f" did you mean {' or '.join(f'`{k}`' for k in deeper[:3])}?"
            self.problems[f"`{key}`:{hint}"] = None
            return
        try:
            with open_dict(config) if _adds(override) else nullcontext():
                OmegaConf.update(config, key, value, merge=True)
        except OmegaConfBaseException as error:
            reason = str(error).splitlines()[0].rstrip(".")
            self.problems[f"`{key}={value}`: {reason}."] = None

    def _compose(self, groups: tuple[str, ...], hydra: bool = False) -> DictConfig | None:
        wanted = (*groups, "<hydra>") if hydra else groups
        if wanted not in self.composed:
            try:
                self.composed[wanted] = compose("config", list(groups), return_hydra_config=hydra)
            except (HydraException, OmegaConfBaseException) as error:
                self.problems[str(error).splitlines()[0]] = None
                self.composed[wanted] = None
        return self.composed[wanted]


def _is_known(config: DictConfig, key: str, added: bool) -> bool:
    """Whether a key is there; one added with `+` may be new below a group, never at the root."""
    if added:
        return key.split(".")[0] in config
    missing = object()
    try:
        found = OmegaConf.select(config, key, default=missing, throw_on_missing=True)
        return found is not missing
    except OmegaConfBaseException:
        return True  # it is there; `???` is about to be set, an interpolation is judged later


def _adds(override: Override) -> bool:
    """`+key=value` or `++key=value`."""
    return bool(override.is_add() or override.is_force_add())
