"""Make the README's pictures: `python docs/pictures.py`. Runs the README's commands, for minutes.

The picture of the report needs Chromium; without Chromium it is not changed.
"""

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from display.table import show_run  # noqa: E402
from records.run_folder import RunFolder  # noqa: E402

IMAGES = ROOT / "docs" / "images"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SCREEN = "1200,1560"


def main() -> None:
    """Make one run and a small sweep in a temporary folder, and copy their pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        python(home, str(ROOT / "launch.py"), "logger=csv")
        (record,) = home.glob("runs/*/*/record.json")
        picture_run(RunFolder(record.parent), home)
        python(home, str(ROOT / "launch.py"), "-m", "experiment=tour", "logger=csv")
        python(ROOT, "-m", "analysis", str(home / "runs" / "tour"))
        picture_report(home / "runs" / "tour" / "report" / "report.html", home)


def python(where: Path, *arguments: str) -> None:
    """Execute a command of the README."""
    subprocess.run([sys.executable, *arguments], cwd=where, check=True)


def picture_run(folder: RunFolder, home: Path) -> None:
    """The table at the end of a run as SVG, and three of its figures."""
    console = Console(record=True, width=76, file=io.StringIO())
    show_run(folder, console)
    svg = console.export_svg(title="python launch.py").replace(f"{home}/", "")
    (IMAGES / "run.svg").write_text(svg)
    for figure in ("course.png", "data_closest_pair.png", "test_fgsm_examples.png"):
        shutil.copy(folder.figures / figure, IMAGES / figure)


def picture_report(page: Path, home: Path) -> None:
    """A picture of the first screens of the report."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None:
        print("No Chromium here: docs/images/report.png is not changed.")
        return
    flags = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SCREEN}")
    target = f"--screenshot={IMAGES / 'report.png'}"
    profile = f"--user-data-dir={home / 'profile'}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([browser, *flags, profile, target, page.as_uri()], check=True, **quiet)


if __name__ == "__main__":
    main()
