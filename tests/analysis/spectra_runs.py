"""Runs whose spectra are drawn from known lognormal laws, as the spectra experiments leave them."""

from pathlib import Path
from typing import Any

import numpy as np

from tests.analysis.synthetic_runs import settings, write_record

CLASSES, POINTS = 10, 60
EPOCHS = (0, 1, 5, 20)
LEFT, RIGHT, SPREAD = -3.0, 0.5, 0.3  # log sigma of the gauge direction and of the others
RISE = 0.4  # of the others, from no noise to full
MIXTURE = "datamodules.corruptions.dataset_noise.DatasetNoise"


def write_spectra(
    root: Path,
    model: str = "mlp_1x512",
    data: str = "cifar10",
    seed: int = 0,
    noise: float = 0.0,
    components: int | None = None,
    pixels: str | None = None,
    n: int = 500,
    **facts: Any,
) -> Path:
    """One run: nine values that rise by RISE x (share of noise) over its end, one that stays."""
    transforms: dict[str, Any] = {}
    share = noise
    if components is not None:
        transforms["mixture"] = {"_target_": MIXTURE, "components": components}
        share = components / 100
    if pixels is not None:
        transforms["pixels"] = {"_target_": f"datamodules.corruptions.{pixels}.Any"}
    own = settings(model, data, "natural", n, seed, transforms=transforms)
    own["task"]["noise"] = noise
    random = np.random.default_rng([seed, 7])
    shape = random.standard_normal((POINTS, CLASSES))
    shift = 0.05 * random.normal()  # of a seed, the same at every level
    spectra = {}
    for epoch in EPOCHS:
        log = SPREAD * shape + RIGHT + shift + share * RISE - (0.5 if epoch < 5 else 0.0)
        log[:, 0] = LEFT + 0.1 * shape[:, 0]
        spectra[epoch] = np.sort(np.exp(log))[:, ::-1]
    variants = ["", "_centred"] + ["_train_b1"] * (model == "small_inception")
    scalars = {}
    rows = ["epoch,step,name,value"]
    folder_arrays: dict[str, np.ndarray] = {}
    for stage in ("train", "test"):
        for epoch, sigma in spectra.items():
            numbers = {f"{stage}/accuracy": 0.1 + 0.9 * epoch / EPOCHS[-1]}
            for variant in variants:
                kept = sigma[:, :-1] if variant == "_centred" else sigma
                folder_arrays[f"{stage}_singular_values{variant}@{epoch}"] = kept
                name = f"{stage}/log_spectrum_mean" + variant.replace("_", "@", 1)
                numbers[name] = float(np.log(kept).mean())
            numbers[f"{stage}/left_mass"] = 0.1
            rows += [f"{epoch},{epoch},{name},{value}" for name, value in numbers.items()]
            scalars |= numbers
    if noise:
        scalars |= {"train/accuracy_clean": 1.0, "train/accuracy_corrupted": 0.98}
        scalars["train/accuracy_recovered"] = 0.01
    spec = {"classes": [str(label) for label in range(CLASSES)]}
    folder = write_record(root, own, scalars, **{"spec": spec} | facts)
    (folder / "metrics.csv").write_text("\n".join(rows) + "\n")
    (folder / "arrays").mkdir()
    for name, array in folder_arrays.items():
        np.savez(folder / "arrays" / f"{name}.npz", singular_values=array)
    return folder
