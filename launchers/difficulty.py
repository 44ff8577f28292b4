"""`--difficulty`: check the images of a data set, measure it, compare it with published sets."""

import argparse
import hashlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from analysis.exhibits import NotEnoughError
from analysis.report.data_page import write_data
from analysis.report.difficulty_page import write_difficulty
from analysis.runs.data_names import folder_name
from analysis.runs.records import read_runs
from conf.overrides import quote_for_hydra
from conf.plan import plan
from datamodules.build import unread_data
from datamodules.errors import DataError
from datamodules.image_data import ImageData, ImageModule
from datamodules.scanned_images import LARGEST, ScannedImages, scan
from datamodules.source_images import SourceImages
from datamodules.spec import OWN
from display.terminal_safe import terminal_safe
from records.status import EXIT_FAILED, EXIT_REFUSED

log = logging.getLogger(__name__)

FLAG = "--difficulty"
OURS = ("model", "name", "callbacks", "experiment")  # what this command sets itself


def difficulty(words: Sequence[str], launch: Callable[[list[str]], int]) -> int:
    """Scan, run with `launch`, compare, report; returns the exit code."""
    arguments = _parse(words)
    own = [quote_for_hydra(word) for word in arguments.overrides]
    if mistake := _mistake(own, arguments.target):
        log.error(mistake)
        return EXIT_REFUSED
    folder = _folder(own)
    out = arguments.out or folder / "report"
    own = ["-m"] * arguments.multirun + own
    own += ["model=none", "callbacks=economy", "logger=csv", f"name=difficulty/{folder.name}"]
    data = _data(own)
    try:
        images = None if data is None else _scan(data)
    except DataError as error:
        log.error(terminal_safe(str(error)))
        return EXIT_REFUSED
    if data is not None and images is not None:
        _report_data(data, images, out)
        if images.unreadable and data.on_bad_file == "stop":
            log.error("Replace these files, or leave them out with data.on_bad_file=skip.")
            return EXIT_FAILED
        if not any(word.startswith("n=") for word in own):
            own += _chosen_n(data, images)
    if code := launch(own):
        return code
    source = None if images is None else SourceImages(images.total, images.sizes)
    try:
        text = write_difficulty(read_runs([folder]).done, out, arguments.target, source)
    except NotEnoughError as error:
        log.error(str(error))
        return EXIT_FAILED
    print(f"\n{text}\n\nPicture and text: {out / 'difficulty.png'}, difficulty.md")
    return 0


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python launch.py", description=__doc__)
    parser.add_argument(FLAG, action="store_true", required=True)
    parser.add_argument("--target", type=float, default=0.3, help="test loss to plan n for")
    parser.add_argument(
        "-o", "--out", type=Path, help="where to write; default: <run folder>/report"
    )
    parser.add_argument("-m", "--multirun", action="store_true", help="several values: seed=0,1,2")
    parser.add_argument("overrides", nargs="*", help="data=image_folder data.root=~/mine ...")
    return parser.parse_intermixed_args(words)


def _data(words: list[str]) -> ImageData | None:
    """The data of the first run; None if they are generated, or if the arguments are wrong."""
    planned = plan(words)
    if planned is None or not planned.runs:
        return None  # the launch reports why
    data = unread_data(planned.runs[0].config)
    return data.settings if isinstance(data, ImageModule) else None


def _scan(data: ImageData) -> ScannedImages:
    """Scan every image of a user's set, else the images of the run.

    Raises:
        DataError: the images cannot be listed, labelled or converted to grey levels.
    """
    every = data.name in OWN or not isinstance(data.n, int)  # n=all is a word
    return scan(data, LARGEST if every else data.n)


def _report_data(data: ImageData, images: ScannedImages, out: Path) -> None:
    """Print all problems of the images at once, and write them as a page."""
    name = folder_name(str(data.folder)) if data.folder and data.name in OWN else data.name
    lines = write_data(name, images, out / "data.html")
    for line in (*lines, *(f"Check: {text}." for text in images.warnings)):
        print(terminal_safe(line))
    print(f"With thumbnails: {out / 'data.html'}\n", flush=True)


def _chosen_n(data: ImageData, images: ScannedImages) -> list[str]:
    """The override `n=...` if the test set leaves fewer training images than the default n."""
    if images.most is None or images.most >= data.n:
        return []
    print(f"Fewer images than usual: n={images.most}, all that the test set leaves.", flush=True)
    return [f"n={images.most}"]


def _mistake(words: Sequence[str], target: float) -> str:
    taken = [word for word in words if word.partition("=")[0] in OURS]
    if taken:
        return f"{taken[0]}: {FLAG} measures the data alone and sets this itself; leave it out."
    if not target > 0:
        return f"--target {target}: must be above 0."
    return ""


def _folder(words: Sequence[str]) -> Path:
    """Of the runs: the same words find the same folder, so that nothing is measured twice."""
    runs = [word.partition("=")[2] for word in words if word.startswith("paths.runs=")]
    name = hashlib.sha256(" ".join(sorted(words)).encode()).hexdigest()[:8]
    return Path((runs or ["runs"])[-1].strip("'")) / "difficulty" / name
