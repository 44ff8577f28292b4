"""Redraw the pictures of the atlas from finished runs.

    python launch.py -m experiment=konz2024/generalization preset=cpu standin=true   # and so on
    python -m docs.atlas_pictures runs

Each figure for which the finished runs of `preset=cpu` suffice is redrawn; the other pictures stay.
Pictures have few pixels and colours, because they are part of the repository (under 3 MB in all).
"""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from analysis.atlas import picture
from analysis.exhibits import discover
from analysis.make import make
from analysis.runs.records import read_runs
from analysis.statistics.grid import prefer_real
from records.atomic import replacing

WIDTH = 800  # pixels, at most
COLOURS = 64  # of a palette: a third of the bytes, without a visible difference


def main(folders: Sequence[str]) -> int:
    """Draw and write the pictures; print their names and sizes."""
    if not folders:
        print("give folders of runs: python -m docs.atlas_pictures runs", file=sys.stderr)
        return 2
    runs = read_runs([Path(folder) for folder in folders]).done
    runs = prefer_real(runs[(runs.preset == "cpu") & (runs.protocol == "corrected")])
    for exhibit in discover("figures"):
        made = make(exhibit, runs)
        if isinstance(made.result, Figure):
            path = picture(exhibit)
            with replacing(path) as temporary:
                temporary.write_bytes(small(made.result))
            print(f"{path.stat().st_size / 1024:6.0f} kB  {exhibit.paper}/{exhibit.name}")
    return 0


def small(figure: Figure) -> bytes:
    """The figure as a PNG of few pixels and colours."""
    whole, kept = io.BytesIO(), io.BytesIO()
    figure.savefig(whole, format="png", dpi=min(150, WIDTH / figure.get_figwidth()))
    with Image.open(whole) as image:
        image.convert("RGB").quantize(COLOURS).save(kept, format="png", optimize=True)
    return kept.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
