"""Make the atlas's pictures: `python -m docs.atlas_pictures runs/...`, from runs that are there.

    python launch.py -m experiment=konz2024/generalization preset=cpu standin=true   # and so on
    python -m docs.atlas_pictures runs

Each figure that the finished runs of `preset=cpu` suffice for is drawn anew; the others keep the
picture they have. All together stay below 3 MB, so that they can be kept beside the pages.
"""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from analysis.atlas import picture
from analysis.exhibits import discover
from analysis.grid import prefer_real
from analysis.make import make
from analysis.records import read_runs
from records.atomic import replacing

WIDTH = 800  # pixels, at most
COLOURS = 64  # of a palette: a third of the bytes, and no difference that one sees


def main(folders: Sequence[str]) -> int:
    """Draw and write; says which, and how large they are."""
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
    """As PNG of few pixels and colours."""
    whole, kept = io.BytesIO(), io.BytesIO()
    figure.savefig(whole, format="png", dpi=min(150, WIDTH / figure.get_figwidth()))
    with Image.open(whole) as image:
        image.convert("RGB").quantize(COLOURS).save(kept, format="png", optimize=True)
    return kept.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
