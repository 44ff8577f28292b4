import numpy as np
import pytest

from datamodules.errors import DataError
from datamodules.formats.gray_levels import GrayRule, gray_levels


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int16])
def test_the_range_of_a_type_has_two_ends(kind):
    ends = np.iinfo(kind)
    values = np.array([[ends.min, ends.max]], kind)
    assert gray_levels(values, "type").tolist() == [[0, 255]]


def test_zero_is_in_the_middle_of_a_signed_type():
    assert gray_levels(np.zeros((1, 1), np.int16), "type").tolist() == [[127]]


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64])
def test_no_image_uses_the_range_of_wide_integers(kind):
    values = np.array([[0, 255]], kind)
    with pytest.raises(DataError, match=rf"x\.npz has {np.dtype(kind)} pixels, .* use max, minmax"):
        gray_levels(values, "type", "x.npz")
    assert GrayRule("max").levels(values).tolist() == [[0, 255]]
