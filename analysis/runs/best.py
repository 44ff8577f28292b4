"""Runs ranked by a number, and whether a higher or a lower value is better."""

import re

from pandas import DataFrame

BETTER_HIGH = r"accuracy|auroc|sensitivity|specificity|f1|cra|certified_\w*|alignment"
BETTER_LOW = r"\w*loss\w*|\w*penalty|calibration_error"


def is_lower_better(name: str) -> bool | None:
    """Whether a lower value is better, by the name of the number; None if the name does not say.

    >>> [is_lower_better(name) for name in ("test/auroc", "test/fgsm_loss_penalty@2", "data/d_mle")]
    [False, True, None]
    """
    quantity = name.partition("@")[0].split("/")[1] if "/" in name else name
    if re.fullmatch(BETTER_LOW, quantity) or name.startswith("time/"):
        return True
    return False if re.fullmatch(rf"(\w*_)?({BETTER_HIGH})", quantity) else None


def best_runs(runs: DataFrame, name: str, lowest: bool) -> DataFrame:
    """The runs that have the number, the best first; ties: the one that finished first."""
    have = runs.dropna(subset=[name]).sort_values("finished", kind="stable")
    return have.sort_values(name, ascending=lowest, kind="stable", ignore_index=True)
