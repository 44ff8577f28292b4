"""A stand-in for OAI: bilateral knee radiographs; arthritis narrows the joint's gap."""

from pathlib import Path

import numpy as np

from datamodules.standins.anatomy import column, coordinates, ellipsoid, gray, texture
from datamodules.standins.dicom import write_dicom


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.3, size: int = 64
) -> None:
    """Write extension-less DICOM files, some inverted, a hand among them, and the readings.

    `images` counts graded knees, balanced; `size` is of one knee.
    """
    random = np.random.default_rng(seed)
    patients = images // 2 + 90
    grade = random.choice([0, 1, 2, 3, 4], (patients, 2), p=[0.3, 0.2, 0.25, 0.15, 0.1])
    left, right = (_knees(random, size, grade[:, k], difficulty) for k in (1, 0))
    both = np.concatenate([right, left[:, :, ::-1]], axis=2)  # the right knee is on the left
    lines = ["ID|SIDE|READPRJ|VERSION|V00XRKL|V00XRJSM|V00XRJSL"]
    for p in range(patients):
        patient = 9000001 + 7 * p
        package = "0.C.2" if p % 2 else "0.E.1"
        folder = root / "results" / "P001" / package / str(patient) / "20050101"
        image = gray(both[p], 4095)
        inverted = p % 4 == 0
        write_dicom(
            folder / f"0{patient}" / "001",
            4095 - image if inverted else image,
            PatientID=str(patient),
            Modality="CR",
            BodyPartExamined="KNEE",
            SeriesDescription="Bilateral PA Fixed Flexion Knee",
            PhotometricInterpretation="MONOCHROME1" if inverted else "MONOCHROME2",
        )
        if p % 50 == 0:  # hands are in the same tree
            write_dicom(folder / f"1{patient}" / "001", image[:8, :8], BodyPartExamined="HAND")
        for side in (1, 2):
            read = "." if random.random() < 0.02 else str(grade[p, side - 1])
            lines.append(f"{patient}|{side}|15|0.6|{read}|0|0")
            if p % 10 == 0:  # a second reading project, of other grades
                lines.append(f"{patient}|{side}|37|0.6|{(grade[p, side - 1] + 1) % 5}|0|0")
    (root / "kxr_sq_bu00.txt").write_text("\n".join(lines) + "\n")


def _knees(
    random: np.random.Generator, size: int, grade: np.ndarray, difficulty: float
) -> np.ndarray:
    """Right knees, (count, size, size) in [0, 1]."""
    n = len(grade)
    y, x = coordinates(size, size)
    sick = (grade >= 2)[:, None, None] * (0.7 + 0.1 * grade[:, None, None])
    gap = 0.09 * (1 - (1 - difficulty) * sick * 0.9) + column(random, -0.01, 0.01, n)
    level, wide = column(random, -0.08, 0.08, n), column(random, 0.4, 0.5, n)
    flesh = 0.3 * ellipsoid((y, x), (0, 0), (1.6, wide + 0.35), edge=0.2)
    image = flesh + 0.04 * texture(random, (size, size), 9, n)
    for side in (-1, 1):  # above the joint the thigh bone, below it the shin bone
        end = level + side * (gap + 0.22)
        joint = ellipsoid((y, x), (end, 0), (0.22, wide), edge=0.1)
        shaft = ellipsoid((y, x), (end + side * 0.7, 0), (0.75, wide * 0.55), edge=0.1)
        image = image + 0.4 * np.maximum(joint, shaft)
    image += 0.02 * random.standard_normal(image.shape, np.float32)
    return image * column(random, 0.85, 1.1, n)
