"""One command trains, measures, records and resumes.

    python launch.py                                  # LeNet on handwritten digits, all probes
    python launch.py -m model=resnet18,vgg16 data=brats,cifar10 n=500,1750
    python launch.py --help

Compose, check, build, fit, test, record: this file says in which order; the parts are in their
rooms. torch is imported only once a run really starts, so that mistakes and finished runs answer at
once.
"""

import multiprocessing
import os
import shlex
import signal
import sys
import traceback
from pathlib import Path

import hydra
from omegaconf import DictConfig
from rich.console import Console

from conf.plan import Planned, plan
from conf.schema import register
from records.attempt import begin, decide, fail, note_devices, outcome, succeed
from records.checkpoints import find_checkpoint
from records.ranks import is_follower
from records.run_folder import RunFolder
from records.sweep import sweep_id, write_sweep
from records.table import show_run, show_sweep

console = Console(soft_wrap=True, highlight=False)
owner = os.getpid()
left = 1  # runs still to do in this command, the present one included
decisions: dict[Path, str] = {}  # skip | go on | start, of the runs made in this process


class Stopped(BaseException):
    """`on_error=stop`, and a run failed: the sweep ends here."""


class Interrupted(BaseException):
    """Ctrl-C or a request to end. Lightning would turn KeyboardInterrupt into exit code 1."""


def interrupt(number: int, _: object) -> None:
    """Signal handler: end now; the last checkpoint stands. Ranks of our own go without a word."""
    if os.getpid() != owner:
        os._exit(128 + number)
    raise Interrupted(128 + number)


def say(text: str) -> None:
    """A sentence to whoever is watching."""
    console.print(text, markup=False)


def command() -> str:
    """What was typed."""
    return shlex.join(["python", "launch.py", *sys.argv[1:]])


def main() -> int:
    """Check the whole command, run it, show what came of it; returns the exit code."""
    global left
    decisions.clear()
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
    home = f"={Path.home()}/"
    words = [word.replace("=~/", home, 1) for word in sys.argv[1:]]  # no shell expands key=~/path
    sys.argv[1:] = sorted(words, key=lambda word: word not in ("-m", "--multirun"))  # anywhere
    register()
    planned = plan(sys.argv[1:])
    if planned is None or is_follower():  # --help and the like, or rank 1, 2, ... of a run
        job()
        return 0
    if planned.problems:
        say("\n".join(planned.problems))
        return 2
    folders = [RunFolder(run.folder, say) for run in planned.runs]
    before = [folder.status for folder in folders]
    finished = before.count("done")
    anew = planned.runs[0].config.resume.name == "never"
    left = len(folders) if anew else len(folders) - finished
    say(f"{len(folders)} run{'s' * (len(folders) > 1)}, {finished} done already.")
    os.environ["PLUMBLINE_SWEEP"] = sweep_id([run.key for run in planned.runs])
    if len(folders) > 1:
        write_sweep([folder.path for folder in folders], command())
    try:
        if left:
            job()
    except Stopped:
        say("on_error=stop: the runs after the failed one were not started.")
    except Interrupted as stopped:
        for child in multiprocessing.active_children():  # the other ranks
            child.kill()
        again = "starts anew" if anew else "goes on from the last checkpoint"
        say(f"Stopped. The same command {again}.")
        return int(stopped.args[0])
    return report(folders, before)


@hydra.main(version_base="1.3", config_path="conf", config_name="config")
def job(config: DictConfig) -> None:
    """One run: lock its folder, skip or go on or start, and leave a record whatever happens."""
    global left
    run = Planned(config, ())
    folder = RunFolder(run.folder, say)
    if is_follower():
        train(config, run, folder, find_checkpoint(folder.checkpoints, say))
        return
    try:
        with folder.lock():
            folder.set_aside_if_broken()
            checkpoint = find_checkpoint(folder.checkpoints, say)
            decision = decide(folder.read(), checkpoint is not None, config.resume.name, run.key)
            decisions[folder.path] = decision
            if decision == "skip":
                return
            if decision == "go on":
                say(f"{run.key}: goes on from {checkpoint}.")
            if decision == "start":
                if folder.status != "new":
                    say(f"{run.key}: starts from nothing.")
                folder.clear()
                checkpoint = None
            begin(
                folder,
                run.settings,
                standin=config.standin,
                protocol=config.protocol,
                preset=config.preset,
                command=command(),
            )
            train(config, run, folder, checkpoint)
            left -= 1
    except Exception as error:
        left -= 1
        fail(folder, error, traceback.format_exc())
        if config.on_error.name == "stop":
            raise Stopped from error


def train(config: DictConfig, run: Planned, folder: RunFolder, checkpoint: Path | None) -> None:
    """Build, fit, test, record."""
    from callbacks.build import build_loggers, build_probes, build_trainer
    from callbacks.checkpoint import restore_callbacks
    from callbacks.finish import close, final_scalars, measure_data, reload
    from datamodules.build import build_data
    from lightning_modules.build import build_classifier

    data = build_data(config)
    probes = build_probes(config)
    loggers = build_loggers(config, run.settings, folder)
    failed = True
    try:
        if config.model.network is None:
            note_devices(folder, devices=1)
            measure_data(data, probes, loggers, config.seed)
        else:
            module = build_classifier(config, data.spec)
            trainer = build_trainer(config, probes, loggers, folder, left, say)
            if trainer.is_global_zero:
                note_devices(folder, trainer.world_size)
            trainer.fit(module, datamodule=data, ckpt_path=checkpoint)
            reload(loggers)
            if trainer.world_size > 1:
                restore_callbacks(trainer, folder.checkpoints)
            trainer.test(module, datamodule=data, verbose=False)
        failed = False
    finally:
        close(loggers, failed)
    if not is_follower():
        succeed(folder, final_scalars(loggers), data.spec.as_dict(), list(data.notes))


def report(folders: list[RunFolder], before: list[str]) -> int:
    """The table of the run, or of all runs of the sweep; the exit code says if any failed."""
    records = [folder.read() or {"status": "not run"} for folder in folders]
    after = [record["status"] for record in records]
    if len(folders) > 1:
        words = [
            outcome(decisions.get(folder.path), b, a)
            for folder, b, a in zip(folders, before, after, strict=True)
        ]
        show_sweep([(f.path, word) for f, word in zip(folders, words, strict=True)], console)
    elif after == ["done"]:
        show_run(folders[0], console)
    failed = [(f, r) for f, r in zip(folders, records, strict=True) if r["status"] == "failed"]
    for folder, record in failed:
        say(f"\n{folder.path.name} failed: {record['error']}")
        if not record["bad_data"]:
            say(f"Traceback: {folder.traceback_file}")
    if failed and all(record["bad_data"] for _, record in failed):
        return 2
    return 0 if all(status == "done" for status in after) else 1


if __name__ == "__main__":
    sys.exit(main())
