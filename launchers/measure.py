"""`measure=<run folder or glob>`: further measurements of finished runs, without training."""

import contextlib
import difflib
import glob
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import open_dict

from conf.launchers import problems_of_strategy
from conf.plan import Plan, plan
from conf.run_plan import RunPlan
from display.console import console
from display.table import show_run
from launchers.identify import identified
from launchers.measure_missing import take
from launchers.past_config import NotARunError, check_present, past_name, past_settings, read_run
from records.attempt import notes_printed_later
from records.checkpoints import LAST, find_checkpoint
from records.counted import counted
from records.key import SILENT_TRAINER, canonical
from records.ranks import is_nonzero_rank
from records.reader import Record
from records.run_folder import RunFolder
from records.status import EXIT_DONE, EXIT_FAILED, EXIT_REFUSED, USABLE, status_of

log = logging.getLogger(__name__)

WORD = "measure="
# Settings that may be chosen for a finished run; all others are those of the run.
FREE = ("callbacks", "probes", "paths", "logger", "trainer", "threads")
NEARBY = 3  # runs that a message names if none was found
ROOT = "data.root="  # the present folder of its images, whose content is compared
# Options of a probe that do not change its final numbers.
NOT_FINAL = ("schedule", "along", "cache")
OTHERS = (
    "`{}`: a finished run keeps its settings; measure= takes callbacks, probes, paths, logger, "
    "threads, data.root, and settings of the machine such as trainer.devices."
)
PLANNED = f"`--plan` lists runs to train, and `{WORD}` trains none: leave out one of them."


def measure(words: Sequence[str], only_plan: bool = False) -> int:
    """Measure the runs that each `measure=` names; returns the exit code."""
    patterns, rest = _split(words, WORD)
    roots, rest = _split(rest, ROOT)
    found = {pattern: found_runs(pattern) for pattern in patterns}
    folders = list(dict.fromkeys(folder for runs in found.values() for folder in runs))
    problems = [PLANNED] if only_plan else []
    problems += [OTHERS.format(word) for word in rest if not _is_free(word)]
    for pattern in (pattern for pattern, runs in found.items() if not runs):
        why = "no run found; a run folder has a record.json."
        problems.append(f"`{WORD}{pattern}`: {why} {nearby_runs(pattern)}")
    problems = problems or _problems_of_probes_and_machine(rest, len(folders))
    if problems:
        log.error("\n".join(problems))
        return EXIT_REFUSED
    if not is_nonzero_rank() and not any(word.startswith("callbacks") for word in rest):
        log.info("No callbacks=... is set: all default probes are measured again (callbacks=full).")
    with notes_printed_later(len(folders) == 1):
        done = [_try(folder, rest, roots[-1] if roots else None) for folder in folders]
    if is_nonzero_rank():
        return EXIT_DONE
    if len(folders) == 1 and done[0]:
        show_run(RunFolder(folders[0]), console)
    elif len(folders) > 1:
        log.info("%s measured, of %d.", counted(sum(done), "run"), len(folders))
    return EXIT_DONE if all(done) else EXIT_FAILED


def _problems_of_probes_and_machine(words: Sequence[str], runs: int) -> list[str]:
    planned = plan(list(words))
    if planned is None:
        return ["--help and the like take no measure=."]
    if not planned.problems and runs > 1:
        return problems_of_strategy(planned.runs[0].plain["trainer"])
    return planned.problems


def _split(words: Sequence[str], prefix: str) -> tuple[list[str], list[str]]:
    """The values of the words with this prefix, without quotes; and the other words."""
    values = [word.removeprefix(prefix).strip("'\"") for word in words if word.startswith(prefix)]
    return values, [word for word in words if not word.startswith(prefix)]


def found_runs(pattern: str) -> list[Path]:
    """Run folders that match a path or a glob, or that are below such a folder."""
    path = str(Path(pattern).expanduser())
    names = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  # it may be absolute
    below = [file.parent for name in names for file in sorted(Path(name).rglob("record.json"))]
    return list(dict.fromkeys(below))


def nearby_runs(pattern: str) -> str:
    """A sentence with the runs of the nearest existing folder, the most similar names first."""
    path = Path(pattern).expanduser()
    place = next((parent for parent in path.parents if parent.is_dir()), path)
    depths = ("record.json", "*/record.json", "*/*/record.json")
    runs = sorted(str(file.parent) for depth in depths for file in place.glob(depth))
    if not runs:
        return f"There is none in {place} or in the folders in it."
    similar = difflib.get_close_matches(str(path), runs, n=NEARBY, cutoff=0)
    return f"{counted(len(runs), 'run')} in {place}, such as {', '.join(similar)}."


def _is_free(word: str) -> bool:
    """Whether a word may be set for a finished run; of the trainer, only settings of the machine.

    >>> _is_free("trainer=ddp_cpu"), _is_free("trainer.devices=2"), _is_free("epochs=3")
    (True, True, False)
    >>> _is_free("trainer.limit_test_batches=1")
    False
    """
    group, *option = word.partition("=")[0].lstrip("+").split(".")
    if group == "trainer" and option:
        return option[0] in SILENT_TRAINER
    return group in FREE


def _try(folder: Path, words: Sequence[str], root: str | None) -> bool:
    """Measure a run; on rank 1, 2, ... without the lock, which rank 0 has, and with its errors."""
    try:
        with contextlib.nullcontext() if is_nonzero_rank() else RunFolder(folder).lock():
            _measure(RunFolder(folder), words, root)
    except Exception as error:  # the other runs are measured nevertheless
        if is_nonzero_rank():
            raise
        log.error("%s: not measured: %s", folder.name, error)
        return False
    return True


def _measure(folder: RunFolder, words: Sequence[str], root: str | None) -> None:
    record = read_run(folder.path)
    checkpoint = find_checkpoint(folder.checkpoints)
    if record["status"] not in USABLE:
        status = status_of(record, held=False)  # this process has the lock
        raise NotARunError(
            f"its status is `{status}`; only finished runs are measured: rerun its command first."
        )
    if checkpoint is None or checkpoint.name != LAST:
        raise NotARunError("the checkpoint of its trained network is missing.")
    run = past_run(folder.path, record, words, root)
    if run.fingerprint != record.get("data_fingerprint"):
        check_present(run.files.get("data.root"), "data.root=<folder>")
        where = run.files.get("data.root", "paths.data")
        raise NotARunError(f"its data are not those that it was trained on; see {where}.")
    for taken in (record["settings"].get("callbacks") or {}, *record.get("measured_later", [])):
        check_options(taken, run.settings["callbacks"] or {})

    from callbacks.best_network import moment_of
    from callbacks.build import build_probes
    from callbacks.run_record import RunRecord

    probes = [probe for probe in build_probes(run.config) if probe.name != "validation"]
    measured = RunRecord(folder)
    measured.reload()
    epochs, _ = moment_of(record.get("tested")) or measured.rows.progress
    at_end = {probe.name: probe.schedule.due(epochs, last=True) for probe in probes}
    wanted = [
        {"probe": name, "epoch": epochs * is_last, "last": is_last}
        for name, is_last in at_end.items()
    ]
    if not is_nonzero_rank():
        log.info("%s: measures %s.", folder.path.name, ", ".join(at_end))
    take(run, folder, checkpoint, wanted, on_error="stop")  # no training is lost by a failure
    if is_nonzero_rank():
        return
    later = [*record.get("measured_later", []), run.settings["callbacks"]]
    folder.update(measured_later=later)


def check_options(taken: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise NotARunError if a probe would replace numbers that it measured with other options.

    The record would then have numbers that do not match its settings.

    >>> check_options({"fgsm_penalty": {"levels": [1]}}, {"fgsm_penalty": {"levels": [2]}})
    Traceback (most recent call last):
    launchers.past_config.NotARunError: it has fgsm_penalty with levels=[1], not [2]: ...
    """
    for name in sorted(taken.keys() & wanted.keys()):
        before, now = taken[name], wanted[name]
        for option in sorted(before.keys() & now.keys() - set(NOT_FINAL)):
            if canonical({option: before[option]}) != canonical({option: now[option]}):
                raise NotARunError(
                    f"it has {name} with {option}={before[option]}, not {now[option]}: use that "
                    "value, or train a run with the other one."
                )


def past_run(folder: Path, record: Record, words: Sequence[str], root: str | None) -> RunPlan:
    """The run of a record with its settings, present data, and other probes, paths and machine.

    Its name, which is part of its W&B id, is not among the settings.
    """
    scale = [f"{name}={record[name]}" for name in ("protocol", "preset") if record.get(name)]
    planned = plan([*scale, *words])
    assert planned is not None
    if planned.problems:
        raise NotARunError(planned.problems[0])
    config = planned.runs[0].config
    paths = {str(name): str(config.paths[name]) for name in config.paths}
    with open_dict(config):
        config.name = past_name(folder, paths["runs"])
        for name, value in past_settings(record, paths, root).items():
            if name in ("model", "trainer"):  # some of their keys are not in the record
                for key, own in value.items():
                    config[name][key] = own
            elif name not in ("callbacks", "paths", "compile"):
                config[name] = value
    return identified(Plan([RunPlan.of(config)])).runs[0]
