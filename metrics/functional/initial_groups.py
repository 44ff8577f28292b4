"""G_F of a network's architecture as independent estimates, drawn until it is precise enough."""

from math import prod
from typing import Any

import torch
from torch import nn

from metrics.functional.geometry_symmetry import check_symmetries
from metrics.functional.grouped_geometry import (
    GroupedGeometry,
    draw_groups,
    load_groups,
    save_groups,
)
from metrics.functional.initial_geometry import SYMMETRIC, Cache, law_identity, redrawn
from metrics.functional.input_gradients import Scalar
from metrics.functional.plain_convolutions import plain_convolutions
from metrics.functional.random_rows import RandomRows

VERSION = 3  # raise it when the estimator changes its numbers: older files are then not found
GROUPS = 8
DENSE = 2600  # dimensions up to which the groups are matrices: 0.4 GB; larger ones are factors
MOST = 4096  # networks if `models` is None
# estimated, not timed: enough for 40 ResNet-18, which take 9 s; LeNet reaches 10 % error in 1 s
SECONDS = 28.0


def initial_groups(
    network: nn.Module,
    input_shape: tuple[int, int, int],
    models: int | None,
    most_rows: int,
    sigma: float,
    scalar: Scalar,
    cache: Cache[GroupedGeometry] | None = None,
    error: float | None = None,
) -> GroupedGeometry:
    """Independent estimates of G_F, averaged over the symmetries of the network's law.

    Arguments are those of `initial_geometry`; `models=None` draws as many networks as `SECONDS`
    allow. Each group has at least one network.

    >>> class Flat(nn.Linear):
    ...     def forward(self, x):
    ...         return super().forward(x.flatten(1))
    >>> network = Flat(4, 1)  # weights U(-1/2, 1/2), of mean square 1/12
    >>> g = initial_groups(network, (1, 2, 2), 400, 50, 1e-3, "logit").mean()
    >>> round(12 * g.trace / 4), g.error < 0.5
    (1, True)
    """
    symmetries: Any = getattr(network, "symmetries", ()) if prod(input_shape) <= SYMMETRIC else ()
    patch = getattr(network, "patch", None)
    kept = prod(input_shape[1:]) if "channels" in symmetries else prod(input_shape)
    models = max(models, GROUPS) if models else None
    options: dict[str, Any] = {"models": models or MOST, "target_error": error, "count": GROUPS}
    options |= {"probes": None, "seconds": None if models else SECONDS, "patch": patch}
    if kept > DENSE:
        rows = max(GROUPS, min(most_rows, kept))
        options["models"] = min(models or rows // 4, rows)
        options["probes"] = max(1, rows // options["models"])
    names = check_symmetries(symmetries, input_shape, patch)
    law = {"sigma": sigma, "scalar": scalar, "symmetry": list(names), "groups": VERSION}
    identity = law_identity(network, input_shape, options | law)

    @torch.inference_mode(False)  # networks built under inference mode would have no gradients
    def compute() -> GroupedGeometry:
        source = RandomRows(redrawn(network), input_shape, sigma, None, scalar, seed=0)
        with plain_convolutions(network):
            drawn = draw_groups(source, names=names, **options, dtype=torch.float32)
        return drawn.rounded()

    return compute() if cache is None else cache(identity, compute, load_groups, save_groups)
