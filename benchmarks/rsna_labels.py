"""RSNA's label file: one parse and three array operations, against a loop over its rows."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.harness import Row, compare
from datamodules.readers.rsna_labels import KINDS, read_labels

IMAGES = 10_000  # of the real file's 752,803


def run() -> Iterable[Row]:
    """Seconds for 60,000 rows; both are linear in the number of rows."""
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder) / "stage_2_train.csv"
        _write(csv)
        ours, peer = compare(lambda: read_labels(csv), lambda: _row_by_row(csv))
    whole = 752_803 / IMAGES
    yield Row(
        case=f"labels of {IMAGES:,} RSNA images",
        ours_seconds=ours,
        peer="iterrows, as the published code",
        peer_seconds=peer,
        note=f"the whole file: {ours * whole:.0f} s against {peer * whole:.0f} s, extrapolated",
    )


def _write(csv: Path) -> None:
    random = np.random.default_rng(0)
    there = random.random((IMAGES, len(KINDS))) < 0.1
    rows = [
        f"ID_{image:09x}_{kind},{int(value)}"
        for image, values in enumerate(there)
        for kind, value in zip(KINDS, values, strict=True)
    ]
    csv.write_text("\n".join(["ID,Label", *rows]) + "\n")


def _row_by_row(csv: Path) -> dict[str, dict[str, int]]:
    labels: dict[str, dict[str, int]] = {}
    for _, row in pd.read_csv(csv).iterrows():
        image, kind = row["ID"].rsplit("_", 1)
        labels.setdefault(image, {})[kind] = row["Label"]
    return labels
