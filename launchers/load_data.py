"""The data of a planned run, which must match its key."""

from conf.run_plan import RunPlan
from datamodules.base import TensorDataModule
from datamodules.build import build_data
from datamodules.errors import DataError


def load_data(run: RunPlan) -> TensorDataModule:
    """Build and read the data; DataError if they are missing, broken or changed since planning."""
    data = build_data(run.config)
    planned = run.data.images if run.data else None
    if getattr(data, "fingerprint", None) != planned:
        raise DataError(
            f"{run.key}: the data changed between planning and reading them, so that this is not "
            "their run; repeat the command."
        )
    return data
