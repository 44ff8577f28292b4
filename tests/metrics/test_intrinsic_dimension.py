import pytest
import torch

from metrics.functional.intrinsic_dimension import intrinsic_dimension
from metrics.functional.mle_dimension import mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import twonn_dimension
from metrics.intrinsic_dimension import IntrinsicDimension
from tests.metrics.contract import check_contract


def points(n: int = 80):
    return torch.rand(n, 2, 2, generator=torch.Generator().manual_seed(0))


def test_contract():
    check_contract(lambda: IntrinsicDimension(k=10), [(part,) for part in points().split(20)])


def test_gives_what_the_functions_give():
    metric = IntrinsicDimension(k=12, denominator="k-2", average="arithmetic", discard=0.2)
    metric.update(points())
    found = neighbours(points(), 49)  # 3 k + 8, and 5 to spare
    mle = mle_dimension(found, 12, "k-2", "arithmetic").scalars()
    assert metric.compute() == mle | twonn_dimension(found, 0.2).scalars()


def test_duplicates_up_to_the_spare_ones_cost_no_point():
    metric = IntrinsicDimension(k=10)
    metric.update(torch.cat([points(), points()[:8], points()[:8]]))
    result = metric.compute()
    assert result["d_mle_dropped"] == 0
    assert result["d_mle_zeros"] == 48


def test_few_points_give_twonn_and_say_why_not_mle():
    metric = IntrinsicDimension(k=20)
    metric.update(points(20))
    assert "d_mle" not in metric.compute()
    assert metric.compute()["d_twonn"] > 0
    assert "k=20 neighbours need 21 points" in metric.result().missing["d_mle"]


def test_points_that_allow_neither_are_refused():
    metric = IntrinsicDimension(k=20)
    metric.update(points(1).expand(30, 2, 2))
    with pytest.raises(ValueError, match="d_mle: no point has k=20.*d_twonn: no point has k=2"):
        metric.compute()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"denominator": "k"}, "denominator='k'"),
        ({"discard": 1.0}, "discard=1.0"),
        ({"k": 1}, "k=1"),
    ],
)
def test_a_wrong_option_is_no_missing_estimate(option, message):
    with pytest.raises(ValueError, match=message):
        intrinsic_dimension(points(), **option)
