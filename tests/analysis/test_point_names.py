from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from analysis.drawing.point_names import name_point


def drawn(layout: str | None, places: list[float]):
    figure = Figure(layout=layout)
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1])
    axes.text(0.45, 0.5, "r = 0.1")
    for place in places:
        name_point(axes, "brats", "medical", place, place)
    axes.set_ylabel("a label that the layout makes room for\nin two lines", fontsize=30)
    figure.draw_without_rendering()
    return axes


def test_names_lie_beside_each_other_and_inside_the_axes():
    for layout in (None, "constrained"):
        axes = drawn(layout, [0.5, 0.5, 0.5, 1.04])  # the last at the corner
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
        for box in boxes:
            assert axes.bbox.x0 <= box.x0 < box.x1 <= axes.bbox.x1
            assert axes.bbox.y0 <= box.y0 < box.y1 <= axes.bbox.y1


def test_a_name_covers_no_other_point():
    axes = drawn("constrained", [0.8, 0.82, 0.84])
    for text in axes.texts[1:]:
        box = text.get_window_extent()
        assert not any(box.contains(*axes.transData.transform((p, p))) for p in (0.8, 0.82, 0.84))


def test_other_annotations_stay_where_they_are():
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    own = axes.annotate("n = 3", (0.5, 0.5), xycoords="axes fraction")
    name_point(axes, "brats", "medical", 0.5, 0.5)
    before = own.get_window_extent().extents.tolist()
    figure.draw_without_rendering()
    assert own.get_window_extent().extents.tolist() == before
    assert not own.get_window_extent().overlaps(axes.texts[1].get_window_extent())
