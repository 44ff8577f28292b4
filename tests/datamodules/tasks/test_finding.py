import numpy as np
import pytest

from datamodules.errors import DataError
from datamodules.reader import Listing
from datamodules.tasks.finding import Finding

LISTING = Listing(
    labels=np.zeros(6, np.int64),
    classes=("normal", "any"),
    findings={
        "epidural": np.array([1, 0, -1, 1, 0, -1]),
        "subdural": np.array([0, 0, 0, 1, 1, 1]),
        "grade": np.array([0, 1, 2, 3, 4, -1]),
    },
)


def test_images_that_a_finding_says_nothing_about_are_left_out():
    labels = Finding("epidural").labels(LISTING, 0)
    assert labels.index.tolist() == [0, 1, 3, 4]
    assert labels.y.tolist() == [1, 0, 1, 0]
    assert labels.classes == ("no epidural", "epidural")


def test_a_wrong_name_is_answered_with_the_nearest_and_all():
    with pytest.raises(DataError, match=r"did you mean `epidural`\? There are .*subdural"):
        Finding("epidurall").labels(LISTING, 0)
    with pytest.raises(DataError, match=r"task\.finding=xyz: no such finding; there are epidural"):
        Finding("xyz").labels(LISTING, 0)


def test_a_set_without_findings_says_so():
    with pytest.raises(DataError, match="no findings; use task=default"):
        Finding("any").labels(Listing(labels=np.zeros(2, np.int64), classes=("a",)), 0)


def test_a_grade_is_not_a_finding():
    with pytest.raises(DataError, match=r"values \[0, 1, 2, 3, 4\]"):
        Finding("grade").labels(LISTING, 0)
