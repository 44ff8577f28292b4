"""Growth of time with the number of images N and of values D.

Ours against one full float32 product at the largest size; the note gives the exponents p of
time ~ N^p or D^p fitted by least squares over four sizes.
"""

from collections.abc import Callable, Iterable
from math import log

import torch
from torch import Tensor

from benchmarks.harness import Row, seconds
from benchmarks.neighbours import full_product, image_like
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.neighbours import neighbours


def exponent(sizes: list[int], times: list[float]) -> float:
    """Slope of log time on log size."""
    x = torch.tensor([[log(size), 1.0] for size in sizes], dtype=torch.float64)
    y = torch.tensor([[log(time)] for time in times], dtype=torch.float64)
    return float(torch.linalg.lstsq(x, y).solution[0])


def sharpness(x: Tensor) -> object:
    """All cross-class pairs of two classes."""
    return label_sharpness(x, torch.arange(len(x)) % 2, value_range=float(x.max() - x.min()))


def run() -> Iterable[Row]:
    """Each quantity against N at fixed D and against D at fixed N."""
    functions: dict[str, Callable[[Tensor], object]] = {
        "neighbours": lambda x: neighbours(x, 20),
        "label_sharpness": sharpness,
    }
    grids = {
        "N": ([2000, 4000, 8000, 16_000], lambda size: image_like(size, 1024)),
        "D": ([4096, 8192, 16_384, 32_768], lambda size: image_like(1000, size)),
    }
    for name, function in functions.items():
        for axis, (sizes, make) in grids.items():
            sets = [make(size) for size in sizes]
            times = [seconds(lambda x=x: function(x)) for x in sets]  # noqa: B023
            product = seconds(lambda: full_product(sets[-1]))  # noqa: B023
            case = f"{name}, {axis} = {sizes[0]:,} .. {sizes[-1]:,}"
            note = f"time ~ {axis}^{exponent(sizes, times):.2f}"
            yield Row(case, times[-1], "one full product", product, note=note)
