"""Make the README's pictures: `python docs/pictures.py`. Runs the default command."""

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from records.run_folder import RunFolder  # noqa: E402
from records.table import show_run  # noqa: E402


def main() -> None:
    """Run; draw the final table as SVG, and take two of the run's figures."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(
            [sys.executable, str(ROOT / "launch.py"), "logger=csv"], cwd=name, check=True
        )
        (record,) = Path(name).glob("runs/*/*/record.json")
        console = Console(record=True, width=76, file=io.StringIO())
        folder = RunFolder(record.parent)
        show_run(folder, console)
        svg = console.export_svg(title="python launch.py").replace(name + "/", "")
        images = ROOT / "docs" / "images"
        images.mkdir(exist_ok=True)
        (images / "run.svg").write_text(svg)
        for figure in ("data_closest_pair.png", "test_fgsm_examples.png"):
            shutil.copy(folder.figures / figure, images / figure)


if __name__ == "__main__":
    main()
