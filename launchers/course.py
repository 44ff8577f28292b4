"""The figure of a run's training curves, drawn when the run ends or is interrupted."""

import logging

import numpy as np
from pytorch_lightning.loggers import Logger

from analysis.course import draw_course
from analysis.style import style
from callbacks.run_record import keep_measurement, record_of
from callbacks.subject import Measurement
from records.run_folder import RunFolder

log = logging.getLogger(__name__)
SPECTRA = "test_singular_values@*.npz"


def keep_course(folder: RunFolder, loggers: list[Logger], standin: bool) -> None:
    """Draw `figures/course.png` and show it in W&B; a failed figure does not fail the run."""
    record = record_of(loggers)
    try:
        title = f"{folder.path.name}{' (stand-in)' * standin}"
        with style():
            figure = draw_course(record.rows.values(), spectra_of(folder), title)
            if figure is not None:
                course = Measurement({}, figures={"course": figure})
                keep_measurement(loggers, course, record.progress[0])
    except Exception as error:
        log.warning("figures/course.png was not drawn: %s: %s", type(error).__name__, error)


def spectra_of(folder: RunFolder) -> dict[int, np.ndarray]:
    """Singular values of the test images' Jacobians, by epoch."""
    spectra = {}
    for path in folder.arrays.glob(SPECTRA):
        with np.load(path, allow_pickle=False) as arrays:
            spectra[int(path.stem.rpartition("@")[2])] = arrays["singular_values"]
    return spectra
