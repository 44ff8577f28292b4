"""Records drawn from a known law give back its parameters; formulas on worked examples."""

import math

import numpy as np
import pytest

from analysis.exhibits import NotEnoughError, load
from analysis.runs.records import read_runs
from analysis.statistics.grid import cells, trained_view
from tests.analysis.synthetic_runs import A, scalars, settings, write_grid, write_record


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    root = tmp_path_factory.mktemp("grid")
    write_grid(root, sizes=(500, 1000, 1750), scatter=0.1)
    return read_runs([root]).done


def build(name, runs):
    return load("tables", "konz2024", name).make(runs)


def done(tmp_path):
    return read_runs([tmp_path]).done


def test_the_level_and_scatter_of_the_law_come_back(grid):
    table = build("laws", grid)
    fitted = table[table.law == "A"]
    assert fitted.model.tolist() == ["resnet18", "vgg13"]
    # 18 cells, scatter 0.1, plus half the variance of K_F over pairs that a mean of losses leaves
    assert fitted.intercept.to_numpy() == pytest.approx(A, abs=4 * 0.1 / math.sqrt(18))
    assert ((fitted.intercept_low < A) & (fitted.intercept_high > A)).all()
    assert fitted.deviation.to_numpy() == pytest.approx(0.1, rel=0.5)
    assert (fitted.aic.to_numpy() < table[table.law == "B"].aic.to_numpy()).all()


def test_table_2_on_a_worked_example(tmp_path):
    """n = d = 1: residuals are of log L and log L - log K_F; RSS 14/3 and 2/3 of (log 2)^2."""
    for data, loss, k_f in (("brats", 1.0, 1.0), ("dbc", 2.0, 2.0), ("oai", 8.0, 4.0)):
        numbers = {"test/loss": loss, "data/k_f": k_f, "data/d_mle": 1.0}
        write_record(tmp_path, settings("vgg13", data, "medical", 1, 0), numbers)
    row = build("likelihood", done(tmp_path)).iloc[0]
    assert row.log_r == pytest.approx(2 * math.log(2) ** 2)
    assert row.log_r_estimated == pytest.approx(1.5 * math.log(7))
    assert row.aic_difference == pytest.approx(row.bic_difference) == pytest.approx(3 * math.log(7))
    assert row["log_r published"] == 8.1
    assert (row.points, row.clusters) == (3, 3)
    assert math.isnan(row.log_r_p)  # of three points
    assert math.isnan(row.log_r_estimated_low)


def test_the_law_with_sharpness_wins_where_it_made_the_records(grid):
    table = build("likelihood", grid)
    assert (table.log_r_estimated_low > 0).all()
    assert (table.log_r_p < 0.05).all()
    assert table["log_r published"].tolist() == [13.5, 8.1]


def test_correlations_are_pearsons_pooled_and_within(grid):
    table = build("adv_corr", grid).set_index(["model", "penalty", "eps x 255"])
    row, mine = table.loc[("resnet18", "loss", 2)], grid[grid.model == "resnet18"]
    y = "test/fgsm_loss_penalty@2"
    assert row.r_pooled == pytest.approx(np.corrcoef(mine["data/k_f"], mine[y])[0, 1])
    natural = mine[mine.domain == "natural"]
    assert row.r_within_natural == pytest.approx(np.corrcoef(natural["data/k_f"], natural[y])[0, 1])
    assert row["r_pooled published"] == 0.70
    assert row["r_within_medical published"] == 0.53
    assert row["r_within_natural published"] == -0.42
    assert row.runs == 3 * (3 + 3 * 2)


def test_the_share_below_the_bound(tmp_path):
    for place, data in enumerate(("brats", "dbc", "oai", "mura")):
        numbers = {"data/d_mle": 10.0, "train/d_repr_mle/penultimate": 9.0 + 2 * (place == 0)}
        write_record(tmp_path, settings("vgg13", data, "medical", 500, 0), numbers)
    row = build("bound", done(tmp_path)).iloc[0]
    assert row.share == 0.75
    assert row.share_low < 0.75 <= row.share_high <= 1


def test_required_samples_solve_the_law(grid):
    table = build("required_samples", grid).set_index(["model", "data"])
    row = table.loc[("vgg13", "brats")]
    cell = grid[(grid.model == "vgg13") & (grid.data == "brats") & (grid.n == 1750)].iloc[0]
    assert row.log10_n == pytest.approx(math.log10(1750) + cell["data/d_mle"] * math.log10(2))
    assert row.log10_n_low < row.log10_n < row.log10_n_high


def test_a_set_far_above_the_law_needs_more_images_too(tmp_path):
    for data, factor in (("brats", 1.0), ("oai", 1.0), ("dbc", 20.0)):
        numbers = scalars(1000, 11.0, 2e-4)
        numbers["test/loss"] *= factor
        write_record(tmp_path, settings("vgg13", data, "medical", 1000, 0), numbers)
    table = build("required_samples", done(tmp_path))
    assert (table.log10_n_low > 3).all()


def test_a_dimension_without_interval_gives_no_interval_of_n(tmp_path):
    numbers = scalars(1000, 11.0, 2e-4)
    known = {name: value for name, value in numbers.items() if not name.startswith("data/d_mle_")}
    write_record(tmp_path, settings("vgg13", "brats", "medical", 1000, 0), known)
    row = build("required_samples", done(tmp_path)).iloc[0]
    assert row.log10_n == pytest.approx(3 + 11 * math.log10(2))
    assert math.isnan(row.log10_n_low)
    assert math.isnan(row.log10_n_high)


def test_task_selection_compares_labels_of_the_same_images(tmp_path):
    epidural = {"_target_": "datamodules.tasks.finding.Finding", "finding": "epidural"}
    one = settings("vgg13", "rsna_ih_ct", "medical", 1750, 0)
    numbers = {"test/accuracy": 0.7, "test/loss": 0.8, "data/k_f": 2.1e-4}
    numbers |= {"data/k_f_low": 1.7e-4, "data/k_f_high": 2.5e-4}
    write_record(tmp_path, one, numbers)
    other = {"data/k_f": 1.45e-4, "data/k_f_low": 1.39e-4, "data/k_f_high": 1.51e-4}
    write_record(tmp_path, one | {"task": epidural}, numbers | other | {"test/loss": 0.4})
    row = build("task_select", done(tmp_path)).iloc[0]
    assert (row["task 1"], row["task 2"], row.loss_ratio) == ("all", "finding epidural", 2.0)
    write_record(tmp_path, one | {"task": epidural | {"finding": "any"}}, numbers)  # the same task
    (row,) = (row for _, row in build("task_select", done(tmp_path)).iterrows())
    assert (row["task 1"], row["task 2"]) == ("finding any", "finding epidural")
    ends = [row.k_f_ratio, row.k_f_ratio_low, row.k_f_ratio_high]
    assert np.round(ends, 2).tolist() == [1.45, 1.19, 1.76]
    assert (row["loss 1 published"], row["loss 2 published"]) == (0.69, 0.63)


def test_pairs_of_classes_and_noisy_labels_are_no_two_tasks_on_the_same_images(tmp_path):
    numbers = {"test/accuracy": 0.7, "test/loss": 0.8, "data/k_f": 2e-4}
    one = settings("vgg13", "cifar10", "natural", 1000, 0)
    pair = {"_target_": "datamodules.tasks.pair.Pair"}
    for task in (pair, pair | {"classes": [1, 2]}, one["task"], one["task"] | {"noise": 0.2}):
        write_record(tmp_path, one | {"task": task}, numbers)
    with pytest.raises(NotEnoughError):
        build("task_select", done(tmp_path))


@pytest.mark.parametrize("name", ["laws", "required_samples"])
def test_a_loss_of_0_is_left_out_of_the_laws(tmp_path, name):
    for data, loss in (("brats", 0.0), ("oai", 1.0)):
        for n in (500, 1000, 1750):
            numbers = scalars(n, 11.0, 2e-4, noise=n / 1e4)
            numbers["test/loss"] *= loss
            write_record(tmp_path, settings("vgg13", data, "medical", n, 0), numbers)
    table = build(name, done(tmp_path))
    if name == "laws":
        assert (table.points == 3).all()
        assert table["interval over"].str.startswith("none: 1 data set").all()
    else:
        assert table.data.tolist() == ["oai"]


def test_losses_of_0_alone_are_not_enough_for_a_law(tmp_path):
    for n in (500, 1000):
        numbers = scalars(n, 11.0, 2e-4) | {"test/loss": 0.0}
        write_record(tmp_path, settings("vgg13", "brats", "medical", n, 0), numbers)
    with pytest.raises(NotEnoughError):
        build("laws", done(tmp_path))


def test_large_n_expects_a_ratio_by_the_dimension(tmp_path):
    for n, loss in ((1000, 0.6), (9250, 0.3)):
        one = settings("vgg13", "chexpert", "medical", n, 0)
        write_record(tmp_path, one, {"test/loss": loss, "data/d_mle": 16.0})
    row = build("large_n", done(tmp_path)).iloc[0]
    assert row.ratio == 0.5
    assert row.expected == pytest.approx((1000 / 9250) ** (1 / 16))
    assert (row["loss small published"], row["loss large published"]) == (0.67, 0.6014)


SIZES = ((500, -2.0, 1e-4), (1000, 0.0, 2e-4), (1750, 2.0, 3e-4))  # n, less or more d, K_F


def test_properties_average_dimension_over_n_and_take_sharpness_at_the_largest(tmp_path):
    for n, more, k_f in SIZES:
        for model in ("none", "vgg13"):  # measured twice, counted once
            numbers = scalars(n, 12 + more, k_f)
            write_record(tmp_path, settings(model, "brats", "medical", n, 0), numbers)
    row = build("properties", done(tmp_path)).iloc[0]
    assert (row.d_mle, row.k_f, row.d_draws, row.k_draws) == (12.0, 3e-4, 1, 1)
    assert math.isnan(row.d_mle_low)  # the three sizes are nested
    assert (row.k_f_low, row.k_f_high) == pytest.approx((2.7e-4, 3.3e-4))
    assert row["d_mle published"] == 11.0


def test_equal_images_of_different_labels_are_counted(tmp_path):
    numbers = {"data/d_mle": 10.0, "data/k_f": None}
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), numbers)
    row = build("properties", done(tmp_path)).iloc[0]
    assert math.isnan(row.k_f)
    assert (row.k_draws, row.k_f_infinite) == (0, 1)


def test_intervals_of_properties_are_over_draws_not_over_their_sizes(tmp_path):
    for seed, d in enumerate((10.0, 12.0, 14.0)):
        for n, more, k_f in SIZES:
            one = settings("none", "mnist", "natural", n, seed)
            write_record(tmp_path, one, scalars(n, d + more / 10, k_f + 1e-6 * seed))
    row = build("properties", done(tmp_path)).iloc[0]
    assert (row.d_mle, row.d_draws, row.k_draws) == (pytest.approx(12.0), 3, 3)
    assert row.d_mle_low == pytest.approx(12 - 4.3027 * 2 / math.sqrt(3), abs=1e-3)


def test_a_draw_that_many_seeds_trained_on_counts_once(tmp_path):
    for seed in range(4):
        one = settings("vgg13", "mnist", "natural", 500, seed)
        one["data"]["seed"] = 0
        write_record(tmp_path, one, scalars(500, 11, 2e-4, noise=seed))
    row = build("properties", done(tmp_path)).iloc[0]
    assert (row.d_draws, row.k_draws) == (1, 1)
    assert (row.d_mle_low, row.k_f_low) == pytest.approx((0.95 * 11, 1.8e-4))  # the run's own


def test_every_fold_is_in_the_tables_and_an_interval_takes_several_draws(tmp_path):
    for seed in range(3):
        for fold in range(5):
            one = settings("vgg13", "mnist", "natural", 500, seed) | {"folds": 5, "fold": fold}
            d = 10 + seed + fold / 10
            write_record(tmp_path, one, scalars(500, d, 2e-4) | {"test/loss": d})
    runs = done(tmp_path)
    assert len(trained_view(runs)) == 15
    row = build("properties", runs).iloc[0]
    assert (row.d_mle, row.d_draws) == (pytest.approx(11.2), 3)
    assert row.d_mle_high == pytest.approx(11.2 + 4.3027 / math.sqrt(3), abs=1e-3)
    (cell,) = cells(runs, ["test/loss"]).itertuples()
    assert (cell.runs, cell[6]) == (3, pytest.approx(11.2))
    (one,) = cells(runs[runs.seed == 0], ["test/loss"]).itertuples()
    assert math.isnan(one[7])


def test_runs_without_a_finite_sharpness_are_counted_not_hidden(tmp_path):
    write_grid(tmp_path, models=("vgg13",), sizes=(500, 1000), seeds=1)
    infinite = settings("vgg13", "mura", "medical", 500, 0)
    write_record(tmp_path, infinite, scalars(500, 9, 1e-4) | {"data/k_f": None})
    table = build("laws", done(tmp_path)).set_index("law")
    assert (table.loc["A", "runs left out"], table.loc["A", "points"]) == (1, 12)
    assert (table.loc["B", "runs left out"], table.loc["B", "points"]) == (0, 13)


def test_a_network_with_too_few_points_has_a_note(tmp_path):
    write_grid(tmp_path, models=("vgg13",), sizes=(500, 1000), seeds=1)
    write_record(tmp_path, settings("vgg16", "brats", "medical", 500, 0), scalars(500, 9, 1e-4))
    table = build("likelihood", done(tmp_path)).set_index("model")
    assert "a fit needs 2" in table.loc["vgg16"].note
    assert table.loc["vgg13"].log_r > 0


@pytest.mark.parametrize("name", ["task_select", "large_n"])
def test_a_table_without_its_runs_says_so(grid, name):
    with pytest.raises(NotEnoughError):
        build(name, grid)


def test_one_data_set_is_fitted_without_an_interval_and_says_so(tmp_path):
    for n in (500, 1000, 1750):
        numbers = scalars(n, 11.0, 2e-4, noise=n / 1e5)
        write_record(tmp_path, settings("vgg13", "brats", "medical", n, 0), numbers)
    table = build("laws", done(tmp_path))
    assert set(table["interval over"]) == {"none: 1 data set, an interval needs 4"}
    assert table.intercept.iloc[0] == pytest.approx(A, abs=0.02)
    assert table.intercept_low.isna().all()


def test_runs_on_one_data_set_correlate_without_an_interval(tmp_path):
    for seed in range(8):
        numbers = scalars(500, 11.0, 2e-4 + 1e-5 * seed, noise=0.1 * (seed % 3))
        write_record(tmp_path, settings("vgg13", "digits", "natural", 500, seed), numbers)
    table = build("adv_corr", done(tmp_path))
    assert table.r_pooled.notna().any()
    assert table.r_pooled_low.isna().all()
