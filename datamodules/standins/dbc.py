"""A stand-in for Duke-Breast-Cancer-MRI: two breasts before a chest wall, one with a tumour."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from datamodules.standins.anatomy import column, coordinates, ellipsoid, gray, texture
from datamodules.standins.dicom import uid, write_dicom

SLICES = 60
BOX = 22  # slices with tumour; 60 leaves 28 at least five slices away


def write(
    root: Path,
    seed: int = 0,
    images: int = 2600,
    difficulty: float = 0.4,
    size: int = 64,
    style: Literal["classic", "descriptive"] = "classic",
) -> None:
    """Write DICOM series, the table of boxes and the table that maps files to phases.

    `style` is how the retriever names folders.
    """
    random = np.random.default_rng(seed)
    boxes, files = [], []
    for p in range(1, -(-images // (2 * (BOX - 1))) + 4):
        patient = f"Breast_MRI_{p:03d}"
        start = int(random.integers(12, SLICES - BOX - 11))
        pixels, box = _volume(random, size, difficulty, start)
        boxes.append((patient, *box, start, start + BOX - 1))
        for phase, count in (("pre", SLICES), ("post_1", 2)):
            files += _write_series(root, style, p, phase, pixels[:count])
    columns = ["Start Row", "End Row", "Start Column", "End Column", "Start Slice", "End Slice"]
    pd.DataFrame(boxes, columns=["Patient ID", *columns]).to_excel(
        root / "Annotation_Boxes.xlsx", index=False
    )
    names = ["sop_instance_UID", "original_path_and_filename", "classic_path", "descriptive_path"]
    pd.DataFrame(files, columns=names).to_excel(
        root / "Breast-Cancer-MRI-filepath_filename-mapping.xlsx", index=False
    )


def _write_series(
    root: Path, style: str, p: int, phase: str, pixels: np.ndarray
) -> list[tuple[str, str, str, str]]:
    """One DICOM file per slice; their rows in the table that maps files to phases."""
    patient = f"Breast_MRI_{p:03d}"
    tags: dict[str, Any] = {
        "PatientID": patient,
        "Modality": "MR",
        "SeriesInstanceUID": uid(patient, phase),
        "PixelSpacing": [0.7, 0.7],
    }
    if p % 10 == 0:
        pixels, tags["PhotometricInterpretation"] = 4095 - pixels, "MONOCHROME1"
    rows = []
    for s, image in enumerate(pixels, 1):
        name = f"1-{s:03d}.dcm" if style == "classic" else f"1-{s:02d}.dcm"
        path = Path("Duke-Breast-Cancer-MRI", _folder(style, patient, phase), name)
        tags |= {"SOPInstanceUID": uid(patient, phase, s), "InstanceNumber": s}
        write_dicom(root / "manifest-1607053360376" / path, image, **tags)
        original = f"DICOM_Images/{patient}/{phase}/{patient}_{phase}_{s:03d}.dcm"
        # the real table pads some names with one zero too many
        wrong = path.as_posix().replace("1-", "1-0") if p % 3 == 0 else path.as_posix()
        rows.append((tags["SOPInstanceUID"], original, wrong, wrong))
    return rows


def _folder(style: str, patient: str, phase: str) -> Path:
    if style == "classic":
        return Path(patient, uid(patient, "study"), uid(patient, phase))
    number = {"pre": 3, "post_1": 4}[phase]
    study = "01-01-1990-NA-MRI BREAST BILATERAL WWO-97538"
    return Path(patient, study, f"{number}.000000-ax dyn {phase}-58582")


def _volume(
    random: np.random.Generator, size: int, difficulty: float, start: int
) -> tuple[np.ndarray, tuple[int, int, int, int]]:
    """(slices, H, W) uint16 and the tumour's rows and columns; `start` counts from 1."""
    y, x = coordinates(size, size)
    depth = np.linspace(-1, 1, SLICES, dtype=np.float32)[:, None, None]
    full = 0.55 + 0.4 * np.sqrt(1 - (0.95 * depth) ** 2)  # breasts are smaller at both ends
    left, right = (
        ellipsoid((y, x), (-0.1, at), (0.75 * full, 0.42 * full)) for at in (-0.46, 0.46)
    )
    breasts = (left + right).clip(0, 1)
    wall = ellipsoid((y, x), (1.1, 0), (0.75, 1.3)) * 0.6
    tissue = 0.1 * texture(random, (SLICES, size, size), 11)
    side = random.choice((-1, 1))
    row, at = random.uniform(-0.35, 0.1), side * random.uniform(0.35, 0.55)
    radius = random.uniform(0.1, 0.18)
    reach = np.arange(SLICES) - (start - 1)
    inside = ((reach >= 0) & (reach < BOX)).astype(np.float32)[:, None, None]
    tumour = ellipsoid((y, x), (row, at), (radius, radius), edge=0.4) * inside
    image = breasts * (0.3 + tissue) + wall * (1 - breasts) + 0.6 * (1 - difficulty) * tumour
    image += 0.02 * np.abs(random.standard_normal(image.shape, np.float32))
    image *= column(random, 0.8, 1.0, 1)

    def pixel(edge: float) -> int:
        return round((edge + 1) / 2 * (size - 1))

    rows = pixel(row - radius), pixel(row + radius)
    columns = pixel(at - radius), pixel(at + radius)
    return gray(image * 0.9, 4095), (*rows, *columns)
