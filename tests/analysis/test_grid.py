"""The main grid is not pooled with sweeps of size, channels or task."""

import pytest

from analysis.runs.records import read_runs
from analysis.statistics.grid import cells, main_view, one_recipe, trained_view
from analysis.statistics.over_seeds import over_seeds, over_seeds_by_epoch
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record


def test_other_sizes_tasks_and_isic_stay_out(tmp_path):
    write_grid(tmp_path, sizes=(500, 1000))
    inside = len(read_runs([tmp_path]).done)
    noisy = settings("resnet18", "brats", "medical", 1000, 0)
    noisy["task"] = noisy["task"] | {"noise": 0.2}
    write_record(tmp_path, noisy, scalars(1000, 5, 1))
    for size in (64, 128):
        bigger = settings("resnet18", "brats", "medical", 1000, 0, size=size)
        write_record(tmp_path, bigger, scalars(1000, 5, 1))
    write_record(tmp_path, settings("resnet18", "isic", "medical", 1000, 0), scalars(1000, 5, 1))
    runs = read_runs([tmp_path]).done
    assert len(main_view(runs)) == inside
    assert len(main_view(runs, isic=True)) == inside + 1


def test_of_views_with_as_many_runs_the_common_one_is_taken(tmp_path):
    for data, size in (("brats", 32), ("brats", 64), ("oai", 32), ("dbc", 32)):
        write_record(tmp_path, settings("none", data, "medical", 500, 0, size=size))
    view = main_view(read_runs([tmp_path]).done)
    assert view.groupby("data")["size"].agg(list).to_dict() == {
        "brats": [32],
        "dbc": [32],
        "oai": [32],
    }


def test_cells_average_over_seeds_and_count_them(tmp_path):
    for seed, loss in enumerate((1.0, 2.0, None)):
        write_record(
            tmp_path, settings("vgg13", "mnist", "natural", 500, seed), {"test/loss": loss}
        )
    (row,) = cells(read_runs([tmp_path]).done, ["test/loss"]).itertuples()
    assert (row[6], row.runs) == (1.5, 2)
    assert row[7] != row[7]  # an interval takes three seeds


def test_two_image_sets_of_one_s_own_stay_apart(tmp_path):
    for root, loss in (("/me/leaves", 1.0), ("/me/stones.npz", 3.0)):
        own = settings("vgg13", "image_folder", "natural", 500, 0, root=root)
        write_record(tmp_path, own, {"test/loss": loss})
    found = cells(main_view(read_runs([tmp_path]).done), ["test/loss"])
    assert found.set_index("data")["test/loss"].to_dict() == {"leaves": 1.0, "stones": 3.0}


def test_images_read_in_two_ways_are_two_views(tmp_path):
    for seed, scaling in enumerate(("window", "window", "maximum")):
        one = settings("vgg13", "brats", "medical", 500, seed, reader={"scaling": scaling})
        write_record(tmp_path, one)
    view = main_view(read_runs([tmp_path]).done)
    assert view.images.tolist() == ["reader.scaling=window"] * 2


def test_runs_without_a_network_do_not_choose_the_view_of_trainings(tmp_path):
    for seed in range(5):
        write_record(tmp_path, settings("none", "mnist", "natural", 500, seed, size=32))
    for seed in range(3):
        write_record(tmp_path, settings("vgg13", "mnist", "natural", 500, seed, size=28))
    view = trained_view(read_runs([tmp_path]).done)
    assert view["size"].tolist() == [28] * 3


def test_runs_of_other_epochs_are_no_seeds(tmp_path):
    for seed, epochs in enumerate((5, 5, 100)):
        one = settings("vgg13", "mnist", "natural", 500, seed) | {"epochs": epochs}
        write_record(tmp_path, one, {"test/loss": 1.0 * epochs})
    (row,) = cells(trained_view(read_runs([tmp_path]).done), ["test/loss"]).itertuples()
    assert (row[6], row.runs) == (5.0, 2)


def test_of_recipes_with_as_many_runs_the_common_one_is_taken(tmp_path):
    for n, epochs in ((500, 100), (500, 5), (1000, 5)):
        one = settings("vgg13", "mnist", "natural", n, 0) | {"epochs": epochs}
        write_record(tmp_path, one, {"test/loss": 1.0 * epochs})
    assert trained_view(read_runs([tmp_path]).done)["test/loss"].tolist() == [5.0, 5.0]


def test_one_recipe_is_that_of_the_largest_n_with_seeds_enough(tmp_path):
    plan = [(500, 5)] * 4 + [(1000, 5)] * 3 + [(1000, 100)] * 4 + [(4000, 5)] * 2
    for seed, (n, epochs) in enumerate(plan):
        one = settings("vgg13", "mnist", "natural", n, seed) | {"epochs": epochs}
        write_record(tmp_path, one, {"test/loss": 1.0 * epochs})
    runs = read_runs([tmp_path]).done
    kept = one_recipe(runs)
    assert (set(kept.n), set(kept["test/loss"]), len(kept)) == ({1000}, {100.0}, 4)
    swept = one_recipe(runs, swept=["n"])
    assert swept.groupby("n")["test/loss"].agg(["size", "first"]).to_numpy().tolist() == [
        [4, 5.0],
        [4, 100.0],
        [2, 5.0],
    ]


def test_folds_of_one_draw_share_images_and_count_as_one(tmp_path):
    for seed in range(3):
        for fold in range(4):
            one = settings("vgg13", "mnist", "natural", 500, seed) | {"folds": 4, "fold": fold}
            write_record(tmp_path, one, {"test/loss": seed + 0.1 * fold})
    runs = read_runs([tmp_path]).done
    assert runs.recipe.nunique() == 1
    (point,) = over_seeds(runs, ["model"], "test/loss").itertuples()
    assert (point.runs, point.y) == (3, pytest.approx(1.15))
    assert point.y_high == pytest.approx(1.15 + 4.3027 / 3**0.5, abs=1e-3)
    (curve,) = over_seeds_by_epoch(runs.assign(epoch=1), "test/loss").itertuples()
    assert (curve.runs, curve.y) == (3, pytest.approx(1.15))
