"""Certified robust accuracy as a curve: the survival function of the certified radius."""

from collections.abc import Sequence

from torch import Tensor

from metrics.functional.checks import check_numbers


def certified_curve(radius: Tensor, radii: Sequence[float] | Tensor, strict: bool = True) -> Tensor:
    """Share of points certified at each of `radii`, (radii,) float64.

        share(r) = #{i : R_i > r} / n,   R_i = `radius` (n,)

    Reading it: never rises with r; at r = 0 it is the accuracy without ties. A radius that is NaN
    or infinite counts as not certified. `strict=False` counts R_i = r too, as published smoothing
    code does; a guarantee on the open ball of radius R does not cover its boundary.

    Example:
        >>> import torch
        >>> certified_curve(torch.tensor([0.5, 1.0, torch.nan, 3.0]), [0.0, 0.5, 1.0]).tolist()
        [0.75, 0.5, 0.25]
    """
    if len(radius) == 0:
        raise ValueError("no points: a share needs at least one certified radius")
    limits = check_numbers("radii", radii, least=0).to(radius.device)
    radius = radius.double()[:, None]
    certified = radius > limits if strict else radius >= limits
    return (certified & radius.isfinite()).sum(0).double() / len(radius)


def certified_names(radii: Sequence[float] | Tensor) -> list[str]:
    """The measured name of each radius, `cra@<k>` with r = k/255.

    Example:
        >>> certified_names([0.0, 36 / 255, 1.0])
        ['cra@0', 'cra@36', 'cra@255']
    """
    return [f"cra@{float(radius) * 255:g}" for radius in radii]
