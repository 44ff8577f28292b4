"""G^t: the geometry of a trained network, or of an ensemble of them."""

from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_points
from metrics.functional.geometry import Geometry
from metrics.functional.input_gradients import Scalar, input_gradients


def geometry_of(
    model: nn.Module | Iterable[nn.Module],
    probes: Tensor,
    scalar: Scalar = "difference",
) -> Geometry:
    r"""Mean of grad_x f grad_x f^T over probe points and, for an ensemble, over networks.

        G^t = (1/MB) sum_m sum_b grad_x f_m(x_b) grad_x f_m(x_b)^T

    (Movahedi et al. 2025, Def. 2.1 at time t.) Networks may be produced one at a time by a
    generator; their mode and `.grad` fields do not change.

    Reading it: compare it with G_F, S or G S G by `geometry_correlation`, and with the G^t of the
    previous epoch by `geometric_velocity`. The spread between networks limits the precision, not
    the number of probes: the paper takes 25 runs. `error` is from split halves of the ensemble,
    None for a single network.

    Args:
        model: One network, or several of the same input shape.
        probes: Points (B, C, H, W), the same for all networks.
        scalar: f as f_1 - f_0 (natural for two classes), the first logit, or the mean of logits.

    Example:
        >>> linear = nn.Sequential(nn.Flatten(), nn.Linear(4, 1))
        >>> g = geometry_of(linear, torch.zeros(3, 1, 2, 2), scalar="logit")
        >>> abs(g.trace - float(linear[1].weight.detach().square().sum())) < 1e-6
        True
    """
    check_points("probes", probes)
    if not isinstance(model, nn.Module | Iterable):
        raise TypeError(f"model is a {type(model).__name__}; pass a Module or several")
    networks = [model] if isinstance(model, nn.Module) else model
    parts = [input_gradients(network, probes, scalar) for network in networks]
    if not parts:
        raise ValueError("no networks were given; a geometry needs at least one")
    rows = torch.cat(parts)
    whole = Geometry.from_rows(rows, probes.shape[1:])
    if len(parts) == 1:
        return whole
    # Half the difference of the two halves, as signed weights on the same rows, without a copy.
    odd = torch.arange(len(parts), device=rows.device).repeat_interleave(len(probes)) % 2
    signs = torch.where(odd == 0, 0.5 / (odd == 0).sum(), -0.5 / odd.sum())
    spread = Geometry.from_rows(rows, probes.shape[1:], signs)
    return replace(whole, error=spread.norm / whole.check_nonzero().norm)
