"""All layers with weights, and the matrix that a layer is at a point."""

import torch

from lightning_modules.layers.aol import AOLLayer
from lightning_modules.layers.cpl import CPLLayer
from lightning_modules.layers.sll import SLLLayer

LAYERS = {  # name: (make, shape of one input)
    "aol_linear": (lambda: AOLLayer(12, 12), (12,)),
    "aol_linear_wide": (lambda: AOLLayer(7, 12), (7,)),
    "aol_linear_narrow": (lambda: AOLLayer(12, 7), (12,)),
    "aol_conv": (lambda: AOLLayer(4, 4, 3), (4, 5, 5)),
    "aol_conv_5x5": (lambda: AOLLayer(2, 3, 5), (2, 4, 6)),
    "cpl_linear": (lambda: CPLLayer(12), (12,)),
    "cpl_conv": (lambda: CPLLayer(4, 3), (4, 5, 5)),
    "cpl_conv_1px": (lambda: CPLLayer(4, 5), (4, 1, 2)),
    "sll_linear": (lambda: SLLLayer(12), (12,)),
    "sll_conv": (lambda: SLLLayer(4, 3), (4, 5, 5)),
}


def jacobian(layer, shape, seed=0):
    """The layer's matrix at a random point, in the layer's own precision: (outputs, inputs)."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(shape, generator=generator).to(next(layer.parameters()).dtype)
    matrix = torch.func.jacrev(lambda point: layer(point[None])[0].flatten())(x)
    return matrix.flatten(1).detach()


def norm(matrix):
    return torch.linalg.matrix_norm(matrix.double(), 2).item()


def redraw(layer, kind, scale, seed):
    """Weights of any kind: `random`, `orthogonal`, `rank one`, `equal`, times `scale`."""
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(layer.weight.shape, generator=generator)
    if kind == "orthogonal":
        flat = weight.flatten(1)
        u, _, v = torch.linalg.svd(flat, full_matrices=False)
        weight = (u @ v).view_as(weight)
    elif kind == "rank one":
        weight = weight[:1] * torch.randn(len(weight), generator=generator).view(
            -1, *[1] * (weight.ndim - 1)
        )
    elif kind == "equal":
        weight = torch.ones_like(weight)
    with torch.no_grad():
        layer.weight.copy_(scale * weight)
        if hasattr(layer, "bias"):  # positive: all units at work, the steepest case
            layer.bias.fill_(100 * scale)
        if hasattr(layer, "log_q"):
            layer.log_q.copy_(torch.randn(len(layer.log_q), generator=generator))
    return layer
