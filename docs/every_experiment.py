"""Execute every experiment under every preset for two steps: time and memory of each.

    python docs/every_experiment.py                    # all of them: hours on two cores
    python docs/every_experiment.py konz2024 cpu       # those whose name or preset matches

One run of each sweep is executed at its true image size and with its true network, on stand-ins
where images are missing. The table in docs/every-experiment.md keeps the rows that are not made
anew. The run is drawn by the names of experiment and preset, so that together they cover networks
and data sets.
"""

import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from conf.blocks import HERE, choices_of
from conf.plan import plan
from records.run_folder import RunFolder

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "every-experiment.md"
PRESETS = ("cpu", "gpu", "published")
QUICK = ("debug=fast", "n=120", "standin=true")  # above 100, the components of dataset_noise
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
        ValueError: the experiment does not compose.
    """
    words = ["-m", f"experiment={experiment}", f"preset={preset}", *QUICK]
    planned = plan(words)
    if planned is None or planned.problems:
        raise ValueError(f"{experiment} with preset={preset}: {planned and planned.problems}")
    drawn = zlib.crc32(f"{experiment}/{preset}".encode()) % len(planned.runs)
    return list(planned.runs[drawn].overrides)


def execute(experiment: str, preset: str, home: Path) -> Executed:
    """Start a run in a process of its own and wait for it; `home` keeps its folder and data."""
    words = command(experiment, preset)
    places = [f"paths.{name}={home}/{name}" for name in ("runs", "data", "cache")]
    arguments = [*words, *places, "logger=csv", "threads=1", "probes.on_error=stop"]
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "launch.py"), *arguments],
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    records = [RunFolder(p.parent) for p in sorted(home.glob("runs/**/record.json"))]
    newest = max(records, key=lambda folder: folder.record_file.stat().st_mtime, default=None)
    record = (newest.read() if newest else None) or {}
    status = str(record.get("status", f"no record, exit code {process.returncode}"))
    if status == "failed":
        status = f"failed: {str(record.get('error', ''))[:120]}".replace("|", "/")
    name = newest.path.name if newest else ""
    seconds = used.ru_utime + used.ru_stime
    return Executed(
        experiment, preset, name, status, f"{seconds:.0f}", f"{used.ru_maxrss / 1e6:.1f}"
    )


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
    """Renew the table of the page."""
    head = PAGE.read_text().partition(MARK)[0] + MARK
    order = {case: place for place, case in enumerate(cases())}
    kept = [rows[case] for case in sorted(rows.keys() & order.keys(), key=order.__getitem__)]
    names = [field.name.replace("_", " ") for field in fields(Executed)]
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    PAGE.write_text("\n".join([head, "", *lines, *(row.row() for row in kept), ""]))


def main(words: list[str]) -> None:
    """Execute what matches all words, and renew the table after each."""
    rows = known()
    for experiment, preset in cases():
        if all(word in experiment or word == preset for word in words):
            with tempfile.TemporaryDirectory() as home:
                rows[experiment, preset] = done = execute(experiment, preset, Path(home))
            print(done.row(), flush=True)
            write(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
