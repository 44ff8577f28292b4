"""Average a geometry over the symmetries of the law of random networks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor

from metrics.functional.checks import check_choice
from metrics.functional.geometry import Geometry
from metrics.functional.geometry_checks import check_matrix_size

Symmetry = Literal["none", "transpose", "flips", "d4", "channels", "tokens", "pixels"]
Symmetries = Symmetry | Sequence[Symmetry]

Sides = tuple[int, ...]  # dimensions of heights, or of widths
Move = Callable[[Tensor, Sides, Sides], Tensor]  # a copy, never a view


def _swap(x: Tensor, heights: Sides, widths: Sides) -> Tensor:
    for h, w in zip(heights, widths, strict=True):
        x = x.transpose(h, w)
    return x.clone(memory_format=torch.contiguous_format)


FLIPS: list[Move] = [lambda x, h, w: x.flip(w), lambda x, h, w: x.flip(h)]
MOVES: dict[str, list[Move]] = {"transpose": [_swap], "flips": FLIPS, "d4": [_swap, *FLIPS]}
# averaging with and without each move in turn covers the whole group


def symmetrise(geometry: Geometry, symmetry: Symmetries, patch: int | None = None) -> Geometry:
    """Average G over the symmetries of the law: (1/|S|) sum_s P_s G P_s^T.

    If a reordering of the input does not change the law of a random network, then G_F commutes
    with it, and the average over the group has the same mean and less variance.

    | name | group | holds for |
    |---|---|---|
    | transpose | swap of height and width | square nets, any stride |
    | flips, d4 | mirror images (and swap) | LeNet; not ResNet (stride 2 with one-sided padding) |
    | channels | any order and sign of channels: I_C (x) G_1 | first layer i.i.d. over channels |
    | tokens | any order of patches, any sign and order of pixels in them | ViT |
    | pixels | any order and sign of inputs: a multiple of I | MLP |

    Reading it: a symmetry that the law does not have gives a wrong G that looks clean. Check with
    `geometry_correlation(G, symmetrise(G, s))`, which tends to 1 as models are added if it holds.

    Args:
        geometry: G; factored ones are refused by tokens and pixels above the dense limit.
        symmetry: One name or several.
        patch: Side of a patch in pixels, for tokens.

    Example:
        >>> g = Geometry((1, 2, 2), matrix=torch.diag(torch.tensor([1.0, 2.0, 3.0, 6.0])).double())
        >>> symmetrise(g, "pixels").dense().diagonal().tolist()
        [3.0, 3.0, 3.0, 3.0]
    """
    for name in check_symmetries(symmetry, geometry.input_shape, patch):
        if name in MOVES:
            geometry = _average_moves(geometry, MOVES[name])
        elif name == "channels":
            geometry = expand_channels(_one_channel(geometry), geometry.input_shape[0])
        elif name == "tokens":
            geometry = _mix_tokens(geometry, patch or 1)
        elif name == "pixels":
            check_matrix_size(geometry.dimension)
            mean = geometry.trace / geometry.dimension
            identity = torch.eye(geometry.dimension, dtype=torch.float64, device=geometry.device)
            geometry = Geometry(geometry.input_shape, matrix=mean * identity)
    return geometry


def check_symmetries(
    symmetry: Symmetries, input_shape: tuple[int, int, int], patch: int | None
) -> list[Symmetry]:
    """Names of symmetries as a list, without `none`; ValueError if one does not fit the input."""
    names: list[Symmetry] = [symmetry] if isinstance(symmetry, str) else list(symmetry)
    _, h, w = input_shape
    for name in names:
        check_choice("symmetry", name, Symmetry)
        if name in ("transpose", "d4") and h != w:
            raise ValueError(f"symmetry {name!r} needs square images, not {h} x {w}; use flips")
        if name == "tokens" and (patch is None or h % patch or w % patch):
            raise ValueError(f"symmetry 'tokens' needs a patch that divides {h} x {w}, not {patch}")
    return [name for name in names if name != "none"]


def expand_channels(geometry: Geometry, channels: int) -> Geometry:
    """I_C (x) G_1 from G_1 (1, H, W)."""
    _, h, w = geometry.input_shape
    identity = torch.eye(channels, dtype=torch.float64)
    if geometry.rows is None:
        matrix = torch.kron(identity.to(geometry.dense()), geometry.dense())
        return replace(geometry, input_shape=(channels, h, w), matrix=matrix)
    rows = torch.kron(identity.to(geometry.rows), geometry.rows)
    assert geometry.weights is not None
    return Geometry.from_rows(
        rows, (channels, h, w), geometry.weights.repeat(channels), geometry.error
    )


def _one_channel(geometry: Geometry) -> Geometry:
    c, h, w = geometry.input_shape
    if geometry.rows is None:
        blocks = geometry.dense().reshape(c, h * w, c, h * w)
        matrix = torch.einsum("cicj->ij", blocks) / c
        return replace(geometry, input_shape=(1, h, w), matrix=matrix)
    assert geometry.weights is not None
    weights = geometry.weights.repeat_interleave(c) / c
    return Geometry.from_rows(geometry.rows.reshape(-1, h * w), (1, h, w), weights, geometry.error)


def _average_moves(geometry: Geometry, moves: list[Move]) -> Geometry:
    shape = geometry.input_shape
    for done, move in enumerate(moves):
        if geometry.rows is None:  # from the start, or from_rows has found too many rows
            return _average_dense(geometry, moves[done:])
        assert geometry.weights is not None
        moved = move(geometry.rows.reshape(-1, *shape), (2,), (3,)).reshape_as(geometry.rows)
        rows, weights = torch.cat([geometry.rows, moved]), geometry.weights.repeat(2) / 2
        geometry = Geometry.from_rows(rows, shape, weights, geometry.error)
    return geometry


def _average_dense(geometry: Geometry, moves: list[Move]) -> Geometry:
    total = geometry.dense().reshape(*geometry.input_shape, *geometry.input_shape)
    for move in moves:
        total = move(total, (1, 4), (2, 5)).add_(total)  # rows and columns
    matrix = total.div_(2 ** len(moves)).reshape(geometry.dimension, -1)
    return replace(geometry, matrix=matrix)


def _mix_tokens(geometry: Geometry, patch: int) -> Geometry:
    """(a I + b 11^T) over patches, times I over the pixels of a patch and the channels."""
    c, h, w = geometry.input_shape
    down, across, pixels = h // patch, w // patch, c * patch * patch
    matrix = geometry.dense()
    index = torch.arange(c * h * w, device=matrix.device).reshape(c, down, patch, across, patch)
    order = index.permute(1, 3, 0, 2, 4).reshape(down * across, pixels)  # [patch, pixel in it]
    same_pixel = matrix[order[:, None, :], order[None, :, :]].mean(-1)  # (patches, patches)
    count = down * across
    own = same_pixel.diagonal().mean()
    other = (same_pixel.sum() - own * count) / max(count * (count - 1), 1)
    mixed = torch.full_like(same_pixel, float(other)).fill_diagonal_(float(own))
    result = torch.zeros_like(matrix)
    result[order[:, None, :], order[None, :, :]] = mixed[:, :, None].expand(-1, -1, pixels)
    return replace(geometry, matrix=result, rows=None, weights=None)
