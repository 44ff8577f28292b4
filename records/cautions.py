"""What the numbers of a run say against themselves."""

from typing import Any

NOISE = 0.7  # relative error of G_F from which on little of it is signal


def cautions(scalars: dict[str, Any]) -> list[str]:
    """Sentences for whoever reads the table of a run; none where nothing is wrong.

    >>> cautions({"geometry/g_f_error": 0.12})
    []
    >>> len(cautions({"geometry/g_f_error": 0.98}))
    1
    """
    error = scalars.get("geometry/g_f_error")
    if error is None or error < NOISE:
        return []
    return [
        f"geometry/g_f_error is {error:.2g}: G_F is mostly noise, and geometry/corr_gsg with it; "
        "estimate it from more random networks, probes.models=1000 or so."
    ]
