import numpy as np
import pytest

from datamodules.errors import DataError
from datamodules.image_data import ImageData
from datamodules.readers.digits import Digits
from datamodules.tasks.all import All
from datamodules.tasks.function import Function
from datamodules.tasks.group import Group
from datamodules.tasks.pair import Pair
from datamodules.tasks.random import Random
from tests.datamodules.tasks.listings import ten_classes, with_unclassed


@pytest.mark.parametrize(
    "task", [All(), Pair(), Group([["cat"], ["dog", "truck"]]), Random(), Function()]
)
def test_images_of_no_class_take_no_part(task):
    listing = with_unclassed(ten_classes())
    labels = task.labels(listing, 0)
    assert (listing.labels[labels.index] >= 0).all()
    assert labels.index.shape == labels.y.shape
    assert np.isin(labels.y, range(len(labels.classes))).all()


def test_too_large_an_n_names_the_rarest_class_where_classes_are_balanced(tmp_path):
    def data(task):
        return ImageData(
            name="digits", reader=Digits, task=task, n=5000, seed=0, batch_size=8,
            cache=tmp_path, size=8,
        ).module()  # fmt: skip

    with pytest.raises(DataError, match=r"balanced training images .*rarest class: 174 of `8`"):
        data(All()).setup()
    with pytest.raises(DataError, match=r"but 1047 training images .* use n=all or n<=1047"):
        data(Function()).setup()
