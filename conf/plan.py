"""Plan a command: compose and check all its runs before any starts."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra import initialize_config_dir

# Hydra's own parser, so that --help, --cfg and the like are read as Hydra reads them. It has no
# public name; tests/conf/test_plan.py fails if Hydra removes it.
from hydra._internal.utils import get_args_parser
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import OmegaConf

from conf.blocks import HERE, choices_of
from conf.check import problems_of
from conf.composer import Composer
from conf.hydra_settings import problems_of_words
from conf.launchers import IN_PROCESS, prefer_our_files, problems_in_sweep, problems_of_launcher
from conf.nearest import nearest
from conf.overrides import parse
from conf.resolve import Plain, look_up, plain_of
from conf.run_plan import RunPlan
from conf.schema import register
from conf.sweeps import combinations, missing_sweep, problem_of_sweep, values_of
from records.old_words import current_word

# Flags that make Hydra print something instead of running anything.
QUESTIONS = ("help", "hydra_help", "version", "cfg", "info", "shell_completion")
# Flags that load a configuration from elsewhere; a rerun would even unpickle it.
REFUSED = ("experimental_rerun", "config_path", "config_name", "config_dir")
NO_FOREIGN_FILES = "configurations come from conf/ and the command line alone; put the file there."


@dataclass
class Plan:
    """All runs of a command and their launcher, or the problems of the command."""

    runs: list[RunPlan] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    launcher: Plain = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # about the data, reported before the runs start
    missing_sweep: str = ""  # a warning: the sweep of the experiment needs -m


def plan(argv: list[str]) -> Plan | None:
    """Compose every run of a command line; None for `--help` and the like.

    Problems are collected over all runs, each reported once.
    """
    register()
    arguments = get_args_parser().parse_args(argv)
    refused = [f"--{name.replace('_', '-')}" for name in REFUSED if getattr(arguments, name, None)]
    if refused:
        return Plan(problems=[f"`{name}`: {NO_FOREIGN_FILES}" for name in refused])
    if foreign := list(problems_of_words(arguments.overrides)):
        return Plan(problems=foreign)
    if any(getattr(arguments, flag, None) for flag in QUESTIONS):
        return None
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(HERE), version_base="1.3", job_name="launch"):
            prefer_our_files()
            return _Planner(arguments.overrides, arguments.multirun).plan()
    finally:
        GlobalHydra.instance().clear()


class _Planner:
    """Reads the words of a command, expands its sweep, and checks every run."""

    def __init__(self, overrides: list[str], multirun: bool) -> None:
        self.multirun = multirun
        self.problems: dict[str, None] = {}  # a dict keeps order and removes duplicates
        self.overrides = self._parse(overrides)
        self.composer = Composer(self._refuse)

    def plan(self) -> Plan:
        usable = [o for o in self.overrides if self._group_is_right(o)]
        hydra = self._hydra(usable)
        launcher = hydra.get("launcher", {}) if self.multirun else {}
        self._refuse(*problems_of_launcher(launcher))
        runs: dict[tuple[Path, Any], RunPlan] = {}
        for job in self._jobs(usable, hydra):
            run = self.composer.run(job)
            if run is None:
                continue
            found = problems_of(run.plain)
            if self.multirun:
                found += problems_in_sweep(run.plain["trainer"], launcher)
            self._refuse(*found)
            if not found and not self.problems:
                # equal settings with data in two folders are one run only if the data are equal
                runs.setdefault((run.folder, look_up(run.plain, "data.root")), run)
        planned = Plan(list(runs.values()), list(self.problems), launcher)
        if planned.runs and not self.multirun:
            params = hydra.get("sweeper", {}).get("params") or {}
            planned.missing_sweep = missing_sweep(params, usable, planned.runs[0].key)
        return planned

    def _refuse(self, *problems: str) -> None:
        self.problems.update(dict.fromkeys(problems))

    def _parse(self, texts: list[str]) -> list[Override]:
        parsed = []
        for text in texts:
            key, equals, value = text.partition("=")
            if (now := current_word(text)) != text:
                self._refuse(f"`{text}`: is now `{now}`.")
                continue
            if " " in key or not key or not (equals or key.startswith("~")):
                self._refuse(f"`{text}`: settings are written key=value, as in n=500.")
                continue
            try:
                parsed.append(parse(text))
            except HydraException as error:
                reason = str(error).splitlines()[0]
                reason = "cannot be read" if reason.startswith("Lexer") else reason
                quoted = f"\"{key}='{value}'\""
                self._refuse(f"`{text}`: {reason}; special characters need quotes: {quoted}.")
        found = [problem_of_sweep(o, parsed, self.multirun) for o in parsed]
        self._refuse(*filter(None, found))
        return [o for o, problem in zip(parsed, found, strict=True) if not problem]

    def _group_is_right(self, override: Override) -> bool:
        """Whether the choice of a group exists; True for an override that sets a value."""
        group = HERE / override.key_or_group
        if not group.is_dir():
            return True
        options = sorted(choices_of(group))
        options += [IN_PROCESS] if override.key_or_group == "hydra/launcher" else []
        wrong = [value for value in values_of(override) if value not in options]
        for value in wrong:
            if value == "null":  # Hydra allows it in a defaults list only
                way_out = "use none." if "none" in options else "leave it out."
                self._refuse(f"`{override.key_or_group}=null`: {way_out}")
                continue
            inside = [name for name in options if name.startswith(f"{value}/")]
            near = "" if inside else nearest(value, options)
            hint = near or f" there are {', '.join(inside or options)}."
            self._refuse(f"`{override.key_or_group}={value}`: no such choice;{hint}")
        return not wrong

    def _hydra(self, overrides: list[Override]) -> Plain:
        """Hydra's own settings: the launcher, and the sweep of an experiment."""
        base = self.composer.compose([o for o in overrides if not o.is_sweep_override()])
        if base is None:
            return {}
        hydra = {"launcher": base.hydra.launcher, "sweeper": base.hydra.sweeper}
        return plain_of(OmegaConf.create(hydra))

    def _jobs(self, overrides: list[Override], hydra: Plain) -> list[list[str]]:
        if self.multirun:
            params = hydra.get("sweeper", {}).get("params") or {}
            own = [f"{name}={value}" for name, value in params.items()]
            overrides = [*self._parse(own), *overrides]
            self.composer.prepare(overrides)
        return combinations(overrides)
