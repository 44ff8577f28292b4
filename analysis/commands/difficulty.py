"""Where a data set lies among the published ones: d, K_F, expected fragility, rough n."""

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

from analysis.difficulty import describe, measured
from analysis.exhibits import NotEnoughError
from analysis.landscape import landscape
from analysis.make import mark_standins
from analysis.records import read_runs
from analysis.rendering import pictures
from analysis.style import style
from conf.overrides import quote_for_hydra
from conf.plan import plan
from datamodules.build import unread_data
from datamodules.source_images import SourceImages
from records.atomic import replacing, write_text
from records.run_folder import RunFolder
from records.schema import entry

LAUNCH = Path(__file__).parents[2] / "launch.py"
OURS = ("model", "name", "callbacks", "experiment")  # what this command sets itself


def main(argv: Sequence[str]) -> int:
    """Measure by launch.py, compare, write, say; its exit code where the data could not be read."""
    arguments = _parse(argv)
    words = arguments.overrides
    if mistake := _mistake(words, arguments.target):
        print(mistake, file=sys.stderr)
        return 2
    folder = _folder(words)
    ours = ["model=none", "callbacks=economy", "logger=csv", f"name=difficulty/{folder.name}"]
    several = ["-m"] if arguments.multirun else []
    launch = [sys.executable, str(LAUNCH), *several, *words, *ours]
    given = any(word.startswith("n=") for word in words)
    first = subprocess.run(launch, check=False, text=True, stdout=None if given else PIPE)
    code = first.returncode
    if limit := None if given else _limit(folder):
        print(f"Fewer images than usual: n={limit}, all that the test set leaves.", flush=True)
        code = subprocess.run([*launch, f"n={limit}"], check=False).returncode
    elif not given:
        print(first.stdout, end="", flush=True)
    if code:
        return code
    runs = read_runs([folder]).done
    try:
        found = measured(runs)
    except NotEnoughError as error:
        print(error, file=sys.stderr)
        return 1
    with style():
        figure = landscape(found)
    mark_standins(figure, runs[runs.standin].data.unique(), alone=bool(runs.standin.all()))
    text = describe(found, arguments.target, _source([*several, *words, *ours]))
    out = arguments.out or folder / "report"
    for form, content in pictures(figure, "difficulty").items():
        with replacing(out / f"difficulty.{form}") as temporary:
            temporary.write_bytes(content)
    write_text(out / "difficulty.md", f"{text}\n\n![d and K_F](difficulty.png)\n")
    print(f"\n{text}\n\nPicture and text: {out / 'difficulty.png'}, difficulty.md")
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m analysis difficulty", description=__doc__)
    parser.add_argument("--target", type=float, default=0.3, help="test loss to plan n for")
    parser.add_argument("--out", type=Path, help="where to write; default: <run folder>/report")
    parser.add_argument("-m", "--multirun", action="store_true", help="several values: seed=0,1,2")
    parser.add_argument(
        "overrides", nargs="*", help="as of launch.py: data=image_folder data.root=~/mine"
    )
    return parser.parse_args(argv)


def _source(words: Sequence[str]) -> SourceImages | None:
    """The images that the runs of this command are drawn from."""
    planned = plan([quote_for_hydra(word) for word in words])
    return SourceImages.of(unread_data(planned.runs[0].config)) if planned else None


def _limit(folder: Path) -> int | None:
    """The largest n that there is, where a run failed for asking more."""
    records = [RunFolder(file.parent).read() or {} for file in folder.glob("*/record.json")]
    limits = [entry(record, "limits.n") for record in records if record.get("status") == "failed"]
    return next((limit for limit in limits if limit), None)


def _mistake(words: Sequence[str], target: float) -> str:
    taken = [word for word in words if word.partition("=")[0] in OURS]
    if taken:
        return f"{taken[0]}: difficulty measures the data alone and sets this itself; leave it out."
    if not target > 0:
        return f"--target {target}: a test loss above 0."
    return ""


def _folder(words: Sequence[str]) -> Path:
    """Of the runs: the same words find the same folder, so that nothing is measured twice."""
    runs = [word.partition("=")[2] for word in words if word.startswith("paths.runs=")]
    name = hashlib.sha256(" ".join(sorted(words)).encode()).hexdigest()[:8]
    return Path((runs or ["runs"])[-1]).expanduser() / "difficulty" / name
