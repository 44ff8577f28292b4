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


@pytest.mark.parametrize(
    "rule", [GrayRule("minmax"), GrayRule("percentile"), GrayRule(window=(150, 100))]
)
def test_nan_is_black_and_changes_no_other_pixel(rule):
    values = np.linspace(100, 200, 1000).reshape(10, 100)
    padded = np.vstack([values, np.full((1, 100), np.nan), np.full((1, 100), -np.inf)])
    gray = rule.levels(padded)
    assert (gray[10:] == 0).all()
    np.testing.assert_array_equal(gray[:10], rule.levels(values))
    assert gray.max() == 255
    assert (rule.levels(np.full((2, 2), np.nan)) == 0).all()


def test_the_question_offers_only_ways_that_work_and_names_nan():
    with pytest.raises(DataError, match=r"from 71 to 242 and 1 NaN pixel, .*scale=max\|minmax\|p"):
        GrayRule().levels(np.array([[71.0, 242.0, np.nan]]))
    with pytest.raises(DataError, match=r"int32 pixels .*scale=max\|minmax\|percentile, or"):
        GrayRule().levels(np.array([[0, 4000]], np.int32))
    with pytest.raises(DataError, match=r"uint16 pixels .*scale=type\|max\|minmax\|percentile, or"):
        GrayRule().levels(np.array([[0, 4000]], np.uint16))


@pytest.mark.parametrize(
    ("values", "left"),
    [
        (np.array([[0, 4000]], np.uint16), 16),
        (np.array([[0, 1000]], np.int16), 4),
        (np.array([[0, 40000]], np.uint16), None),
        (np.array([[0.0, 0.004]]), 2),
        (np.array([[0.0, 200.0]]), None),  # `type` is not offered
        (np.array([[0.0, 1e308]]), None),
        (np.zeros((1, 2), np.uint16), None),  # a blank slice
    ],
)
def test_the_question_says_where_type_makes_an_image_nearly_flat(values, left):
    with pytest.raises(DataError) as caught:
        GrayRule().levels(values)
    if left is None:
        assert "of 256 levels" not in str(caught.value)
    else:
        assert str(caught.value).endswith(f"leaves this image about {left} of 256 levels.")
        assert np.ptp(GrayRule("type").levels(values)) <= left


@pytest.mark.parametrize(
    ("values", "window"), [([0.25, 128.4, 254.9], "127.5,255"), ([-1.0, 0.003, 1.0], "0,2")]
)
def test_the_question_names_the_window_that_keeps_floats_as_they_are(values, window):
    with pytest.raises(DataError, match=rf"window=\[{window}\] for .* as they are"):
        GrayRule().levels(np.array([values]))
    levels = GrayRule(window=[float(one) for one in window.split(",")]).levels(np.array([values]))
    assert levels.tolist() == [[0, 128, 255]]
