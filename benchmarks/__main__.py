"""`python -m benchmarks [name ...] [--write]`: run benchmarks, print tables, write them to docs/.

A benchmark is a module of this package with `def run() -> Iterable[Row]`; its docstring's first
line is its title, the rest explains the table. There is no registry: every module of the folder is
a benchmark.
"""

import argparse
import importlib
import inspect
import os
import pkgutil
import platform
import re
import time
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

import benchmarks.harness
from benchmarks.harness import Row

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
NAMES = [
    m.name
    for m in pkgutil.iter_modules(benchmarks.__path__)
    if m.name not in ("harness", "__main__")
]
COLUMNS = ("case", "ours (s)", "peer", "peer (s)", "ratio", "goal", "note")


def cells(row: Row) -> tuple[str, ...]:
    """One row as text, in the order of `COLUMNS`."""
    goal = "" if row.goal is None else f"{row.goal:.2g}x"
    ours, peer = f"{row.ours_seconds:.3g}", f"{row.peer_seconds:.3g}"
    return row.case, ours, row.peer, peer, f"{row.ratio:.2f}x", goal, row.note


def show(title: str, rows: list[Row]) -> None:
    """Print the table; a ratio below its goal is yellow."""
    table = Table(*COLUMNS, title=title)
    for row in rows:
        style = "yellow" if row.goal is not None and row.ratio < row.goal else None
        table.add_row(*cells(row), style=style)
    Console(width=160).print(table)


def keep(name: str, docstring: str, rows: list[Row], remark: str) -> None:
    """Replace the section of this benchmark in docs/performance.md, or append it."""
    title, _, description = docstring.partition("\n")
    title = title.rstrip(".")
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    body = "\n".join(lines)
    command = f"`python -m benchmarks {name}{' --cpu-time' if remark else ''}`{remark}"
    content = "\n\n".join(filter(None, [f"## {title}", description.strip(), command, body]))
    section = f"<!-- {name} -->\n{content}\n<!-- /{name} -->"
    page = PAGE.read_text() if PAGE.exists() else "# Performance\n"
    found = re.compile(rf"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL)
    page = found.sub(lambda _: section, page) if found.search(page) else f"{page}\n{section}\n"
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page)


def main() -> None:
    """Run the benchmarks named on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"any of: {', '.join(NAMES)} (default: all)")
    parser.add_argument(
        "--write", action="store_true", help="write the tables to docs/performance.md"
    )
    parser.add_argument(
        "--cpu-time", action="store_true", help="CPU time of one thread, for a shared machine"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(NAMES)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    remark = ""
    if arguments.cpu_time:
        torch.set_num_threads(1)
        benchmarks.harness.clock = time.process_time
        remark = "\n(CPU seconds of one thread, because other jobs ran on the machine)"
    for name in arguments.names or NAMES:
        module = importlib.import_module(f"benchmarks.{name}")
        docstring = inspect.getdoc(module) or name
        rows: list[Row] = []
        for row in module.run():
            rows.append(row)
            print(f"{row.case}: {row.ours_seconds:.3g} s, {row.ratio:.2f}x {row.peer}", flush=True)
            if arguments.write:  # after every row: an interrupted benchmark leaves what it has
                keep(name, docstring, rows, remark)
        show(docstring.splitlines()[0].rstrip("."), rows)


if __name__ == "__main__":
    main()
