from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from callbacks.figures.titles import set_title
from datamodules.spec import DataSpec

SPEC = DataSpec("image_folder", "natural", 1, 8, ("a", "b"), 9, 9, None, (0.3,), (0.4,))


@pytest.mark.parametrize(
    ("changed", "title"),
    [
        ({"folder": "knees"}, "knees: 9 test images"),
        ({"name": "digits"}, "digits: 9 test images"),
        ({"name": "brats", "standin": True}, "brats (stand-in): 9 test images"),
    ],
)
def test_a_figure_names_the_folder_of_an_own_set(changed, title):
    figure = Figure()
    set_title(figure, "9 test images", replace(SPEC, **changed))
    assert figure.get_suptitle() == title
