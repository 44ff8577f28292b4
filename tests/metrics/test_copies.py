"""A buffer that is filled again after `update` must not change what was measured."""

import pytest
import torch

from metrics.input_geometry import InputGeometry
from metrics.intrinsic_dimension import IntrinsicDimension
from metrics.label_sharpness import LabelSharpness
from metrics.log_spectrum import LogSpectrum
from metrics.neighbour_scaling import NeighbourScaling

NUMBERS = torch.rand(60, 1, 2, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
LABELS, PLACES = torch.arange(60) % 2, torch.arange(60)


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (lambda: InputGeometry((1, 2, 2)), (NUMBERS,)),
        (lambda: InputGeometry((1, 2, 2), dense=True), (NUMBERS,)),
        (lambda: IntrinsicDimension(k=5), (NUMBERS,)),
        (lambda: LogSpectrum(), (NUMBERS.flatten(1),)),
        (lambda: LabelSharpness(), (NUMBERS, LABELS, PLACES, PLACES)),
        (lambda: NeighbourScaling([20, 40]), (NUMBERS, PLACES >= 40, PLACES)),
    ],
    ids=lambda value: None,
)
def test_metrics_keep_copies(make, arguments):
    metric, other = make(), make()
    buffers = [argument.clone() for argument in arguments]
    metric.update(*buffers)
    other.update(*arguments)
    for buffer in buffers:
        buffer.zero_()
    assert metric.compute() == other.compute()
