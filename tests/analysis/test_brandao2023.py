"""Figures and tables of spectra whose laws are known."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError, discover, load
from analysis.make import make
from analysis.papers.brandao2023.spectra import first_middle_last, moments, of_kind, with_noise
from analysis.runs.records import read_runs
from analysis.runs.settings import setting
from analysis.statistics.over_seeds import over_seeds, over_seeds_by_epoch
from tests.analysis.spectra_runs import EPOCHS, LEFT, RIGHT, RISE, SPREAD, write_spectra
from tests.analysis.synthetic_runs import settings, write_record

EVIDENCE = Path(__file__).parents[2] / "evidence" / "brandao2023.parquet"
PAPER = "brandao2023"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three seeds of an MLP under label noise, and one run of everything else."""
    root = tmp_path_factory.mktemp("spectra")
    for noise in (0.0, 0.5, 1.0):
        for seed in range(3):
            write_spectra(root, noise=noise, seed=seed)
    for model in ("small_alexnet", "small_inception"):
        write_spectra(root, model)
    for components in (0, 100):
        write_spectra(root, components=components, standin=True)
        write_spectra(root, data="mnist", components=components)
    write_spectra(root, data="mnist", noise=1.0)
    for pixels in ("unchanged", "random_pixels"):
        write_spectra(root, pixels=pixels)
    return read_runs([root]).done


def table(runs, name):
    made = make(load("tables", PAPER, name), runs)
    assert isinstance(made.result, DataFrame), made.reason
    return made.result


@pytest.mark.parametrize("figure", discover("figures", PAPER), ids=lambda figure: figure.name)
def test_every_figure_is_drawn_and_marked(runs, figure):
    made = make(figure, runs.assign(standin=True))
    assert isinstance(made.result, Figure), made.reason
    assert made.result.get_suptitle() == "stand-in data"
    assert any(axes.has_data() for axes in made.result.axes)


def test_the_conserved_direction_of_every_network_and_noise_is_drawn(runs):
    figure, used = load("figures", PAPER, "conserved_direction").made_of(runs)
    of_noise = of_kind(runs, "label noise", "dataset noise")
    cells = of_noise[["data", "model", "kind"]].drop_duplicates()
    assert len(cells) == 6
    assert sum(axes.has_data() for axes in figure.axes) == 12
    assert set(used.key) == set(of_noise.key)
    spoilt = runs.assign(
        path=[Path("/nowhere") if s == 1 else p for s, p in zip(runs.seed, runs.path, strict=True)]
    )
    used = load("figures", PAPER, "conserved_direction").made_of(spoilt)[1]
    assert set(used.key) == set(of_noise[of_noise.seed != 1].key)


def test_stand_ins_under_one_noise_do_not_mark_the_other(runs):
    marks = {
        name: make(load("figures", PAPER, name), runs).result.get_suptitle()
        for name in ("modes_label_noise", "modes_dataset_noise")
    }
    assert marks == {
        "modes_label_noise": "",
        "modes_dataset_noise": "stand-in data",
    }


def test_noise_adds_what_was_put_in_and_the_left_mass_is_that_of_one_class(runs):
    rows = table(runs, "spectrum_noise")
    mine = rows[(rows.data == "cifar10") & (rows.model == "mlp_1x512")]
    mine = mine[mine.kind == "label noise"].set_index("level")
    assert mine.runs.tolist() == [3, 3, 3]
    for level in (0.5, 1.0):
        row = mine.loc[level]
        assert row["difference, raw"] == pytest.approx(0.9 * RISE * level)
        assert row["difference, centred"] == pytest.approx(RISE * level)
        assert row["difference, raw_low"] == pytest.approx(row["difference, raw_high"])  # paired
    assert (mine["left mass"] - mine["1/C"]).abs().max() < 1e-9
    assert mine["E[log sigma], raw_high"].notna().all()
    assert (mine.epochs == EPOCHS[-1]).all()


def test_fits_give_the_laws_back(runs):
    clean = of_kind(runs, "label noise").query("model == 'mlp_1x512' and level == 0")
    mine = table(clean, "spectrum_fits").query("images == 'train'").set_index("mode")
    assert mine.loc["left", "mu"] == pytest.approx(LEFT, abs=0.05)
    assert mine.loc["right", "mu"] == pytest.approx(RIGHT, abs=0.06)
    assert mine.loc["right", "s"] == pytest.approx(SPREAD, abs=0.03)
    assert (mine["R2"] > 0.95).all()
    assert (mine["BIC gain"] > 100).all()
    assert mine.loc["left", "mixture weight"] == pytest.approx(0.1, abs=0.01)
    assert mine["KS"].between(0, 1).all()
    assert not {"KS p", "R p"} & set(mine.columns)  # values of one image are not independent


def test_a_clear_split_does_not_depend_on_how_it_is_made(runs):
    assert table(runs, "spectrum_split").spread.max() < 1e-9


def test_clean_and_corrupted_accuracy_stand_apart_beside_the_published(runs):
    rows = table(runs, "label_accuracy")
    mine = rows[(rows.data == "cifar10") & (rows.model == "mlp_1x512")].set_index("p")
    assert mine.loc[1.0, "corrupted"] == pytest.approx(0.98)
    assert mine.loc[1.0, "test published"] == pytest.approx(0.1061)
    assert mine.loc[0.0, "test published"] == pytest.approx(0.5051)
    assert rows[rows.data == "mnist"]["test published"].isna().all()


def test_lines_against_noise_are_at_the_means(runs):
    figure = load("figures", PAPER, "log_spectrum_noise").make(runs)
    (axes,) = (a for a in figure.axes if a.get_title().startswith("MLP 1x512, CIFAR-10\nlabel"))
    assert "3 seeds" in axes.get_title()
    rows = table(runs, "spectrum_noise")
    mine = rows[(rows.data == "cifar10") & (rows.model == "mlp_1x512") & (rows.level <= 1)]
    raw = mine[mine.kind == "label noise"]["E[log sigma], raw"].tolist()
    assert any(line.get_ydata().tolist() == pytest.approx(raw) for line in axes.lines)


def test_triplets_show_first_middle_and_last_epoch_of_every_level(runs):
    noise = of_kind(runs, "label noise")
    levels = noise[(noise.model == "mlp_1x512") & (noise.level > 0)]
    figure = load("figures", PAPER, "modes_label_noise").make(levels)
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert sum(title.startswith("epoch 1:") for title in titles) == 2
    assert sum(title.startswith("epoch 20: train 100 %") for title in titles) == 2
    assert all("E[log" in title for title in titles)
    assert [m.epoch for m in first_middle_last(moments(noise.iloc[0]))] == [1, 5, 20]


def test_of_several_sizes_the_largest_counts(tmp_path):
    for n in (100, 500):
        write_spectra(tmp_path, n=n)
    assert with_noise(read_runs([tmp_path]).done).n.tolist() == [500]


def test_one_measured_epoch_is_a_point():
    table = DataFrame({"key": ["a"], "epoch": [3], "y": [0.5]})
    points = over_seeds_by_epoch(table, "y")
    assert points.y.tolist() == [0.5]
    assert points.y_low.dtype == float


def test_means_over_seeds_have_students_interval():
    table = DataFrame({"x": [1, 1, 1, 2], "y": [1.0, 2.0, 3.0, 5.0]})
    points = over_seeds(table, ["x"], "y")
    assert points.y.tolist() == [2.0, 5.0]
    assert points.y_high[0] == pytest.approx(4.4841, abs=1e-4)
    assert points.y_high.isna().tolist() == [False, True]


def test_ends_of_runs_that_stop_at_epochs_of_their_own_are_one_point():
    table = DataFrame(
        {"key": [*"aaabbb"], "epoch": [0, 10, 30, 0, 10, 40], "y": [0.0, 1, 2, 0, 3, 6]}
    )
    points = over_seeds_by_epoch(table, "y")
    assert points.epoch.tolist() == [0, 10, 35]
    assert points.y.tolist() == [0, 2, 4]


def test_without_its_runs_every_exhibit_says_what_is_lacking(tmp_path):
    write_record(tmp_path, settings("resnet18", "mnist", "natural", 500, 0), {"test/loss": 1.0})
    for kind in ("figures", "tables"):
        for exhibit in discover(kind, PAPER):
            made = make(exhibit, read_runs([tmp_path]).done)
            assert made.result is None
            assert made.reason.startswith("no finished run has")
            assert not made.failed


def test_runs_without_kept_spectra_are_not_drawn(tmp_path):
    numbers = {"train/log_spectrum_mean": 0.1, "train/log_spectrum_mean@centred": 0.2}
    write_record(tmp_path, settings("mlp_1x512", "cifar10", "natural", 500, 0), numbers)
    found = read_runs([tmp_path]).done
    for name in ("modes_label_noise", "spectra_mlp", "spectra_training", "conserved_direction"):
        with pytest.raises(NotEnoughError, match="kept"):
            load("figures", PAPER, name).make(found)
    with pytest.raises(NotEnoughError, match="no spectra of small_alexnet"):
        load("figures", PAPER, "spectra_alexnet").make(found)


def test_an_archive_shows_the_modes_that_the_run_found():
    # it keeps 102 of 250 images, in which the dip test does not find a mode of a tenth of the mass
    archived = read_runs([EVIDENCE]).done
    noisy = archived[(archived.n == 10_000) & (setting(archived, "task.noise").astype(float) > 0)]
    noisy = noisy[noisy["train/spectrum_trough"].notna()]
    assert len(noisy) > 10
    for _, run in noisy.iterrows():
        (moment,) = moments(run, last=True)
        assert moment.spectrum.split.trough == pytest.approx(run["train/spectrum_trough"], abs=0.3)
