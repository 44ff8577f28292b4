import numpy as np
import pytest
from sklearn.datasets import load_digits

from datamodules.readers import digits
from datamodules.readers.digits import Digits


@pytest.fixture(params=["from the file", "by scikit-learn"])
def reader(request, monkeypatch):
    if request.param == "by scikit-learn":  # a version that keeps the file elsewhere
        monkeypatch.setattr(digits, "find_spec", lambda name: None)
    return Digits()


def test_the_digits_are_scikit_learns(reader):
    images, labels = load_digits(return_X_y=True)
    assert np.array_equal(reader.listing().labels, labels)
    levels = np.stack([reader.read(i) for i in range(len(labels))]).reshape(len(labels), 64)
    assert np.array_equal(levels, np.round(images * 255 / 16))
    assert levels.dtype == np.uint8
