"""The mean of several second moments, against that of their geometries."""

import pytest
import torch

from metrics.functional.geometry import Geometry
from metrics.functional.second_moment import SecondMoment


@pytest.mark.parametrize("dense", [True, False])
def test_the_mean_of_moments_of_different_sizes_is_that_of_their_geometries(dense):
    moments = [SecondMoment((1, 20, 20), dense) for _ in range(3)]
    for moment, count in zip(moments, (100, 90, 5), strict=True):
        moment.add(torch.randn(count, 400))
    expected = Geometry.mean_of([one.geometry() for one in moments])
    found = SecondMoment.mean_of(moments)
    torch.testing.assert_close(found.dense(), expected.dense())
    for moment in moments:
        moment.add(torch.ones(1, 400))  # the sums are not changed
    assert SecondMoment.mean_of(moments).trace != found.trace
    torch.testing.assert_close(
        SecondMoment.mean_of(moments).dense(),
        Geometry.mean_of([one.geometry() for one in moments]).dense(),
    )


def test_a_mean_needs_rows_in_each():
    empty = SecondMoment((1, 2, 2), dense=True)
    with pytest.raises(ValueError, match="no rows were added"):
        SecondMoment.mean_of([empty, empty])
