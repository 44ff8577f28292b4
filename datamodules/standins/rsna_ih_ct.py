"""A stand-in for RSNA's head CT: skull, brain and ventricles in Hounsfield units, and blood."""

from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.standins.anatomy import column, coordinates, ellipsoid, texture
from datamodules.standins.dicom import write_dicom

KINDS = ("epidural", "intraparenchymal", "intraventricular", "subarachnoid", "subdural", "any")
PLACES = {  # (distance from the centre, size along and across) of each kind's blood
    "epidural": (0.62, 0.3, 0.12),
    "intraparenchymal": (0.35, 0.18, 0.16),
    "intraventricular": (0.1, 0.2, 0.08),
    "subarachnoid": (0.5, 0.25, 0.05),
    "subdural": (0.66, 0.4, 0.07),
}
SLICES, BLOODY = 8, 6  # per patient; of a bleeding one, slices with blood
PADDING = -2000  # what scanners store outside the circle they measure


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.4, size: int = 64
) -> None:
    """Write slices of healthy and bleeding patients, and the label file with its repeated rows.

    There are `images` balanced slices for `any` and for `epidural`, which is rare in the real data.
    """
    random = np.random.default_rng(seed)
    epidural = images // (2 * BLOODY) + 3
    others = random.choice(KINDS[1:5], epidural // 4 + 1).tolist()
    healthy = images // 24 + 4
    patients = ["epidural"] * epidural + others + [""] * healthy
    folder = root / "rsna-intracranial-hemorrhage-detection" / "stage_2_train"
    names = random.choice(16**7, (len(patients), SLICES), replace=False)
    rows = []
    for p, kind in enumerate(patients):
        bloody = np.arange(SLICES) < (BLOODY if kind else 0)
        for name, blood, pixels in zip(
            names[p], bloody, _slices(random, size, kind, bloody, difficulty), strict=True
        ):
            image = f"ID_{name:09x}"
            write_dicom(
                folder / f"{image}.dcm",
                pixels,
                PatientID=f"ID_{p:08x}",
                Modality="CT",
                RescaleSlope=1,
                RescaleIntercept=-1024,
                PixelPaddingValue=PADDING,
            )
            rows += [(f"{image}_{k}", int(blood and k in (kind, "any"))) for k in KINDS]
    rows += rows[: 4 * len(KINDS)]  # four images appear twice in the real file as well
    table = pd.DataFrame(rows, columns=["ID", "Label"])
    table.to_csv(folder.parent / "stage_2_train.csv", index=False)


def _slices(
    random: np.random.Generator, size: int, kind: str, bloody: np.ndarray, difficulty: float
) -> np.ndarray:
    """(slices, H, W) int16 as stored: HU + 1024, padding outside the circle."""
    y, x = coordinates(size, size)
    n = len(bloody)
    tall, wide = column(random, 0.78, 0.88, n), column(random, 0.62, 0.72, n)
    head = ellipsoid((y, x), (0, 0), (tall, wide), edge=0.04)
    brain = ellipsoid((y, x), (0, 0), (tall * 0.88, wide * 0.88), edge=0.04)
    left, right = (
        ellipsoid((y, x), (-0.05, at), (column(random, 0.15, 0.25, n), 0.06)) for at in (-0.1, 0.1)
    )
    ventricles = (left + right).clip(0, 1)
    hu = -1000 * (1 - head) + 900 * (head - brain).clip(0)
    hu = hu + brain * (33 + 4 * texture(random, (size, size), 10, n) - 25 * ventricles)
    if kind:
        away, along, across = PLACES[kind]
        angle = column(random, 0, 2 * np.pi, n)
        sine, cosine = np.sin(angle), np.cos(angle)
        turned = (x * cosine + y * sine, y * cosine - x * sine)  # radial and tangential axes
        blood = ellipsoid(turned, (away, 0), (across, along), edge=0.3) * brain
        hu += 60 * (1 - difficulty) * blood * bloody[:, None, None]
    hu += 3 * random.standard_normal(hu.shape, np.float32)
    stored = np.round(hu.clip(-1000, 1500)).astype(np.int16) + 1024
    return np.where(np.hypot(y, x) <= 1, stored, PADDING).astype(np.int16)
