"""Products whose error is bounded do not round their inputs to TF32 on GPUs."""

from operator import attrgetter

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from metrics.functional.closest_pairs import ClosestPair
from metrics.functional.full_float32 import full_float32
from metrics.functional.neighbours import neighbours
from metrics.functional.projection_bounds import ProjectionBounds
from metrics.functional.squared_distances import Points

PLACES = ("cuda.matmul", "cudnn.conv", "cudnn.rnn", "mkldnn.matmul", "mkldnn.conv")


@pytest.fixture
def allowed():
    """TF32 is allowed, as after TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1."""
    torch.set_float32_matmul_precision("high")
    yield
    torch.set_float32_matmul_precision("highest")


class Products(TorchDispatchMode):
    """Notes whether GPUs might round the inputs of each float32 product."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = func._schema.name
        if name in ("aten::mm", "aten::addmm_", "aten::addmm") and result.dtype == torch.float32:
            self.seen.append(torch.backends.cuda.matmul.allow_tf32)
        return result


def test_both_switches_are_restored(allowed):
    convolutions = torch.backends.cudnn.allow_tf32
    with full_float32():
        assert not torch.backends.cuda.matmul.allow_tf32
        assert not torch.backends.cudnn.allow_tf32
    assert torch.backends.cudnn.allow_tf32 == convolutions
    assert torch.get_float32_matmul_precision() == "high"


@pytest.fixture
def switched():
    """Switches of torch's newer interface, which disagree with the older ones."""
    places = {name: attrgetter(name)(torch.backends) for name in PLACES}
    before = {name: place.fp32_precision for name, place in places.items()}
    convolutions = torch.backends.cudnn.allow_tf32
    yield places
    torch.backends.cudnn.allow_tf32 = convolutions  # the older switches, which set the newer ones
    torch.set_float32_matmul_precision("highest")
    for name, place in places.items():
        place.fp32_precision = before[name]


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("cuda.matmul", "tf32"), ("cudnn.conv", "ieee"), ("mkldnn.matmul", "bf16")],
)
def test_every_switch_of_either_interface_is_restored_after_an_error(name, chosen, switched):
    switched[name].fp32_precision = chosen
    before = {name: place.fp32_precision for name, place in switched.items()}
    with pytest.raises(ZeroDivisionError), full_float32():
        assert {place.fp32_precision for place in switched.values()} == {"ieee"}
        assert torch.get_float32_matmul_precision() == "highest"  # Lightning asks for it
        assert 1 / 0
    assert {name: place.fp32_precision for name, place in switched.items()} == before


def nearest(x):
    neighbours(x, k=3)


def closest(x):
    rows, y = torch.arange(len(x)), torch.arange(len(x)) % 2
    found: list[ClosestPair] = ProjectionBounds(Points(x), rows).closest_pairs(y, rows, [None])
    assert found[0].distance > 0


@pytest.mark.parametrize("search", [nearest, closest])
def test_searches_multiply_in_full_float32(search, allowed):
    with Products() as products:
        search(torch.randn(100, 20, generator=torch.Generator().manual_seed(0)))
    assert products.seen
    assert not any(products.seen)
