"""Where a data set lies among the published ones: d, K_F, expected fragility, rough n."""

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.data_findings import find_problems
from analysis.difficulty import describe, measured
from analysis.exhibits import NotEnoughError
from analysis.landscape import landscape
from analysis.make import mark_standins
from analysis.records import read_runs
from analysis.rendering import pictures
from analysis.report.data_page import render_data
from analysis.run_row import OWN
from analysis.style import style
from conf.overrides import quote_for_hydra
from conf.plan import plan
from datamodules.build import unread_data
from datamodules.errors import DataError
from datamodules.image_data import ImageData, ImageModule
from datamodules.scanned_images import LARGEST, ScannedImages, scan
from datamodules.source_images import SourceImages
from display.terminal_safe import terminal_safe
from records.atomic import replacing, write_text

LAUNCH = Path(__file__).parents[2] / "launch.py"
OURS = ("model", "name", "callbacks", "experiment")  # what this command sets itself


def main(argv: Sequence[str]) -> int:
    """Measure with launch.py, compare, report; returns launch.py's exit code if it fails."""
    arguments = _parse(argv)
    words = arguments.overrides
    if mistake := _mistake(words, arguments.target):
        print(mistake, file=sys.stderr)
        return 2
    folder = _folder(words)
    out = arguments.out or folder / "report"
    ours = ["model=none", "callbacks=economy", "logger=csv", f"name=difficulty/{folder.name}"]
    several = ["-m"] if arguments.multirun else []
    data = _data([*several, *words, *ours])
    images = None if data is None else _scan(data)
    chosen: list[str] = []
    if data is not None and images is not None:
        _report_data(data, images, out)
        if images.unreadable and data.on_bad_file == "stop":
            way_out = "Replace these files, or leave them out with data.on_bad_file=skip."
            print(way_out, file=sys.stderr)
            return 1
        if not any(word.startswith("n=") for word in words):
            chosen = _chosen_n(data, images)
    launch = [sys.executable, str(LAUNCH), *several, *words, *ours, *chosen]
    if code := subprocess.run(launch, check=False).returncode:
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
    source = None if images is None else SourceImages(images.total, images.sizes)
    text = describe(found, arguments.target, source)
    for form, content in pictures(figure, "difficulty").items():
        with replacing(out / f"difficulty.{form}") as temporary:
            temporary.write_bytes(content)
    write_text(out / "difficulty.md", f"{text}\n\n![d and K_F](difficulty.png)\n")
    print(f"\n{text}\n\nPicture and text: {out / 'difficulty.png'}, difficulty.md")
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m analysis difficulty", description=__doc__)
    parser.add_argument("--target", type=float, default=0.3, help="test loss to plan n for")
    parser.add_argument(
        "-o", "--out", type=Path, help="where to write; default: <run folder>/report"
    )
    parser.add_argument("-m", "--multirun", action="store_true", help="several values: seed=0,1,2")
    parser.add_argument(
        "overrides", nargs="*", help="as of launch.py: data=image_folder data.root=~/mine"
    )
    return parser.parse_args(argv)


def _data(words: Sequence[str]) -> ImageData | None:
    """The data of the first run; None if they are generated, or if the arguments are wrong."""
    planned = plan([quote_for_hydra(word) for word in words])
    if planned is None or not planned.runs:
        return None  # launch.py says why
    data = unread_data(planned.runs[0].config)
    return data.settings if isinstance(data, ImageModule) else None


def _scan(data: ImageData) -> ScannedImages | None:
    """Scan every image of a user's set, else the images of the run; None if none can be listed."""
    try:
        every = data.name in OWN or not isinstance(data.n, int)  # n=all is a word
        return scan(data, LARGEST if every else data.n)
    except DataError:
        return None  # launch.py says why


def _report_data(data: ImageData, images: ScannedImages, out: Path) -> None:
    """Print all problems of the images at once, and write them as a page."""
    found = find_problems(images)
    name = data.folder.stem if data.folder and data.name in OWN else data.name
    write_text(out / "data.html", render_data(name, found))
    for line in found.lines():
        print(terminal_safe(line))
    print(f"Images: {out / 'data.html'}\n", flush=True)


def _chosen_n(data: ImageData, images: ScannedImages) -> list[str]:
    """The override `n=...` if the test set leaves fewer training images than the default n."""
    if images.most is None or images.most >= data.n:
        return []
    print(f"Fewer images than usual: n={images.most}, all that the test set leaves.", flush=True)
    return [f"n={images.most}"]


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
