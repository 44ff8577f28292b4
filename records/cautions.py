"""Warnings about the numbers of a run."""

from typing import Any

NOISE = 0.5  # relative error of G_F above which `geometry/corr_gsg` is not logged


def cautions(scalars: dict[str, Any]) -> list[str]:
    """Warnings below the table of a run; empty if there are none.

    >>> cautions({"geometry/g_f_error": 0.12})
    []
    >>> len(cautions({"geometry/g_f_error": 0.98}))
    1
    """
    error = scalars.get("geometry/g_f_error")
    if error is None or error <= NOISE:
        return []
    return [
        f"geometry/g_f_error is {error:.2g}: G_F is mostly noise, so geometry/corr_gsg is not "
        "logged; estimate G_F from more random networks, such as probes.models=1000."
    ]


def is_within_chance(accuracy: float | None, chance: float | None) -> bool:
    """Whether a test accuracy is no better than chance; False if either is not known.

    >>> is_within_chance(0.5, 0.6), is_within_chance(0.7, 0.6), is_within_chance(0.5, None)
    (True, False, False)
    """
    return accuracy is not None and chance is not None and accuracy <= chance
