"""A sweep of 1,000 tiny runs: memory, start of a run, relaunch of the finished sweep, report.

The runs are executed one after the other in one process. The cost of a run is almost all overhead
(it trains one epoch of one batch): configuration, building, Lightning's set-up, the record.
`PLUMBLINE_RUNS` sets another number of runs.
"""

import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Row, child

RUNS = int(os.environ.get("PLUMBLINE_RUNS", "1000"))
WARM = 50  # runs after which memory should not grow

# Executed in the process of the sweep: writes time and resident memory after every run.
WATCH = """
import sys, time
import launch, launchers.in_process
log = open(sys.argv.pop(1), "w", buffering=1)
whole = launchers.in_process.run_one
def watched(run, **options):
    start = time.perf_counter(), time.process_time()
    whole(run, **options)
    taken = time.perf_counter() - start[0], time.process_time() - start[1]
    pages = int(open("/proc/self/statm").read().split()[1])
    print(*taken, pages * 4096, file=log)
launchers.in_process.run_one = watched
sys.argv[0] = "launch.py"
sys.exit(launch.main())
"""


def run() -> Iterator[Row]:
    """The limits of a long sweep, one row each; the peer is the limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [
            *("-m", "name=sweep", "model=mlp", "n=10", "data.test_n=10"),
            *("epochs=1", "callbacks=none", "logger=csv", f"seed=range(0,{RUNS})"),
            *(f"paths.runs={folder}/runs", f"paths.cache={folder}/cache"),
        ]
        log = folder / "log"
        child("-c", WATCH, str(log), *words)
        rows = [tuple(map(float, line.split())) for line in log.read_text().splitlines()]
        warm = rows[WARM:]
        wall, work = (statistics.median(row[i] for row in warm) for i in (0, 1))
        memory = [row[2] / 2**20 for row in rows]
        grown = max(memory[WARM:]) / memory[WARM - 1] - 1
        note = f"CPU time; {wall:.2f} s wall time"
        yield Row(f"a run of {RUNS}, after warm-up", work, "target", 0.5, 1.0, note)
        yield Row(
            f"memory after run {RUNS} (GB)",
            memory[-1] / 1024,
            f"after run {WARM}, and 5 %",
            memory[WARM - 1] * 1.05 / 1024,
            1.0,
            f"at most {100 * grown:.1f} % more",
        )
        again = child("launch.py", *words)[1]
        yield Row(f"{RUNS} finished runs launched again", again, "target", 5.0, 1.0, "CPU time")
        report = child("-m", "analysis", f"{folder}/runs/sweep")[1]
        yield Row(f"python -m analysis on {RUNS} runs", report, "target", 10.0, 1.0, "CPU time")
