"""One command trains, measures, records and resumes.

    python launch.py                                  # LeNet on handwritten digits, all probes
    python launch.py -m model=resnet18,vgg16 data=brats,cifar10 n=500,1750
    python launch.py --help

Compose, check, build, fit, test, record: this file says in which order; the parts are in their
rooms. torch is imported only once a run really starts, so that mistakes and finished runs answer at
once.
"""

import hashlib
import multiprocessing
import os
import shlex
import signal
import sys
import traceback

import hydra
from omegaconf import DictConfig
from rich.console import Console

from conf.plan import Planned, plan
from conf.schema import register
from records.attempt import begin, decide, fail, note_devices, succeed
from records.ranks import is_follower
from records.run_folder import RunFolder
from records.table import show_run, show_sweep

console = Console(soft_wrap=True, highlight=False)
left = 1  # runs still to do in this command, the present one included


class Interrupted(BaseException):
    """Ctrl-C or a request to end. Lightning would turn KeyboardInterrupt into exit code 1."""


def interrupt(number: int, _: object) -> None:
    """Signal handler: end now; the last checkpoint stands."""
    raise Interrupted(128 + number)


def say(text: str) -> None:
    """A sentence to whoever is watching."""
    console.print(text, markup=False)


def main() -> int:
    """Check the whole command, run it, show what came of it; returns the exit code."""
    global left
    register()
    sys.argv[1:] = sorted(
        sys.argv[1:], key=lambda word: word not in ("-m", "--multirun")
    )  # anywhere
    planned = plan(sys.argv[1:])
    if planned is None:  # --help, --cfg job and the like
        job()
        return 0
    if is_follower():
        job()
        return 0
    if planned.problems:
        say("\n".join(planned.problems))
        return 2
    folders = [RunFolder(run.folder, say) for run in planned.runs]
    before = [folder.status for folder in folders]
    finished = before.count("done")
    left = len(folders) - finished
    say(f"{len(folders)} run{'s' * (len(folders) > 1)}, {finished} done already.")
    keys = " ".join(sorted(run.key for run in planned.runs))
    os.environ["PLUMBLINE_SWEEP"] = hashlib.sha256(keys.encode()).hexdigest()[:8]
    if left or planned.runs[0].config.resume.name == "never":
        signal.signal(signal.SIGINT, interrupt)
        os.register_at_fork(after_in_child=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        signal.signal(signal.SIGTERM, interrupt)
        try:
            job()
        except Interrupted as stopped:
            for child in multiprocessing.active_children():  # the other ranks
                child.kill()
            say("Stopped. The same command goes on from the last checkpoint.")
            return int(stopped.args[0])
    return report(folders, before)


@hydra.main(version_base="1.3", config_path="conf", config_name="config")
def job(config: DictConfig) -> None:
    """One run: lock its folder, skip or go on or start, and leave a record whatever happens."""
    global left
    run = Planned(config, ())
    folder = RunFolder(run.folder, say)
    if is_follower():
        train(config, run, folder)
        return
    with folder.lock():
        record = folder.read()
        checkpointed = any(folder.checkpoints.glob("*.ckpt"))
        try:
            decision = decide(record, checkpointed, config.resume.name, run.key)
            if decision == "skip":
                return
            if decision == "start":
                folder.clear()
            begin(
                folder,
                run.settings,
                standin=config.standin,
                protocol=config.protocol,
                preset=config.preset,
                command=shlex.join(["python", "launch.py", *sys.argv[1:]]),
            )
            train(config, run, folder)
        except Exception as error:
            fail(folder, error, traceback.format_exc())
            if config.on_error.name == "stop":
                raise SystemExit(1) from error
        finally:
            left -= 1


def train(config: DictConfig, run: Planned, folder: RunFolder) -> None:
    """Build, fit, test, record."""
    from callbacks.build import build_loggers, build_probes, build_trainer
    from callbacks.checkpoint import find_checkpoint, restore_callbacks
    from callbacks.finish import close, final_scalars, measure_data, reload
    from datamodules.build import build_data
    from lightning_modules.build import build_classifier

    data = build_data(config)
    probes = build_probes(config)
    loggers = build_loggers(config, run.settings, folder)
    try:
        if config.model.network is None:
            note_devices(folder, devices=1)
            measure_data(data, probes, loggers, config.seed)
        else:
            module = build_classifier(config, data.spec)
            trainer = build_trainer(config, probes, loggers, folder, left, say)
            if trainer.is_global_zero:
                note_devices(folder, trainer.world_size)
            checkpoint = find_checkpoint(folder.checkpoints, say)
            trainer.fit(module, datamodule=data, ckpt_path=checkpoint)
            reload(loggers)
            if trainer.world_size > 1:
                restore_callbacks(trainer, folder.checkpoints)
            trainer.test(module, datamodule=data, verbose=False)
    finally:
        close(loggers)
    if not is_follower():
        succeed(folder, final_scalars(loggers), data.spec.as_dict(), list(data.notes))


def report(folders: list[RunFolder], before: list[str]) -> int:
    """The table of the run, or of all runs of the sweep; the exit code says if any failed."""
    after = [folder.status for folder in folders]
    if len(folders) > 1:
        seen = {
            ("done", "done"): "skipped",
            ("running", "done"): "resumed",
            ("failed", "done"): "resumed",
        }
        words = [seen.get(pair, pair[1]) for pair in zip(before, after, strict=True)]
        show_sweep([(f.path, word) for f, word in zip(folders, words, strict=True)], console)
    elif after == ["done"]:
        show_run(folders[0], console)
    failed = [folder for folder, status in zip(folders, after, strict=True) if status == "failed"]
    for folder in failed:
        record = folder.read() or {}
        say(f"\n{folder.path.name} failed: {record['error']}")
        if not record["bad_data"]:
            say(f"Traceback: {folder.traceback_file}")
    if failed and all((folder.read() or {})["bad_data"] for folder in failed):
        return 2
    return 0 if all(status == "done" for status in after) else 1


if __name__ == "__main__":
    sys.exit(main())
