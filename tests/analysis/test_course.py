import numpy as np
from matplotlib.figure import Figure

from analysis.drawing.course import MOST_RIDGES, draw_course


def rows(*names, epochs=(0, 1, 2, 5), images=0):
    return [(epoch, epoch, name, 1.0 + epoch, images) for name in names for epoch in epochs]


def titles(figure: Figure) -> list[str]:
    return [axes.get_title() for axes in figure.axes if axes.get_visible()]


def test_a_panel_for_every_quantity_that_was_measured_twice():
    measured = rows("test/loss", "geometry/velocity", "train/d_repr_mle/penultimate")
    once = [(0, 0, "test/accuracy", 0.5, 0), (0, 0, "data/d_mle", 7.0, 0)]
    figure = draw_course(measured + once)
    assert titles(figure) == ["loss", "intrinsic dimension", "velocity of $G^t$"]
    labels = [text.get_text() for text in figure.axes[1].get_legend().get_texts()]
    assert labels == ["d_repr MLE", "d_data MLE"]


def test_attack_sizes_are_curves_of_one_panel():
    figure = draw_course(rows("test/fgsm_loss_penalty@2", "test/fgsm_loss_penalty@8"))
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["eps = 2/255", "eps = 8/255"]


def test_nothing_measured_twice_is_no_picture():
    assert draw_course([(3, 9, "test/loss", 0.1, 0)]) is None


def test_numbers_that_are_not_finite_are_left_out():
    measured = [*rows("test/loss"), (9, 9, "test/loss", float("nan"), 0)]
    (line,) = draw_course(measured).axes[0].lines
    assert line.get_xdata()[-1] == 5


def test_spectra_are_ridges_of_at_most_a_dozen_epochs(tmp_path):
    spectra = {epoch: np.exp(np.random.default_rng(epoch).normal(size=80)) for epoch in range(40)}
    figure = draw_course(rows("test/loss"), spectra, "a run")
    ticks = [tick.get_text() for tick in figure.axes[1].get_yticklabels()]
    assert len(ticks) == MOST_RIDGES
    assert (ticks[0], ticks[-1]) == ("0", "39")
    figure.savefig(tmp_path / "course.png")


def test_a_curve_keeps_its_images_and_the_number_on_all_of_them_is_a_ring():
    measured = [*rows("test/loss", images=256), (5, 5, "test/loss", 3.0, 1750)]
    figure = draw_course(measured)
    curve, ring = figure.axes[0].lines
    assert (list(curve.get_ydata()), list(ring.get_ydata())) == ([1.0, 2.0, 3.0, 6.0], [3.0])
    assert figure.axes[0].get_legend().get_texts()[0].get_text() == "test, n=256"
    assert "ring: all images" in figure.get_suptitle()
