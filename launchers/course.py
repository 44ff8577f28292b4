"""The figure of a run's training curves, drawn when the run ends or is interrupted."""

import logging

from pytorch_lightning.loggers import Logger

from analysis.drawing.course import draw_course
from analysis.drawing.style import style
from analysis.runs.series import arrays
from callbacks.log_measurement import keep_measurement
from callbacks.run_record import record_of
from callbacks.subject import Measurement
from records.run_folder import RunFolder

log = logging.getLogger(__name__)
SPECTRA = "test/singular_values"


def keep_course(folder: RunFolder, loggers: list[Logger], standin: bool) -> None:
    """Draw `figures/course.png`, show it in W&B. A failure is logged and does not stop the run."""
    record = record_of(loggers)
    try:
        title = f"{folder.path.name}{' (stand-in)' * standin}"
        with style():
            figure = draw_course(record.rows, arrays(folder.path, SPECTRA), title)
            if figure is not None:
                course = Measurement({}, figures={"course": figure})
                keep_measurement(loggers, course, record.rows.progress[0])
    except Exception as error:
        log.warning("figures/course.png was not drawn: %s: %s", type(error).__name__, error)
