"""Figures and spectra of a measurement in W&B."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pytorch_lightning.loggers import WandbLogger
from pytorch_lightning.utilities import rank_zero_only


@rank_zero_only
def show_in_wandb(
    logger: WandbLogger,
    pictures: Mapping[str, Path],
    arrays: Mapping[str, np.ndarray],
    epoch: int,
) -> None:
    """Show figures, from their files in the run folder, and spectra as histograms."""
    import wandb

    shown: dict[str, Any] = {name: wandb.Image(str(file)) for name, file in pictures.items()}
    for name, values in arrays.items():
        if "singular_values" in name and (values > 0).any():
            log_sigma = np.log(values[values > 0])
            shown[name.replace("singular_values", "log_spectrum")] = wandb.Histogram(
                np_histogram=np.histogram(log_sigma, bins=64)
            )
    if shown:
        logger.experiment.log({**shown, "epoch": epoch})
