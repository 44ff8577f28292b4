import io
from dataclasses import replace

import torch

from callbacks.figures.images import as_rgb, attacked_images, montage
from callbacks.figures.titles import drawn_class_name
from tests.callbacks.subjects import data_of, random_split


def test_pixels_keep_their_colours_and_unbounded_data_are_stretched_alike():
    gray = torch.tensor([[[[0.2, 0.6]]]])
    torch.testing.assert_close(as_rgb(gray)[0, 0], torch.tensor([[0.2] * 3, [0.6] * 3]))
    wide = torch.tensor([-1.0, 0.0, 3.0]).view(3, 1, 1, 1)
    torch.testing.assert_close(as_rgb(wide)[:, 0, 0, 0], torch.tensor([0.0, 0.25, 1.0]))


def test_every_image_is_in_its_place_under_its_caption():
    shades = (
        torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]).view(2, 3, 1, 1, 1).expand(2, 3, 1, 40, 40)
    )
    captions = [[(f"{row}{column}", "black") for column in range(3)] for row in range(2)]
    axes = montage(list(shades), captions, ["clean", "attacked"]).axes[0]
    picture = axes.images[0].get_array()
    for text in axes.texts:
        row, column = map(int, text.get_text())
        x, y = text.get_position()
        shade = float(shades[row, column, 0, 0, 0])
        assert picture[int(y) + 20, int(x), 0] == torch.tensor(shade)  # below the caption
        assert picture[int(y), int(x), 0] == 1  # the caption stands on white


def test_outputs_beyond_the_classes_have_numbers():
    spec = data_of(random_split(), classes=3).spec
    assert [spec.class_name(label) for label in (0, 2, 7)] == ["a", "c", "output 7"]


def test_a_name_that_the_font_cannot_draw_is_a_number():
    spec = replace(data_of(random_split()).spec, classes=("\u304a", "cat"))
    assert [drawn_class_name(spec, label) for label in (0, 1)] == ["class 0", "cat"]


def test_the_true_class_is_told_where_the_clean_image_is_misclassified():
    spec = data_of(random_split(), classes=3).spec
    images, y = torch.zeros(2, 3, 1, 8, 8), torch.tensor([0, 1, 2])
    guesses = [torch.tensor([0, 2, 2]), torch.tensor([1, 2, 0])]
    figure = attacked_images(list(images), guesses, y, [1 / 255], "2 of 3 images", spec)
    captions = [(text.get_text(), text.get_color()) for text in figure.axes[0].texts]
    clean = [("a", "black"), ("c\ntrue: b", "crimson"), ("c", "black")]
    attacked = [("b", "crimson"), ("c", "crimson"), ("a", "crimson")]
    assert captions == [*clean, *attacked]


def test_the_title_of_a_narrow_picture_is_not_cut():
    spec = data_of(random_split(), classes=3).spec
    y = torch.tensor([0, 1])
    figure = attacked_images([torch.zeros(2, 1, 8, 8)] * 2, [y, y], y, [1 / 255], "0 of 2", spec)
    figure.savefig(io.BytesIO())
    extent = figure._suptitle.get_window_extent()
    assert 0 <= extent.x0 < extent.x1 <= figure.bbox.width
