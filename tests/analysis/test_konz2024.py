"""Every figure: drawn from what there is, marked where data are stand-ins, silent about nothing."""

from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.image import imsave

from analysis.drawing.style import style
from analysis.exhibits import NotEnoughError, discover, load
from analysis.make import make
from analysis.papers.konz2024.panels import model_panels
from analysis.runs.records import read_runs
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    """Runs that every figure can be drawn from, half of the data sets stand-ins."""
    root = tmp_path_factory.mktemp("atlas")
    write_grid(root, models=("resnet18",), sizes=(500, 1750))
    write_record(
        root,
        settings("resnet18", "isic", "medical", 1750, 0),
        scalars(1750, 12, 1e-4),
        standin=True,
    )
    for size in (64, 128):
        bigger = settings("resnet18", "brats", "medical", 1750, 0, size=size)
        write_record(root, bigger, scalars(1750, 11, 2e-4 * 32 / size))
    rgb = settings("none", "brats", "medical", 1750, 0, channels=3)
    write_record(root, rgb, {k: v for k, v in scalars(1750, 11, 1e-4).items() if "data/" in k})
    runs = read_runs([root]).done
    pictures = Path(runs[runs.data == "oai"].path.iloc[0]) / "figures"
    pictures.mkdir()
    imsave(pictures / "test_fgsm_examples.png", [[0.0, 1.0], [1.0, 0.0]])
    return runs


@pytest.mark.parametrize("figure", discover("figures", "konz2024"), ids=lambda figure: figure.name)
def test_every_figure_is_drawn_and_says_that_data_are_stand_ins(atlas, figure):
    made = make(figure, atlas.assign(standin=True))
    assert isinstance(made.result, Figure), made.reason
    assert made.result.get_suptitle() == "stand-in data"
    assert made.result.axes


def test_the_mark_tells_which_data_of_a_figure_are_stand_ins(atlas):
    assert atlas[atlas.standin].data.unique().tolist() == ["isic"]
    made = make(load("figures", "konz2024", "isic_gen"), atlas)
    assert made.result.get_suptitle() == "stand-in data: ISIC"
    made = make(load("figures", "konz2024", "gen_ddata"), atlas)  # has no ISIC on it
    assert made.result.get_suptitle() == ""


def test_real_data_carry_no_mark(atlas):
    made = make(load("figures", "konz2024", "props"), atlas[~atlas.standin])
    assert made.result.get_suptitle() == ""


def test_panels_have_the_cells_where_they_were_measured(atlas):
    figure = load("figures", "konz2024", "gen_ddata").make(atlas)
    (axes,) = figure.axes
    assert axes.get_title() == "ResNet-18"
    assert axes.get_yscale() == "log"
    drawn = {text.get_text() for text in axes.texts}
    assert drawn == {"BraTS", "DBC", "OAI", "MNIST", "CIFAR-10", "SVHN"}
    offsets = [tuple(point) for points in axes.collections for point in points.get_offsets()]
    cell = atlas[(atlas.data == "oai") & (atlas.n == 500)].iloc[0]
    expected = (cell["data/d_mle"], cell["test/loss"])
    assert any(point == pytest.approx(expected) for point in offsets)


def test_the_bound_has_its_diagonal(atlas):
    (axes,) = load("figures", "konz2024", "bound").make(atlas).axes
    assert axes.get_xlim() == axes.get_ylim()
    assert any((line.get_xdata() == line.get_ydata()).all() for line in axes.lines if
               line.get_linestyle() == "--")  # fmt: skip


def test_an_attack_panel_shows_the_pooled_r(atlas):
    (axes,) = load("figures", "konz2024", "adv_loss").make(atlas).axes
    assert any(text.get_text().startswith("r = 1.00 (") for text in axes.texts)


@pytest.mark.parametrize("name", ["isic_props", "isic_gen", "res_props", "resolution", "rgb_props"])
def test_a_figure_without_its_runs_says_what_is_lacking(tmp_path, name):
    write_grid(tmp_path, models=("vgg13",), sizes=(500,))
    figure = load("figures", "konz2024", name)
    with pytest.raises(NotEnoughError):
        figure.make(read_runs([tmp_path]).done)


def test_a_data_set_swept_at_a_smaller_n_stays_in_the_figure_of_sizes(tmp_path):
    for data, n in (("brats", 1750), ("oai", 500)):
        for size in (32, 64):
            one = settings("vgg13", data, "medical", n, 0, size=size)
            write_record(tmp_path, one, {"test/accuracy": 0.9})
    figure = load("figures", "konz2024", "resolution").make(read_runs([tmp_path]).done)
    assert figure.axes[0].get_legend_handles_labels()[1] == ["BraTS", "OAI"]


def test_a_run_attacked_at_one_size_alone_is_in_the_panel_of_that_size(tmp_path):
    level = "test/fgsm_accuracy_penalty@"
    for data, levels in (("brats", (1, 2)), ("oai", (2,))):
        numbers = {"data/k_f": 1e-4, "test/accuracy": 0.9} | {f"{level}{k}": 0.1 for k in levels}
        write_record(tmp_path, settings("vgg13", data, "medical", 500, 0), numbers)
    first, second = load("figures", "konz2024", "adv_acc").make(read_runs([tmp_path]).done).axes
    assert not any(text.get_text() == "OAI" for text in first.texts)
    assert any(text.get_text() == "OAI" for text in second.texts)


def test_a_data_set_of_loss_0_does_not_cost_the_figure_of_losses(tmp_path):
    for data, loss in (("brats", 0.0), ("oai", 1.0)):
        for n in (500, 1000):
            numbers = scalars(n, 11.0, 2e-4) | {"test/loss": loss}
            write_record(tmp_path, settings("vgg13", data, "medical", n, 0), numbers)
    assert load("figures", "konz2024", "gen_ddata").make(read_runs([tmp_path]).done).axes


def test_dollars_in_a_name_are_no_formula(tmp_path):
    numbers = scalars(500, 11.0, 2e-4)
    write_record(tmp_path, settings("vgg13", "x$_$y", "medical", 500, 0), numbers)
    made = make(load("figures", "konz2024", "acc_ddata"), read_runs([tmp_path]).done)
    assert made.pictures["png"], made.reason


def test_what_cannot_be_set_fails_with_its_figure(atlas):
    figure = load("figures", "konz2024", "acc_ddata")

    def torn(runs):
        drawn = Figure()
        drawn.text(0, 0, "$_$")
        return drawn

    made = make(replace(figure, maker=torn), atlas)
    assert made.failed
    assert "ParseException" in made.reason or "ValueError" in made.reason


def test_a_lacking_column_is_named(tmp_path):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), {"test/loss": 1.0})
    made = make(load("figures", "konz2024", "gen_ddata"), read_runs([tmp_path]).done)
    assert made.reason == "no finished run has data/d_mle"
    assert not made.failed


def test_losses_within_a_decade_have_labelled_ticks(tmp_path):
    for n, loss in ((250, 0.68), (500, 0.62)):
        numbers = scalars(n, 9, 1e-4) | {"test/loss": loss}
        write_record(tmp_path, settings("resnet18", "oai", "medical", n, 0), numbers)
    figure, _ = model_panels(read_runs([tmp_path]).done, "data/d_mle", ["test/loss"])
    figure.draw_without_rendering()
    (low, high), axis = figure.axes[0].get_ylim(), figure.axes[0].yaxis
    shown = [
        tick.label1.get_text() for tick in axis.get_major_ticks() if low < tick.get_loc() < high
    ]
    assert len([text for text in shown if text]) >= 2


def test_the_legend_of_one_panel_is_inside_the_figure(tmp_path):
    for data, domain in (("oai", "medical"), ("cifar10", "natural")):
        for n in (250, 1000):
            for seed in range(3):
                write_record(
                    tmp_path, settings("resnet18", data, domain, n, seed), scalars(n, 9, 1e-4)
                )
    with style():
        figure, _ = model_panels(read_runs([tmp_path]).done, "data/d_mle", ["test/loss"])
        figure.draw_without_rendering()
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()][-1].startswith("95 % intervals")
    whole, drawn = figure.bbox, legend.get_window_extent()
    assert whole.x0 <= drawn.x0
    assert drawn.x1 <= whole.x1


def test_runs_that_measured_nothing_of_their_images_do_not_choose_the_view(tmp_path):
    one = settings("resnet18", "brats", "medical", 500, 0)
    write_record(tmp_path, one, scalars(500, 11, 2e-4))
    for seed in (1, 2):  # more of them, in another view, with callbacks=none
        other = settings("resnet18", "brats", "medical", 500, seed, size=64)
        write_record(tmp_path, other, {"test/loss": 0.5, "test/accuracy": 0.8})
    runs = read_runs([tmp_path]).done
    made = make(load("tables", "konz2024", "properties"), runs)
    assert made.table["size"].tolist() == [32]
    assert make(load("figures", "konz2024", "props"), runs).pictures
    nothing = make(load("figures", "konz2024", "props"), runs[runs["size"] == 64])
    assert not nothing.failed
    assert "data/d_mle" in nothing.reason


def test_intervals_of_penalties_are_over_draws_of_images(tmp_path):
    for seed in range(3):
        for n in (500, 1000, 1750):
            numbers = scalars(n, 9, 1e-4 * (1 + seed / 10), noise=n / 1e4)
            write_record(tmp_path, settings("vgg13", "mnist", "natural", n, seed), numbers)
    runs = read_runs([tmp_path]).done
    exhibit = load("figures", "konz2024", "adv_loss")

    def note(some):
        return exhibit.make(some).legends[0].get_texts()[-1].get_text()

    assert note(runs) == "95 % intervals over 3 draws"
    assert note(runs[runs.seed < 2]) == "2 draws, no interval"
