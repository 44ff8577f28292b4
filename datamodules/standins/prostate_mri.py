"""A stand-in for Prostate-MRI-US-Biopsy: MR and ultrasound volumes of a gland with a target."""

from pathlib import Path

import numpy as np
import pandas as pd

from datamodules.standins.anatomy import coordinates, ellipsoid, gray, texture
from datamodules.standins.dicom import uid, write_dicom

SLICES = 24  # of which the middle 12 count


def write(
    root: Path, seed: int = 0, images: int = 2600, difficulty: float = 0.4, size: int = 64
) -> None:
    """Write one MR and one US series per patient, and the table of targets.

    Patients have one to three targets with separate scores; some scores are blank. Suspicious
    targets are dark.
    """
    random = np.random.default_rng(seed)
    collection = root / "manifest-1694710246744" / "Prostate-MRI-US-Biopsy"
    targets = []
    for p in range(2 * -(-images // SLICES) + 6):
        patient = f"Prostate-MRI-US-Biopsy-{p + 1:04d}"
        scores = _scores(random, suspicious=p % 2 == 1)
        worst = max(score for score in scores if score is not None)
        for modality in ("MR", "US"):
            volume = _volume(random, size, worst >= 2, difficulty, modality)
            series = uid(patient, modality)
            folder = collection / patient / uid(patient, "study") / series
            tags = {"PatientID": patient, "Modality": modality, "SeriesInstanceUID": series}
            if modality == "US":
                write_dicom(folder / "1-1.dcm", gray(volume), InstanceNumber=1, **tags)
                continue
            for s, image in enumerate(volume, start=1):
                path = folder / f"1-{s:02d}.dcm"
                write_dicom(path, gray(image, 1500), InstanceNumber=s, **tags)
        for t, score in enumerate(scores, start=1):
            volume_cc = round(random.uniform(0.1, 3), 2)
            both = uid(patient, "MR"), uid(patient, "US")
            targets.append((patient, t, volume_cc, score, *both))
    columns = [
        "Patient ID", "Target No.", "ROI Volume (cc)", "UCLA Score (Similar to PIRADS v2)",
        "seriesInstanceUID_MR", "seriesInstanceUID_US",
    ]  # fmt: skip
    table = pd.DataFrame(targets, columns=columns)
    table.to_excel(root / "Target Data_2019-12-05.xlsx", sheet_name="Sheet1", index=False)


def _scores(random: np.random.Generator, suspicious: bool) -> list[float | None]:
    """One score per target; a suspicious volume may have harmless targets too."""
    first = float(random.integers(2, 6)) if suspicious else float(random.integers(0, 2))
    others = random.integers(0, 2, random.integers(0, 3)).astype(float).tolist()
    return [first, *others] if random.random() > 0.1 else [first, None]


def _volume(
    random: np.random.Generator, size: int, suspicious: bool, difficulty: float, modality: str
) -> np.ndarray:
    """(slices, H, W) in [0, 1]: a gland in the pelvis, or in a speckled fan."""
    z, y, x = coordinates(SLICES, size, size)
    shift = random.uniform(-0.1, 0.1, 2)
    radii = random.uniform((1.3, 0.3, 0.36), (1.6, 0.4, 0.46))
    gland = ellipsoid((z, y, x), (0, *shift), radii)
    inner = ellipsoid((z, y, x), (0, shift[0] - 0.1, shift[1]), radii * (0.8, 0.55, 0.65))
    angle = random.uniform(0, 2 * np.pi)
    place = shift + 0.6 * radii[1:] * (np.sin(angle), np.cos(angle))
    spot = ellipsoid((z, y, x), (0, *place), (1.5, 0.13, 0.13), edge=0.5)
    grain = texture(random, (SLICES, size, size), 10)
    image = 0.3 + 0.05 * grain + 0.35 * gland - 0.15 * inner
    if suspicious:
        image -= 0.45 * (1 - difficulty) * spot
    if modality == "MR":
        body = ellipsoid((z, y, x), (0, 0, 0), (9, 0.85, 0.95), edge=0.05)
        return image * body + 0.02 * random.standard_normal(image.shape, np.float32)
    fan = (np.hypot(y + 1.2, x) < 2.1) & (np.abs(x) < 0.9 * (y + 1.3))
    return image * fan * (0.8 + 0.2 * np.abs(random.standard_normal(image.shape, np.float32)))
