"""One command trains, measures, records and resumes.

    python launch.py                                  # LeNet on handwritten digits, all probes
    python launch.py -m model=resnet18,vgg16 data=brats,cifar10 n=500,1750
    python launch.py --help

Plan, check, launch, show: this file says in which order; the parts are in their rooms. torch is
imported only once a run really starts, so that mistakes and finished runs answer at once.
"""

import contextlib
import io
import multiprocessing
import os
import shlex
import signal
import sys
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig

from conf.launchers import IN_PROCESS, PROCESSES, name_of
from conf.overrides import spelled
from conf.plan import Plan, plan
from conf.planned import Planned
from launchers import slurm
from launchers.in_process import run_in_turn
from launchers.processes import Command, Processes
from launchers.run import Stopped, run_one
from launchers.say import console, say
from records.attempt import made_by_others, outcome
from records.counted import counted
from records.ranks import is_follower
from records.run_folder import Record, RunFolder
from records.sweep import sweep_id, write_sweep
from records.table import show_run, show_sweep

ROOT = Path(__file__).parent
INNER_GROUPS = "rules/"  # chosen by the preset, the protocol and the experiment
owner = os.getpid()


class Interrupted(BaseException):
    """Ctrl-C or a request to end. Lightning would turn KeyboardInterrupt into exit code 1."""


def interrupt(number: int, _: object) -> None:
    """Signal handler: end now; the last checkpoint stands. Ranks of our own go without a word."""
    if os.getpid() != owner:
        os._exit(128 + number)
    raise Interrupted(128 + number)


def main() -> int:
    """Check the whole command, run it, show what came of it; returns the exit code."""
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
    words = [spelled(word) for word in sys.argv[1:]]
    sys.argv[1:] = sorted(words, key=lambda word: word not in ("-m", "--multirun"))  # anywhere
    planned = plan(sys.argv[1:])
    if planned is None:  # --help and the like
        return explain()
    if planned.problems:
        say("\n".join(planned.problems))
        return 2
    if is_follower():  # rank 1, 2, ... of a run
        run_one(planned.runs[0])
        return 0
    folders = [RunFolder(run.folder, say) for run in planned.runs]
    try:
        before = [folder.read() for folder in folders]
    except OSError as error:
        say(f"{error.filename}: {error.strerror}; set paths.runs=<a folder of your own>.")
        return 2
    finished = sum((record or {}).get("status") == "done" for record in before)
    anew = planned.runs[0].plain["resume"] == "never"
    part = "PLUMBLINE_PART" in os.environ  # one run of a sweep that another process shows
    if not part:
        say(f"{counted(len(folders), 'run')}, {finished} done already.")
        os.environ["PLUMBLINE_SWEEP"] = sweep_id([run.key for run in planned.runs])
    if len(folders) > 1:
        command = shlex.join(["python", "launch.py", *sys.argv[1:]])
        write_sweep([folder.path for folder in folders], command)
    try:
        if anew or finished < len(folders):
            start(planned, before, anew)
    except Stopped:
        if not part:
            say("on_error=stop: the runs after the failed one were not started.")
    except Interrupted as stopped:
        for child in multiprocessing.active_children():  # the other ranks
            child.kill()
        again = "starts anew" if anew else "goes on from the last checkpoint, if there is one yet"
        if not part:
            say(f"Stopped. The same command {again}.")
        return int(stopped.args[0])
    after = before if finished == len(folders) and not anew else [f.read() for f in folders]
    return report(folders, before, after, quiet=part)


def start(planned: Plan, before: list[Record | None], anew: bool) -> None:
    """Every run that is not done: here one by one, in processes, or by a launcher of Hydra's."""
    done = [(record or {}).get("status") == "done" and not anew for record in before]
    runs = [run for run, is_done in zip(planned.runs, done, strict=True) if not is_done]
    name = name_of(planned.launcher)
    if name == PROCESSES:
        processes = Processes(planned.launcher["jobs"], runs[0].plain["on_error"])
        broken = processes.run([Command.of(run) for run in runs])
        if broken:
            say("\n".join(broken))
        if processes.left:
            raise Stopped
    elif name == IN_PROCESS and planned.is_plain:
        run_in_turn(runs)
    else:
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]  # a cluster's workers start elsewhere
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        try:
            job()
        except SystemExit:  # a launcher that lost a job ends so; the records tell what became of it
            say(f"hydra/launcher={name} reports a failure; the table is from the records.")


def explain() -> int:
    """What Hydra prints for `--help` and the like, without the groups that nobody gives."""
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text):
            job()
    except (HydraException, ValueError) as error:
        say(str(error).splitlines()[0])
        return 2
    finally:  # after --help Hydra ends the process
        lines = text.getvalue().splitlines(keepends=True)
        print("".join(line for line in lines if not line.startswith(INNER_GROUPS)), end="")
    return 0


@hydra.main(version_base="1.3", config_path="conf", config_name="config")
def job(config: DictConfig) -> None:
    """One run in a worker of a launcher."""
    if slurm.is_job():
        signal.signal(signal.SIGTERM, slurm.on_request_to_end)
    run_one(Planned.of(config, HydraConfig.get().overrides.task))


def report(
    folders: list[RunFolder],
    before: list[Record | None],
    after: list[Record | None],
    quiet: bool = False,
) -> int:
    """The table of the run, or of all runs of the sweep; the exit code says if any failed."""
    records = [record or {"status": "not run"} for record in after]
    if quiet:
        pass
    elif len(folders) > 1:
        words = [outcome(b, a, f.is_held()) for f, b, a in zip(folders, before, after, strict=True)]
        show_sweep([f.path for f in folders], words, records, console)
    elif records[0]["status"] == "done":
        show_run(folders[0], console)
    failed = [(f, r) for f, r in zip(folders, records, strict=True) if r["status"] == "failed"]
    for folder, record in failed if not quiet else ():
        say(f"\n{folder.path.name} failed: {record['error']}")
        if not record["bad_data"]:
            say(f"Traceback: {', '.join(map(str, folder.tracebacks()))}")
    if not quiet and (others := made_by_others(after)):
        say(f"Made by other versions of this code: commit {', '.join(others)}.")
    if failed and all(record["bad_data"] for _, record in failed):
        return 2
    return 0 if all(record["status"] == "done" for record in records) else 1


if __name__ == "__main__":
    sys.exit(main())
