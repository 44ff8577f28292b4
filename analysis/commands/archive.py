"""Write settings, numbers, curves and provenance of many runs into one small Parquet file.

Every other command reads the file as it reads run folders. It has no images, weights or
predictions, and names no folder of this machine. An archive that exists already grows: its runs are
kept, and of a run that is in several places the one that finished last.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.runs.portable import portable_runs
from analysis.runs.records import read_runs
from display.steps import working
from records.archive import SUFFIX, write_archive
from records.counted import counted
from records.status import FINISHED


def main(argv: Sequence[str]) -> int:
    """Read, write, report; returns 0, 1 if something could not be read, 2 for a wrong command."""
    parser = argparse.ArgumentParser(prog="python -m analysis archive", description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, help="run folders or archives")
    parser.add_argument("-o", "--out", type=Path, required=True, help="evidence/<study>.parquet")
    parser.add_argument("--replace", action="store_true", help="drop the runs of an older archive")
    arguments = parser.parse_args(argv)
    out = arguments.out
    if out.suffix != SUFFIX:
        print(f"-o {out}: the file's name ends in {SUFFIX}", file=sys.stderr)
        return 2
    older = [out] if out.exists() and not arguments.replace else []
    try:
        with working("reading records"):
            runs = read_runs([*older, *arguments.sources])
            table = runs.table
            kept = table[table.status.isin(FINISHED | {"failed"})]
            found = list(portable_runs(zip(kept.path, kept.experiment, kept.data, strict=True)))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not found:
        print("no run is finished yet; nothing was written", file=sys.stderr)
        return 2
    write_archive(out, found)
    for path, reason in zip(runs.broken.path, runs.broken.reason, strict=True):
        print(f"left out: {path}: {reason}", file=sys.stderr)
    left = len(table) - len(kept)
    later = f"; {counted(left, 'unfinished run')} left out: run this again later" if left else ""
    print(f"{out}: {counted(len(found), 'run')}, {out.stat().st_size:,} bytes{later}.")
    return 1 if len(runs.broken) else 0
