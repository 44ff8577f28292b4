"""Execute every experiment under every preset for two steps: time and memory of each.

    python docs/every_experiment.py                    # all of them
    python docs/every_experiment.py konz2024 cpu       # those whose name or preset matches
    python docs/every_experiment.py --missing          # those that have no row "done" yet

One run of each sweep is executed with its own image size and network, on stand-ins where a data set
has one. A hash of the names of experiment and preset chooses the run, so that together the runs
cover many networks and data sets. They are forked from one process that has imported torch, and
share stand-ins and cache. In docs/every-experiment.md only the rows of executed runs are replaced.
"""

import multiprocessing
import os
import resource
import sys
import tempfile
import traceback
import zlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from conf.blocks import HERE, choices_of
from conf.overrides import parse
from conf.plan import plan
from conf.resolve import Plain, look_up
from conf.schema import register
from conf.sweeps import combinations
from records.run_folder import RunFolder

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "every-experiment.md"
PRESETS = ("cpu", "gpu", "published")
IMAGES = 30  # as debug=fast; a sweep's own n would win over that
BATCH = 6
POINTS = 16  # images of a split at which Jacobians are taken; a backward pass per class each
MODELS = 256  # random networks: with 16, estimates of wide networks contradict each other
IMPORTED = ("launch", "callbacks.build", "callbacks.finish", "lightning_modules.build")
MISSING = "--missing"
MARK = "<!-- rows -->"


@dataclass(frozen=True)
class Executed:
    """One run of an experiment under a preset."""

    experiment: str
    preset: str
    run: str
    status: str
    cpu_seconds: str
    peak_gb: str

    def row(self) -> str:
        """A line of the table."""
        return "| " + " | ".join(astuple(self)) + " |"


def cases() -> Iterator[tuple[str, str]]:
    """Every experiment with every preset."""
    for experiment in choices_of(HERE / "experiment"):
        for preset in PRESETS:
            yield experiment, preset


def command(experiment: str, preset: str) -> list[str]:
    """The settings of one run of the sweep.

    Raises:
        ValueError: the run does not compose.
    """
    words = [f"experiment={experiment}", f"preset={preset}", "debug=fast", f"n={IMAGES}"]
    planned = plan(draw(words, f"{experiment}/{preset}"))
    if planned is None or planned.problems:
        raise ValueError(f"{experiment} with preset={preset}: {planned and planned.problems}")
    (run,) = planned.runs
    more = ["standin=true"] if run.plain["data"].get("standin") else []
    if (needed := images_needed(run.plain)) > IMAGES:
        more.append(f"n={-(-needed // IMAGES) * IMAGES}")
    return [*run.overrides, *more, *short(run.plain), *few_points(run.plain)]


def draw(words: list[str], name: str) -> list[str]:
    """One combination of a sweep, drawn by a name; the others are not composed."""
    register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(HERE), version_base="1.3", job_name="launch"):
        hydra = compose("config", words, return_hydra_config=True).hydra
    own = [f"{key}={value}" for key, value in (hydra.sweeper.params or {}).items()]
    jobs = combinations([parse(word) for word in (*own, *words)])
    return jobs[zlib.crc32(name.encode()) % len(jobs)]


def short(settings: Plain) -> Iterator[str]:
    """Settings by which two steps are trained where a sweep's own values win over debug=fast.

    >>> list(short({"epochs": 3000, "batch_size": 6}))
    ['epochs=1']
    """
    for key, most in (("epochs", 1), ("batch_size", BATCH)):
        if settings[key] > most:
            yield f"{key}={most}"


def few_points(settings: Plain) -> Iterator[str]:
    """Settings that reduce the images, or random networks, of a probe.

    >>> list(few_points({"callbacks": {"spectrum": {"train": 128, "test": 2, "gauge": "raw"}}}))
    ['callbacks.spectrum.train=16']
    """
    for name, probe in (settings["callbacks"] or {}).items():
        for key, most in (("train", POINTS), ("test", POINTS), ("models", MODELS)):
            if type(probe.get(key)) is int and probe[key] > most:
                yield f"callbacks.{name}.{key}={most}"


def images_needed(settings: Plain) -> int:
    """The least n of a run: one image per component, and one per class after pruning.

    >>> images_needed({"task": {"direction": 60}, "data": {}})
    61
    """
    components = look_up(settings, "data.transforms.mixture.components") or 0
    kept = look_up(settings, "data.transforms.components.keep") or []
    values = (look_up(settings, "data.channels") or 1) * (look_up(settings, "data.size") or 1) ** 2
    direction = look_up(settings, "task.direction")
    pruned = look_up(settings, "data.transforms.prune.fraction") or 0
    numbered = direction + 1 if isinstance(direction, int) else 0
    return max(components, numbered, ceil(10 / (1 - pruned)), images_of_components(kept, values))


def images_of_components(kept: list[list[int]], values: int) -> int:
    """Images in which the principal components of these ranges have variance.

    N images have N - 1. A range may end with the last component, which is the last pixel value.

    >>> images_of_components([[0, 16], [512, 3072]], 3072), images_of_components([[0, 64]], 3072)
    (513, 65)
    """
    return 1 + max((place for ends in kept for place in ends if place < values), default=0)


def execute(experiment: str, preset: str, home: Path) -> Executed:
    """Execute a run in its own process; `home` has its folder, stand-ins and cache."""
    runs = home / "runs" / f"{experiment}-{preset}"
    more = [f"paths.runs={runs}", f"paths.cache={home}/cache", f"paths.data={ROOT}/data"]
    more += ["logger=csv", "threads=1", "probes.on_error=stop"]
    os.environ["OMP_NUM_THREADS"] = "1"  # of the process that is forked, before it imports torch
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(IMPORTED))
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(experiment, preset, more, home, sender))
    process.start()
    sender.close()
    try:
        seconds, peak = receiver.recv()
    except EOFError:  # it was killed
        seconds = peak = float("nan")
    process.join()
    folders = [RunFolder(path.parent) for path in runs.glob("**/record.json")]
    record = (folders[0].read() if folders else None) or {}
    status = str(record.get("status", f"no record, exit code {process.exitcode}"))
    if status == "failed":
        status = f"failed: {str(record.get('error', ''))[:120]}".replace("|", "/")
    name = folders[0].path.name if folders else ""
    return Executed(experiment, preset, name, status, f"{seconds:.0f}", f"{peak:.1f}")


def _run(experiment: str, preset: str, more: list[str], home: Path, answer: Connection) -> None:
    """Runs in the process: output goes to `home/output.txt`, time and memory to `answer`."""
    import launch

    with (home / "output.txt").open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.chdir(home)
    try:
        sys.argv = ["launch.py", *command(experiment, preset), *more]
        code = launch.main()
    except BaseException:  # reported by the exit code; the output has the reason
        traceback.print_exc()
        code = 1
    used = resource.getrusage(resource.RUSAGE_SELF)
    answer.send((used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6))
    sys.exit(code)


def known() -> dict[tuple[str, str], Executed]:
    """The rows of the page."""
    found = {}
    lines = PAGE.read_text().partition(MARK)[2].splitlines() if PAGE.exists() else []
    for line in lines:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) == len(fields(Executed)) and cells[1] in PRESETS:
            row = Executed(*cells)
            found[row.experiment, row.preset] = row
    return found


def write(rows: dict[tuple[str, str], Executed]) -> None:
    """Rewrite the table of the page."""
    head = PAGE.read_text().partition(MARK)[0] + MARK
    order = {case: place for place, case in enumerate(cases())}
    kept = [rows[case] for case in sorted(rows.keys() & order.keys(), key=order.__getitem__)]
    names = [field.name.replace("_", " ") for field in fields(Executed)]
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    PAGE.write_text("\n".join([head, "", *lines, *(row.row() for row in kept), ""]))


def main(words: list[str]) -> None:
    """Execute what matches all words, and rewrite the table after each run."""
    rows = known()
    done = {case for case, row in rows.items() if row.status.startswith("done")}
    left = done if MISSING in words else set()
    words = [word for word in words if word != MISSING]
    with tempfile.TemporaryDirectory() as home:
        for experiment, preset in sorted(cases(), key=lambda case: PRESETS.index(case[1])):
            matches = all(word in experiment or word == preset for word in words)
            if matches and (experiment, preset) not in left:
                rows[experiment, preset] = row = execute(experiment, preset, Path(home))
                print(row.row(), flush=True)
                write(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
