"""A stand-in for BraTS: ellipsoid brains with ventricles and a glioma, as NIfTI volumes."""

from pathlib import Path
from typing import Literal

import nibabel
import numpy as np
import pandas as pd

from datamodules.standins.anatomy import coordinates, ellipsoid, texture

SEQUENCES = {"flair": (0.45, 0.15, 1.0), "t1": (0.55, 0.2, -0.4), "t2": (0.4, 0.9, 0.9)}
SLICES = 72  # 28 with tumour, 8 in the gap, 25 free of it, 11 with too little brain
PER_VOLUME = 36  # balanced slices available, even under the published code's gap rule


def write(
    root: Path,
    seed: int = 0,
    images: int = 2600,
    difficulty: float = 0.4,
    release: Literal["2018", "2021", "2023"] = "2018",
    size: int = 64,
) -> None:
    """Write volumes with their segmentations.

    `size` is of an axial slice, `release` says whose folder and file names.
    """
    random = np.random.default_rng(seed)
    patients = -(-images // PER_VOLUME) + 2
    rows = []
    for i in range(patients):
        grade = "HGG" if i % 4 else "LGG"
        case, folder, mark, names = _names(release, i, grade)
        head, mask = _head(random, size, difficulty)
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name, volume in {**head, "seg": mask}.items():
            image = nibabel.Nifti1Image(volume, np.eye(4))
            nibabel.save(image, root / folder / f"{case}{mark}{names.get(name, name)}.nii.gz")
        rows.append((case, round(random.uniform(30, 80), 2), int(random.integers(50, 1500))))
    table = pd.DataFrame(rows, columns=["BraTS18ID", "Age", "Survival"])
    table.to_csv((root / folder).parent.parent / "survival_data.csv", index=False)


def _names(release: str, i: int, grade: str) -> tuple[str, Path, str, dict[str, str]]:
    if release == "2018":
        case = f"Brats18_2013_{i}_1"
        return case, Path("MICCAI_BraTS_2018_Data_Training", grade, case), "_", {}
    if release == "2021":
        case = f"BraTS2021_{i:05d}"
        return case, Path("BraTS2021_Training_Data", case), "_", {}
    case = f"BraTS-GLI-{i:05d}-000"
    names = {"flair": "t2f", "t1": "t1n", "t1ce": "t1c", "t2": "t2w"}
    return case, Path("ASNR-MICCAI-BraTS2023-GLI-Challenge-TrainingData", case), "-", names


def _head(
    random: np.random.Generator, size: int, difficulty: float
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The four sequences of one head, (X, Y, slices) int16, and its segmentation."""
    shape = (size, size, SLICES)
    axes = coordinates(*shape)
    radii = random.uniform((0.72, 0.8, 0.96), (0.8, 0.9, 1.0))
    brain = ellipsoid(axes, (0, 0, 0), radii, edge=0.05)
    ventricles = [ellipsoid(axes, (x, 0, 0.1), (0.1, 0.3, 0.35)) for x in (-0.17, 0.17)]
    fluid = (ventricles[0] + ventricles[1]).clip(0, 1)
    centre = random.uniform((-0.35, -0.4, -0.25), (0.35, 0.4, 0.25))
    around = random.uniform((0.22, 0.22, 0.37), (0.38, 0.38, 0.4))
    oedema = ellipsoid(axes, centre, around, edge=0.3) * (brain > 0)
    core = ellipsoid(axes, centre, around * 0.5, edge=0.3)
    grain = 0.06 * texture(random, shape, 9) + 0.03 * random.standard_normal(shape, np.float32)
    contrast = 0.6 * (1 - difficulty)
    head = {}
    for name, (tissue, water, lesion) in SEQUENCES.items():
        value = tissue + (water - tissue) * fluid + grain
        value += contrast * lesion * oedema * (1 - 0.4 * core)
        head[name] = (value.clip(0.02, 2) * 800 * (brain > 0)).astype(np.int16)
    ring = core * (1 - core) * 4
    head["t1ce"] = (head["t1"] + 500 * contrast * ring * (brain > 0)).astype(np.int16)
    mask = np.select([core > 0.8, core > 0.2, oedema > 0.2], [1, 4, 2], 0).astype(np.uint8)
    return head, mask
