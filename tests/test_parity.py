"""The comparison that parity tests assert by: it must be able to fail."""

import pytest

from tests.parity import agree


def compare(actual, expected, rtol=1e-3):
    agree("ours", "theirs", actual, expected, rtol=rtol, why="")


def test_what_agrees_within_the_tolerance_passes(monkeypatch):
    monkeypatch.delenv("PLUMBLINE_WRITE_PARITY", raising=False)
    assert compare([1.0, 200.0], [1.0005, 200.1]) is None


@pytest.mark.parametrize(
    ("actual", "expected", "said"),
    [
        (1.002, 1.0, "differ by"),
        ([1.0, 2.0], [1.0, 2.01], "differ by"),
        (float("nan"), 1.0, "differ by nan"),
        ([1.0], 1.0, "shape"),
        ([1.0, 2.0], [1.0], "shape"),
        (1e-6, 0.0, "differ by"),
    ],
)
def test_what_does_not_agree_fails(actual, expected, said):
    with pytest.raises(AssertionError, match=said):
        compare(actual, expected)
