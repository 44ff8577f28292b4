"""Settings of validation, network selection and folds, which must fit together."""

import math
from collections.abc import Iterator
from typing import Any

FROM_FILES = "datamodules.image_data.ImageData"


def problems_of_held_out(c: dict[str, Any]) -> Iterator[str]:
    """Problems of `data.validation`, `stop.monitor`, `select`, `fold` and `folds`.

    >>> c = {"n": 100, "data": {"validation": 100}, "stop": {}, "select": "last"}
    >>> print(*problems_of_held_out(c))
    `data.validation=100`: must be a share between 0 and 1, or a number of images below n=100; ...
    """
    share = c["data"].get("validation")
    monitor = str((c["stop"] or {}).get("monitor") or "")
    if share is not None and not _fits(share, c["n"]):
        yield (
            f"`data.validation={share}`: must be a share between 0 and 1, or a number of images "
            f"below n={c['n']}; null sets none aside."
        )
    if share is None and monitor.startswith("validation/"):
        yield (
            f"`stop.monitor={monitor}`: there are no validation images; set data.validation=0.2, "
            "or stop.monitor to another logged name, such as train/running_loss."
        )
    if c["select"] == "best" and share is None and not monitor:
        yield "`select=best`: nothing to choose by; set data.validation=0.2."
    yield from _folds(c)


def _fits(share: Any, n: int | str) -> bool:
    """Whether a share or number can be set aside from n images; n=all is not counted yet."""
    if isinstance(share, bool) or not isinstance(share, int | float):
        return False
    most = n if isinstance(n, int) else math.inf
    return 0 < share < 1 if isinstance(share, float) else 0 < share < most


def _folds(c: dict[str, Any]) -> Iterator[str]:
    folds, fold = c.get("folds"), c.get("fold")
    if folds is None:
        if fold is not None:
            yield f"`fold={fold}`: the number of folds is missing; set folds=5."
        return
    if folds < 2:
        yield f"`folds={folds}`: must be 2 or more."
    elif fold is None or not 0 <= fold < folds:
        every = ",".join(map(str, range(folds))) if folds <= 10 else f"0,...,{folds - 1}"
        yield f"`fold={fold}`: must be from 0 to {folds - 1}; -m fold={every} runs all."
    data = c["data"]
    if data.get("_target_") != FROM_FILES:
        yield f"`folds={folds}`: `{data['name']}` is drawn again for every seed; sweep over seed."
    elif data.get("split") == "official" or data.get("order") == "file":
        yield (
            f"`folds={folds}`: folds are drawn from all images by data.seed; set data.split to "
            "group or image, and data.order=seed."
        )
