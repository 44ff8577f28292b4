"""Every figure and table of Prach & Lampert, from records whose answer is known."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.exhibits import NotEnoughError, discover, load
from analysis.make import make
from analysis.papers.prach2025.budgets import largest_budget
from analysis.papers.prach2025.log_lines import COLOURS, lines_of
from analysis.runs.records import read_runs
from analysis.runs.run_row import recipe
from tests.analysis.synthetic_runs import write_record

EXHIBITS = [*discover("figures", "prach2025"), *discover("tables", "prach2025")]
KEEPS = [[[0, 16]], [[0, 512]], [[512, 3072]], [[2048, 3072]], [[0, 16], [512, 3072]], [[0, 3072]]]
SHARES = 0.97 ** np.arange(3072)


def record(root, experiment, model, n, scalars, seed=0, arrays=None, data="cifar10", **settings):
    """A finished run as `launch.py -m experiment=...` leaves it."""
    whole = {
        "model": {"name": model},
        "data": {"name": data, "domain": "natural", "size": 32, "channels": 3}
        | settings.pop("data_settings", {}),
        "task": {"_target_": "datamodules.tasks.all.All", "balanced": False, "noise": 0.0},
        "n": n, "seed": seed, "epochs": 10, "experiment": experiment,
        "augmentation": {"crop": 4, "flip": True, "erase": 0.25, "noise": 0.0},
    } | settings  # fmt: skip
    command = f"python launch.py -m experiment=prach2025/{experiment}"
    folder = write_record(root, whole, scalars, command=command)
    for name, values in (arrays or {}).items():
        (folder / "arrays").mkdir(exist_ok=True)
        np.savez(folder / "arrays" / f"{name}.npz", values=values)
    return folder


def both(accuracy, cra, **more):
    return {
        "test/accuracy": accuracy, "train/accuracy": 1.0, "test/cra@36": cra, "train/cra@36": 0.9,
    } | more  # fmt: skip


def write_scaling(root):
    """0.05 of accuracy and 0.03 of CRA for every doubling; certified near training images."""
    sizes = [48, 195, 781, 3125]
    distance = np.linspace(1, 2, 100)
    for n in sizes:
        for seed in (0, 1):
            value = both(0.1 + 0.05 * math.log2(n), 0.03 * math.log2(n))
            neighbours = {"data/d_star/l2": 28.0, "data/d_star/angular": 24.0,
                          "data/log10_n_at_1/l2": 31.4, "data/nearest_median/l2": 2.0}  # fmt: skip
            arrays = {
                "test_certified_radius@10": np.where(distance < 1.4, 0.5, np.nan),
                "data_nearest_l2@0": np.stack([distance + 1, distance]),
                "data_nearest_angular@0": np.stack([distance + 1, distance]),
                "data_neighbour_sizes@0": np.array([n // 2, n]),
            }
            record(root, "data_scaling", "aol_mlp", n, value | neighbours, seed, arrays)
        smoothed = {"test/cra_estimate@36": 0.5, "test/smoothed_accuracy": 0.7,
                    "test/smoothed_abstained": 0.1}  # fmt: skip
        record(root, "data_scaling", "simple_convnet", n, both(0.8, 0.4) | smoothed)
    for epochs in (1, 10, 100):
        record(root, "compute_scaling", "aol_mlp", 1000, both(0.5, 0.3), epochs=epochs)
    for n in (100, 1000, 10000):
        record(root, "generated_data", "aol_mlp", n, both(0.5, 0.3))


def write_components(root):
    shares = SHARES / SHARES.sum()
    for keep in KEEPS:
        kept = sum(shares[first:stop].sum() for first, stop in keep)
        for model in ("aol_mlp", "simple_convnet"):
            for crop in (4, 0):
                scalars = both(0.5 + kept / 4, kept / 2, **{"data/variance": 200 * kept})
                if model == "simple_convnet":
                    del scalars["test/cra@36"], scalars["train/cra@36"]
                record(
                    root, "components", model, 50000, scalars,
                    augmentation={"crop": crop, "flip": False, "erase": 0, "noise": 0},
                    data_settings={"transforms": {"components": {"keep": keep}}},
                    arrays={"data_variance_shares@0": shares,
                            "data_examples@0": np.random.default_rng(0).random((4, 3, 32, 32))},
                )  # fmt: skip


def write_others(root):
    for t in (0, 0.03, 0.1):
        for seed in (0, 1):
            loss = {"_target_": "SelfNormalizingCrossEntropy", "t": t}
            record(root, "tradeoff", "lcn_aol", 50000, both(0.93 - t, 6 * t), seed, loss=loss)
    for d in (1, 2):
        for n in (2, 16, 148, 1024):
            robust = {"data/nn_accuracy": 1.0, "data/nn_cra@31.875": 1 - (1 - 0.5**d) ** n}
            law = {"law": {"dimension": d, "per_side": 2}, "size": 3, "channels": 1}
            record(root, "bound", "none", n, robust, data="cells", data_settings=law)


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    root = tmp_path_factory.mktemp("atlas")
    write_scaling(root)
    write_components(root)
    write_others(root)
    return read_runs([root]).done


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: f"{exhibit.kind}-{exhibit.name}")
def test_every_exhibit_is_made(atlas, exhibit):
    made = make(exhibit, atlas)
    assert made.result is not None, made.reason
    if isinstance(made.result, Figure):
        assert all(axes.has_data() for axes in made.result.axes)
        made.result.savefig("/dev/null", format="png")


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: f"{exhibit.kind}-{exhibit.name}")
def test_without_its_runs_it_says_so(tmp_path, exhibit):
    record(tmp_path, "elsewhere", "lenet", 100, {"test/loss": 1.0})
    made = make(exhibit, read_runs([tmp_path]).done)
    assert made.result is None
    assert not made.failed
    with pytest.raises(NotEnoughError):
        exhibit.check(read_runs([tmp_path]).done)


def table(atlas, name):
    return load("tables", "prach2025", name).make(load("tables", "prach2025", name).select(atlas))


def test_the_law_in_log_n_is_found(atlas):
    found = table(atlas, "log_law").set_index(["model", "quantity"])["per doubling"]
    assert found["aol_mlp", "accuracy"] == pytest.approx(0.05)
    assert found["aol_mlp", "cra@36"] == pytest.approx(0.03)
    assert found["simple_convnet", "accuracy"] == pytest.approx(0, abs=1e-9)


def test_table_1_has_shares_of_the_whole_and_published_values_beside(atlas):
    found = table(atlas, "components").set_index("components")
    assert list(found.index) == [
        "1-16", "1-512", "513-3072", "2049-3072", "1-16 & 513-3072", "1-3072",
    ]  # fmt: skip
    assert found.loc["1-3072", "variance share"] == pytest.approx(1)
    expected = SHARES[:16].sum() / SHARES.sum()
    assert found.loc["1-16", "variance share"] == pytest.approx(expected)
    assert found.loc["513-3072", "test/accuracy published"] == 0.85
    assert found.loc["1-16", "test/cra@36"] == pytest.approx(expected / 2)


def test_variances_of_whole_images_give_table_1_s_column(atlas):
    found = table(atlas, "component_variance").set_index("components")
    assert found.loc["1-16", "%"] == pytest.approx(100 * SHARES[:16].sum() / SHARES.sum())
    assert found.loc["2049-3072", "% published"] == pytest.approx(0.02)
    assert (found.seeds == 1).all()


def test_t_trades_one_for_the_other(atlas):
    found = table(atlas, "tradeoff").set_index("t")
    assert found.loc[0.0, "accuracy"] == pytest.approx(0.93)
    assert found.loc[0.1, "cra"] == pytest.approx(0.6)
    assert found.loc[0.1, "cra published"] == 0.617
    assert (found.runs == 2).all()


def test_theorem_2_is_held_against_the_simulation(atlas):
    thrice = pd.concat([atlas] * 3, ignore_index=True)  # three training sets
    found = table(thrice, "theorem_2").set_index(["dimension", "n"])
    assert (found.holds == "yes").all()
    assert found.loc[(1, 148), "promised"] == pytest.approx(1 - 4 / (148 * math.e))
    assert found.loc[(2, 16), "n for 99 %"] == 37 * 16


def test_theorem_2_is_not_judged_by_a_single_training_set(atlas):
    assert (table(atlas, "theorem_2").holds == "").all()


def test_certified_images_are_those_near_training_images(atlas):
    figure = load("figures", "prach2025", "robust_near").make(atlas)
    share = figure.axes[0].lines[0].get_ydata()
    assert (share[0], share[-1]) == (1, 0)


def test_published_numbers_name_their_place():
    path = Path(__file__).parents[2] / "analysis" / "papers" / "prach2025" / "published.csv"
    rows = path.read_text().splitlines()[1:]
    assert all(row.split(",")[0] for row in rows)
    assert json.dumps(rows).count("Table 1") == 30


def test_a_larger_budget_counts_once_it_has_every_size(tmp_path):
    for n in (48, 195, 781):
        record(tmp_path, "data_scaling", "aol_mlp", n, both(0.5, 0.1), epochs=1500 // n)
    record(tmp_path, "data_scaling", "aol_mlp", 48, both(0.9, 0.2), epochs=15_000 // 48)
    assert largest_budget(read_runs([tmp_path]).table)["test/accuracy"].tolist() == [0.5] * 3
    for n in (195, 781):
        record(tmp_path, "data_scaling", "aol_mlp", n, both(0.9, 0.2), epochs=15_000 // n)
    assert largest_budget(read_runs([tmp_path]).table)["test/accuracy"].tolist() == [0.9] * 3


def test_a_size_of_one_budget_alone_does_not_join_the_other(tmp_path):
    for n in (48, 195, 781):
        record(tmp_path, "data_scaling", "aol_mlp", n, both(0.5, 0.1), epochs=1500 // n)
    for n in (48, 195, 3125):
        record(tmp_path, "data_scaling", "aol_mlp", n, both(0.9, 0.2), epochs=15_000 // n)
    kept = largest_budget(read_runs([tmp_path]).table)
    assert sorted(kept.n) == [48, 195, 3125]
    assert set(kept["test/accuracy"]) == {0.9}


def test_a_larger_budget_counts_once_it_has_seeds_enough(tmp_path):
    sizes = (48, 195, 781, 3125)
    for n, seed in [(n, seed) for n in sizes for seed in range(3)]:
        record(tmp_path, "data_scaling", "aol_mlp", n, both(0.5, 0.1), seed, epochs=1500 // n or 1)
    for seed in range(3):
        for n in sizes:
            record(tmp_path, "data_scaling", "aol_mlp", n, both(0.9, 0.2), seed, epochs=15_000 // n)
        kept = largest_budget(read_runs([tmp_path]).table)
        assert len(kept) == 12
        assert set(kept["test/accuracy"]) == {0.9 if seed == 2 else 0.5}


SMOOTHED = {
    "test/cra_estimate@36": 0.5,
    "test/smoothed_accuracy": 0.7,
    "test/smoothed_abstained": 0,
}


def test_smoothing_has_the_runs_of_one_budget(tmp_path):
    record(tmp_path, "data_scaling", "simple_convnet", 1000, both(0.8, 0.4) | SMOOTHED)
    for epochs in (10, 100):
        record(
            tmp_path, "compute_scaling", "simple_convnet", 1000, both(0.2, 0.1) | SMOOTHED,
            epochs=epochs, made_for="compute_scaling",
        )  # fmt: skip
    (row,) = table(read_runs([tmp_path]).done, "smoothing").itertuples()
    assert (row.accuracy, row.runs) == (0.8, 1)


NEAR = {
    "test_certified_radius@10": np.where(np.linspace(1, 2, 100) < 1.4, 0.5, np.nan),
    **{f"data_nearest_{kind}@0": np.linspace(1, 2, 100)[None] for kind in ("l2", "angular")},
}


def test_robust_near_has_the_largest_n_of_its_experiment_and_tells_data_and_sizes(tmp_path):
    for data, size in (("cifar10", 32), ("svhn", 32), ("cifar10", 16)):
        for n in (48, 195):
            distance = both(0.5, 0.1) | {"data/d_star/l2": 28.0, "data/d_star/angular": 24.0}
            record(tmp_path, "data_scaling", "aol_mlp", n, distance, 0, NEAR, data,
                   data_settings={"size": size})  # fmt: skip
            record(tmp_path, "tradeoff", "aol_mlp", 10 * n, distance, 0, NEAR, data,
                   data_settings={"size": size}, loss={"t": 0.1})  # fmt: skip
    runs = read_runs([tmp_path]).done
    lines = load("figures", "prach2025", "robust_near").make(runs).axes[0]
    names = lines.get_legend_handles_labels()[1]
    assert sorted(names) == [
        "AOL-MLP, CIFAR-10, 16 px, n = 195",
        "AOL-MLP, CIFAR-10, 32 px, n = 195",
        "AOL-MLP, SVHN, 32 px, n = 195",
    ]
    scaled = load("figures", "prach2025", "data_scaling").make(runs).axes[0]
    for axes in (lines, scaled):
        markers = [
            line.get_marker()
            for line in axes.lines
            if line.get_marker() != "None" and line.get_linestyle() == "-"
        ]
        assert len(set(markers)) == 3


def test_two_data_sets_have_rows_of_their_own_and_published_values_are_of_one(tmp_path):
    shares = {"data_variance_shares@0": SHARES / SHARES.sum()}
    for data, accuracy in (("cifar10", 0.9), ("svhn", 0.5)):
        for keep in KEEPS:
            record(tmp_path, "components", "simple_convnet", 50000,
                   both(accuracy, 0.1) | {"data/variance": 1.0}, 0, shares, data,
                   data_settings={"transforms": {"components": {"keep": keep}}})  # fmt: skip
    runs = read_runs([tmp_path]).done
    found = table(runs, "components").set_index(["data", "components"])
    assert found.loc[("svhn", "1-16"), "test/accuracy"] == 0.5
    assert found.loc[("cifar10", "1-16"), "test/accuracy published"] == 0.43
    assert math.isnan(found.loc[("svhn", "1-16"), "test/accuracy published"])
    found = table(runs, "component_variance").set_index(["data", "components"])
    assert found.loc[("cifar10", "1-16"), "% published"] == 72
    assert math.isnan(found.loc[("svhn", "1-16"), "% published"])


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *[("figures", name) for name in ("data_scaling", "compute_scaling", "generated_data")],
        *[("tables", name) for name in ("log_law", "smoothing", "tradeoff", "components")],
    ],
)
def test_runs_of_another_recipe_are_no_further_seeds(atlas, kind, name):
    seeds = [atlas.assign(seed=10 * i + atlas.seed, key=f"{i} " + atlas.key) for i in range(3)]
    others = atlas[(atlas.seed == 0) & (atlas.model != "none")]
    slow = [own | {"optimizer": {"lr": 10.0}} for own in others.settings]
    low = {"test/accuracy": 0.0, "test/cra@36": 0.0, "test/cra_estimate@36": 0.0}
    others = others.assign(settings=slow, recipe=[recipe(own) for own in slow], **low)
    others["key"] += " other"
    exhibit, runs = load(kind, "prach2025", name), pd.concat(seeds, ignore_index=True)
    result, used = exhibit.made_of(pd.concat([others, runs], ignore_index=True))
    if kind == "tables":
        pd.testing.assert_frame_equal(result, exhibit.make(runs))
    else:
        assert not used.key.str.endswith("other").any()


def test_two_sets_of_one_network_differ_in_colour_and_two_networks_keep_theirs():
    rows = [
        {"model": model, "data": data, "size": 28}
        for model in ("aol_mlp", "lcn_cpl")
        for data in ("cifar10", "mnist")
    ]
    runs = pd.DataFrame(rows)
    alone = list(lines_of(runs[runs.model == "aol_mlp"]))
    assert len({line.colour for line in alone}) == len({line.marker for line in alone}) == 2
    colours = {line.label: line.colour for line in lines_of(runs)}
    assert colours["AOL-MLP, CIFAR-10"] == colours["AOL-MLP, MNIST"] == COLOURS["aol_mlp"]
    assert len(set(colours.values())) == 2
