"""Figures and tables of Movahedi et al. 2025 from run folders with a known answer."""

import csv

import numpy as np
import pandas as pd
import pytest

from analysis.exhibits import NotEnoughError, discover, load
from analysis.make import make
from analysis.papers.movahedi2025.numbered_directions import with_labels
from analysis.papers.movahedi2025.tables.plane import plane_accuracy
from analysis.runs.records import read_runs
from analysis.statistics.over_seeds import over_seeds
from tests.analysis.synthetic_runs import settings, write_record

EXHIBITS = [*discover("figures", "movahedi2025"), *discover("tables", "movahedi2025")]
CURVES = {"geometry/corr_s": 0.4, "geometry/corr_gsg": 0.6, "geometry/velocity": 0.1}
CURVES |= {"train/running_accuracy": 0.9}


def write(root, experiment, model="lenet", seed=0, scalars=None, arrays=None, **changes):
    """One finished run of an experiment; changes are dotted settings with __ for dots."""
    data = changes.pop("data", "isotropic")
    own = settings(model, data, "synthetic", changes.pop("n", 100), seed)
    own["model"] |= {"members": 3, "network": {}}
    own["data"]["made_for"] = (
        experiment  # runs of equal settings are one run, whatever they are for
    )
    for name, value in changes.items():
        node = own
        *path, last = name.split("__")
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value
    command = f"python launch.py -m experiment=movahedi2025/{experiment} preset=cpu"
    folder = write_record(root / experiment, own, scalars, command=command)
    (folder / "arrays").mkdir()
    for name, values in (arrays or {}).items():
        np.savez(folder / "arrays" / f"{name.replace('/', '_')}@0.npz", values=values)
    return folder


def write_curves(folder):
    with (folder / "metrics.csv").open("a") as file:
        rows = csv.writer(file)
        for epoch in range(1, 5):
            for name, level in CURVES.items():
                rows.writerow([epoch, epoch, name, level / epoch])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A small run of everything, two seeds, two networks."""
    root = tmp_path_factory.mktemp("runs")
    line = np.linspace(-8, 8, 21)
    circle = 4.5**2 - line[:, None] ** 2 - line[None] ** 2
    points = np.array([[6.0, 0.0, 0.0], [0.0, 3.0, 1.0]])
    boundary = {
        "boundary/scores": np.stack([circle, circle, circle + 1]),
        "boundary/reach": np.array([8.0]),
        "boundary/points": points,
        "boundary/accuracy": np.array([0.9, 1.0, 0.95]),
    }
    decay = 0.5 ** np.arange(16)
    spectrum = {
        "geometry/g_f": np.diag(decay),
        "geometry/g_f_eigenvalues": decay,
        "geometry/g_f_eigenvalues_error": 0.1 * decay,
    }
    known = {"geometry/g_f_error": 0.1, "geometry/g_f_participation": 3.0, "geometry/g_f_flat": 0.4}
    for model in ("mlp", "lenet"):
        write(root, "geometry", model, scalars=known, arrays=spectrum)
        for seed in (0, 1):
            accuracy = {"train/accuracy": 1.0}
            for u2 in (1, -1):
                scalars = {"test/accuracy": 0.9 + 0.02 * seed, "boundary/agreement": 0.9}
                law = {"data__law__u2": u2, "data__law__radii": [6.0, 3.0]}
                write(root, "plane", model, seed, scalars | accuracy, boundary, **law)
            last = {name: value / 4 for name, value in CURVES.items()}
            for experiment in ("evolution", "random_labels"):
                write_curves(write(root, experiment, model, seed, last, data="cifar10"))
            for experiment in ("velocity", "velocity_sizes", "velocity_steps"):
                for flip in (False, True):
                    for n in (100, 200):
                        flipped = {"data__law__flip": flip, "n": n}
                        write_curves(write(root, experiment, model, seed, last, **flipped))
            for index in (0, 50, 200):
                scalars = accuracy | {"test/accuracy": 1 - index / 500}
                for kind in ("linear", "quadratic"):
                    task = {"task__direction": index, "task__kind": kind, "data": "cifar10"}
                    law = {"data__law__direction": index, "data__law__kind": kind}
                    for experiment in ("directions", "directions_small"):
                        write(root, experiment, model, seed, scalars, **task)
                    for experiment in ("isotropic", "isotropic_small"):
                        write(root, experiment, model, seed, scalars, **law)
                    for rate in (0.1, 0.01):
                        write(root, "rates", model, seed, scalars, **law, optimizer__lr=rate)
                two = {"test/accuracy@linear": 1 - index / 500, "test/accuracy@nonlinear": 0.5}
                write(root, "simplicity", model, seed, scalars | two, data__law__u1=index)
                for which in ("geometry", "random"):
                    remove = {"which": which, "count": index}
                    removed = {"data__transforms__remove": remove, "data": "cifar10"}
                    write(root, "elimination", model, seed, scalars, **removed)
    for seed in (0, 1):
        for by, level in (("random", 0.5), ("score", 0.54)):
            for fraction in (0.5, 0.8):
                prune = {"data__transforms__prune": {"by": by, "fraction": fraction}}
                scalars = {"test/accuracy": level - 0.1 * fraction + 0.01 * seed}
                write(root, "pruning", "lenet", seed, scalars, data="cifar10", **prune)
        for model, aim in (("perceptron", "s"), ("linear_convnet", "gsg")):
            for width in (4, 16):
                measured = {
                    f"geometry/delta_corr_{name}{end}": value
                    for name in ("s", "gsg")
                    for end, value in (("", -0.9), ("_raw", -0.8), ("_error", 0.02))
                } | {f"geometry/delta_corr_{aim}_predicted": -0.91}
                widths = {"model__network__widths": [width], "data": "cifar10"}
                write(root, "width", model, seed, measured, **widths)
    return read_runs([root]).done


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
def test_it_is_made(exhibit, runs):
    made = make(exhibit, runs)
    assert made.result is not None, made.reason
    if exhibit.kind == "figures":
        assert made.pictures["png"][:4] == b"\x89PNG"


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
def test_without_its_runs_it_says_what_is_missing(exhibit, runs):
    others = runs[runs.experiment != exhibit.experiment]
    others = others[~others.experiment.str.endswith(("directions_small", "velocity_sizes"))]
    others = others[~others.experiment.str.endswith(("_deep", "_resnet"))]
    made = make(exhibit, others)
    assert not made.failed, made.reason
    assert made.result is None


SWEPT = {"velocity_by_size", "velocity_by_steps"}  # n is what they vary
OTHER = [({"recipe": "other"}, {"geometry_matrices"}), ({"n": 10}, SWEPT)]  # that has one seed


@pytest.mark.parametrize(
    ("exhibit", "other"),
    [(exhibit, other) for exhibit in EXHIBITS for other, no in OTHER if exhibit.name not in no],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else value.name,
)
def test_runs_of_another_recipe_or_size_are_no_further_seeds(exhibit, other, runs):
    others = runs[runs.seed == 0].assign(**other, **{"test/accuracy": 0.0})
    others["key"] += " other"
    both = pd.concat([others, runs], ignore_index=True)
    result, used = exhibit.made_of(both)
    if exhibit.kind == "tables":
        pd.testing.assert_frame_equal(result, exhibit.make(runs))
    else:
        assert not used.key.str.endswith("other").any()


def test_two_networks_and_two_sizes_have_panels_of_their_own(runs):
    def titles(name):
        figure = load("figures", "movahedi2025", name).make(runs)
        return [axes.get_title().partition("\n")[0] for axes in figure.axes if axes.get_title()]

    sizes = [f"{model}, isotropic, n = {n}" for model in ("MLP", "LeNet") for n in (100, 200)]
    assert titles("velocity_by_size") == sizes
    kinds = [f"{kind}, {model}" for kind in ("linear", "quadratic") for model in ("MLP", "LeNet")]
    assert sorted(titles("learning_rates")) == sorted(kinds)


def test_the_pruning_table_has_our_means_and_the_published_ones(runs):
    table = load("tables", "movahedi2025", "pruning").make(runs).set_index("removed %")
    assert table.loc[50, "random"] == pytest.approx(45.5)
    assert table.loc[50, "score"] == pytest.approx(49.5)
    assert table.gain.tolist() == pytest.approx([4.0, 4.0])
    assert (table.loc[50, "random published"], table.loc[50, "score published"]) == (56.6, 58.5)
    assert table.loc[80, "score published"] == 50.8
    assert load("tables", "movahedi2025", "pruning_main").make(runs)["removed %"].tolist() == [50]


def test_the_pruning_table_does_not_pool_kinds_of_labels(tmp_path):
    for seed in (0, 1):
        for noise, level in ((0.0, 0.5), (0.4, 0.2)):
            for by in ("random", "score"):
                prune = {"data__transforms__prune": {"by": by, "fraction": 0.5}}
                scalars = {"test/accuracy": level + 0.1 * (by == "score")}
                write(tmp_path, "pruning", "lenet", seed, scalars, data="cifar10",
                      task__noise=noise, **prune)  # fmt: skip
    runs = read_runs([tmp_path]).done
    table = load("tables", "movahedi2025", "pruning").make(runs).set_index("task")
    assert table.random.to_dict() == pytest.approx({"all": 50, "all, label noise 0.4": 20})
    assert table["random published"].notna().to_dict() == {
        "all": True, "all, label noise 0.4": False,
    }  # fmt: skip


def test_the_plane_s_table_has_the_spread_over_seeds_and_the_ceiling_of_one_direction(runs):
    table = plane_accuracy(runs)
    assert len(table) == 4
    assert table["test accuracy"].tolist() == pytest.approx([0.91] * 4)
    assert table["test accuracy_low"].isna().all()  # of two seeds there is no interval
    assert table["one direction"].tolist() == pytest.approx([5 / 6] * 4)


def test_lines_are_means_with_intervals_over_seeds(runs):
    mine = with_labels(runs[runs.experiment == "movahedi2025/isotropic"], "data.law")
    found = over_seeds(mine, ["direction"], "test/accuracy")
    assert found["direction"].tolist() == [0, 50, 200]
    assert found.y.tolist() == pytest.approx([1.0, 0.9, 0.6])
    assert (found.y_high - found.y).tolist() == pytest.approx([0, 0, 0], abs=1e-12)
    assert found.runs.tolist() == [8, 8, 8]


def test_directions_that_are_no_numbers_are_left_out(runs):
    with pytest.raises(NotEnoughError, match="numbered direction"):
        with_labels(runs[runs.experiment == "movahedi2025/plane"], "data.law")
