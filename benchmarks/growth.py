"""Growth of time with the number of images N and of values D.

Our time at the largest size against one full float32 product; the note has the exponent p of
time ~ N^p or D^p, fitted by least squares over three sizes, and the memory that the largest size
takes beyond the input. Each size is timed once.
"""

from collections.abc import Callable, Iterable
from math import log

import torch
from torch import Tensor

from benchmarks import harness
from benchmarks.harness import Row, added_memory, seconds
from benchmarks.neighbours import full_product, image_like
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.neighbours import neighbours

PART = 16  # the product is timed on this part of the rows, and its time is multiplied by PART


def exponent(sizes: list[int], times: list[float]) -> float:
    """Slope of log time on log size."""
    x = torch.tensor([[log(size), 1.0] for size in sizes], dtype=torch.float64)
    y = torch.tensor([[log(time)] for time in times], dtype=torch.float64)
    return float(torch.linalg.lstsq(x, y).solution[0])


def sharpness(x: Tensor) -> object:
    """All cross-class pairs of two classes."""
    return label_sharpness(x, torch.arange(len(x)) % 2, value_range=float(x.max() - x.min()))


def many_images(n: int = 100_000) -> Row:
    """Neighbours of many images at D = 512, where N x N numbers would take 40 GB."""
    x = image_like(n, 512)
    start = harness.clock()
    memory = added_memory(lambda: neighbours(x, 20))
    taken = harness.clock() - start
    product = 4 * PART * seconds(lambda: full_product(x, 4 * PART), repeats=1)
    note = f"{memory:.2f} GB beyond the input"
    return Row(f"neighbours, N = {n:,}, D = 512", taken, "one full product", product, note=note)


def run() -> Iterable[Row]:
    """Each quantity against N at fixed D and against D at fixed N."""
    functions: dict[str, tuple[Callable[[Tensor], object], list[int]]] = {
        "neighbours": (lambda x: neighbours(x, 20), [12_500, 25_000, 50_000]),
        "label_sharpness": (sharpness, [4000, 8000, 16_000]),
    }
    yield many_images()
    for name, (function, counts) in functions.items():
        grids = {
            "N": (counts, lambda size: image_like(size, 512)),
            "D": ([8192, 16_384, 32_768], lambda size: image_like(1000, size)),
        }
        for axis, (sizes, make) in grids.items():
            times, memory = [], 0.0
            for size in sizes:
                x = make(size)
                start = harness.clock()
                memory = added_memory(lambda x=x: function(x))  # noqa: B023
                times.append(harness.clock() - start)
            product = PART * seconds(lambda x=x: full_product(x, PART), repeats=1)
            case = f"{name}, {axis} = {sizes[0]:,} .. {sizes[-1]:,}"
            note = f"time ~ {axis}^{exponent(sizes, times):.2f}; {memory:.2f} GB beyond the input"
            yield Row(case, times[-1], "one full product", product, note=note)
