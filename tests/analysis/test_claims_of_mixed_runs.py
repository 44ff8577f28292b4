"""Runs of other sizes, recipes, sets or fewer seeds in one folder: which of them decide a claim."""

import math

import pytest

from analysis.claims_table import judge_all
from analysis.runs.records import read_runs
from tests.analysis import claim_runs
from tests.analysis.claim_runs import run
from tests.analysis.synthetic_runs import scalars, settings, write_record

SIZES = (48, 195, 781, 3125)


def judged(root, name):
    return next(one for one in judge_all(read_runs([root]).done) if one.claim.name == name)


def scaling(root, seeds, sizes=SIZES, bend=0.0, **changes):
    """Accuracy and CRA that grow with log n; `bend` lowers them at the largest size."""
    for seed, n in [(seed, n) for seed in seeds for n in sizes]:
        level = 0.02 * math.log2(n) - bend * (n == max(sizes))
        numbers = {"test/accuracy": 0.2 + 2 * level, "test/cra@36": 0.1 + level}
        run(root, "prach2025/data_scaling", "aol_mlp", seed, numbers, n=n, **changes)


@pytest.mark.parametrize("size", [97, 12_500])
def test_a_size_that_two_seeds_have_does_not_count(tmp_path, size):
    scaling(tmp_path, range(6))
    before = judged(tmp_path, "accuracy_linear").decision
    for seed in (0, 1):
        numbers = {"test/accuracy": 0.1 * seed, "test/cra@36": 0.1}
        run(tmp_path, "prach2025/data_scaling", "aol_mlp", seed, numbers, n=size)
    after = judged(tmp_path, "accuracy_linear").decision
    assert (after.verdict, after.estimate) == ("holds", before.estimate)


def test_accuracy_against_n_is_of_the_recipe_with_the_most_runs(tmp_path):
    scaling(tmp_path, range(6))
    before = judged(tmp_path, "accuracy_linear").decision
    scaling(tmp_path, range(3), bend=0.2, optimizer={"lr": 10.0})
    after = judged(tmp_path, "accuracy_linear").decision
    assert (after.verdict, after.estimate) == ("holds", before.estimate)


def test_components_are_those_of_the_largest_n_with_seeds_enough(tmp_path):
    def add(seeds, n, weak):
        for seed in seeds:
            for keep, accuracy in (([[512, 3072]], weak), ([[0, 3072]], 0.8)):
                run(tmp_path, "prach2025/components", "simple_convnet", seed,
                    {"test/accuracy": accuracy}, n=n,
                    data__transforms={"components": {"keep": keep}})  # fmt: skip

    add(range(6), 1000, 0.1)
    add(range(3), 45_000, 0.7)
    add(range(2), 50_000, 0.1)
    found = judged(tmp_path, "weak_components_accuracy")
    assert (found.verdict, set(found.evidence.runs.n)) == ("holds", {45_000})


def test_a_seed_without_every_t_is_not_compared(tmp_path):
    for seed in range(4):
        for t in (0, 0.03, 1) if seed < 3 else (0.03,):  # at a single t both are the best
            numbers = {"test/accuracy": 0.9 - 0.4 * t, "test/cra@36": 0.1 + 0.4 * t}
            run(tmp_path, "prach2025/tradeoff", "lcn_aol", seed, numbers, loss={"t": t})
    found = judged(tmp_path, "no_t_is_good_at_both")
    assert (found.verdict, found.decision.units) == ("holds", 3)


def test_d_star_is_of_one_image_size(tmp_path):
    for seed in range(3):
        for size, d in ((32, 28), (8, 14)):
            numbers = {"data/d_star/l2": d}
            run(tmp_path, "prach2025/neighbours", "none", seed, numbers, n=50_000, data__size=size)
    found = judged(tmp_path, "d_star")
    assert (found.verdict, set(found.evidence.runs["size"])) == ("holds", {32})


@pytest.mark.parametrize("gain", [0.2, -0.2, 0.0])
def test_what_the_larger_preset_finds_does_not_choose_between_presets(tmp_path, gain):
    for seed in range(6):
        for model, n, preset in (("lenet", 4000, "cpu"), ("lenet", 50_000, "default"),
                                 ("vit_plain", 50_000, "default")):  # fmt: skip
            if n < 50_000 or seed < (3 if model == "lenet" else 1):
                for by in ("score", "random"):
                    accuracy = 0.5 + (gain + 0.01 * (seed - 1)) * (by == "score")
                    run(tmp_path, "movahedi2025/pruning", model, seed, {"test/accuracy": accuracy},
                        n=n, facts={"preset": preset},
                        data__transforms={"prune": {"by": by, "fraction": 0.9}})  # fmt: skip
    assert set(judged(tmp_path, "pruning").evidence.runs.n) == {50_000}


def label_noise(root, n, seeds, rise, levels=(0.0, 0.5), **changes):
    for seed, level in [(seed, level) for seed in seeds for level in levels]:
        numbers = {"train/log_spectrum_mean": 1 + (rise + 0.01 * seed) * level}
        run(root, "brandao2023/label_noise", "mlp_1x512", seed, numbers, n=n, task__noise=level,
            **changes)  # fmt: skip


def test_of_equal_n_the_preset_nearest_to_the_paper_decides_not_the_most_runs(tmp_path):
    label_noise(tmp_path, 10_000, range(6), -0.2, facts={"preset": "cpu"}, batch_size=16)
    label_noise(tmp_path, 10_000, range(3), 0.2, facts={"preset": "default"})
    found = judged(tmp_path, "label_noise")
    assert (found.verdict, set(found.evidence.runs.preset)) == ("holds", {"default"})
    label_noise(tmp_path, 20_000, range(3), -0.2, facts={"preset": "cpu"}, batch_size=16)
    assert judged(tmp_path, "label_noise").verdict == "fails"


def test_a_claim_on_the_median_is_judged_at_the_largest_n_with_six_seeds(tmp_path):
    for n, seeds, mass in ((10_000, 6, 0.1), (50_000, 3, 0.3)):
        for seed in range(seeds):
            numbers = {"train/log_spectrum_mean": 1.0, "train/left_mass": mass}
            run(tmp_path, "brandao2023/label_noise", "mlp_1x512", seed, numbers, n=n)
    found = judged(tmp_path, "gauge")
    assert (found.verdict, set(found.evidence.runs.n)) == ("holds", {10_000})


def test_label_noise_is_judged_at_the_largest_n_with_seeds_enough(tmp_path):
    label_noise(tmp_path, 500, range(6), 0.2)
    label_noise(tmp_path, 10_000, range(2), -0.2)
    found = judged(tmp_path, "label_noise")
    assert (found.verdict, set(found.evidence.runs.n)) == ("holds", {500})
    label_noise(tmp_path, 10_000, [2], -0.2, levels=(0.0,))  # without its counterpart
    assert judged(tmp_path, "label_noise").verdict == "holds"
    label_noise(tmp_path, 10_000, [2], -0.2, levels=(0.5,))
    found = judged(tmp_path, "label_noise")
    assert (found.verdict, set(found.evidence.runs.n)) == ("fails", {10_000})


@pytest.mark.parametrize("changes", [{"optimizer": {"lr": 10.0}}, {"data__size": 16}])
def test_label_noise_is_judged_in_one_way_of_training(tmp_path, changes):
    label_noise(tmp_path, 500, range(6), 0.2)
    before = judged(tmp_path, "label_noise").decision
    label_noise(tmp_path, 500, range(4), -5.0, **changes)
    after = judged(tmp_path, "label_noise").decision
    assert (after.verdict, after.estimate) == ("holds", before.estimate)


@pytest.mark.parametrize("other", [{"data": "mnist"}, {"task__kind": "quadratic"}])
def test_pruning_is_judged_in_every_set_and_kind_of_labels(tmp_path, other):
    for seed in range(3):
        for changes, gain in (({"data": "cifar10"}, 0.3), (other, -0.1)):
            for by in ("score", "random"):
                accuracy = 0.5 + (gain + 0.001 * seed) * (by == "score")
                run(tmp_path, "movahedi2025/pruning", "lenet", seed, {"test/accuracy": accuracy},
                    **changes, data__transforms={"prune": {"by": by, "fraction": 0.9}},
                    )  # fmt: skip
    found = judged(tmp_path, "pruning")
    assert (found.verdict, found.decision.cells) == ("fails", 2)


def test_the_geometry_is_judged_on_every_set(tmp_path):
    for seed in range(3):
        for data, gap in (("cifar10", 0.3), ("mnist", -0.1)):
            numbers = {"geometry/corr_gsg": 0.5 + gap, "geometry/corr_s": 0.5}
            run(tmp_path, "movahedi2025/evolution", "lenet", seed, numbers, data=data)
    found = judged(tmp_path, "towards_gsg")
    assert (found.verdict, found.decision.cells) == ("fails", 2)


def flipped(root, experiment, n, seeds, gain):
    for seed in seeds:
        for flip in (False, True):
            curve = {"train/running_accuracy": 0.5 + (gain + 0.01 * seed) * (not flip)}
            run(root, f"movahedi2025/{experiment}", "lenet", seed, {}, n=n, curves=curve,
                data__law__flip=flip)  # fmt: skip


def test_flipped_data_are_judged_at_the_largest_n_up_to_that_of_figure_3(tmp_path):
    flipped(tmp_path, "velocity", 300, range(3), 0.2)
    flipped(tmp_path, "velocity_sizes", 1200, range(3), -0.2)
    flipped(tmp_path, "velocity_sizes", 10_000, range(2), 0.2)  # two seeds have no interval
    flipped(tmp_path, "velocity_sizes", 20_000, range(3), 0.2)  # Fig. 12
    found = judged(tmp_path, "flipped_is_slower")
    assert (found.verdict, set(found.evidence.runs.n)) == ("fails", {1200})
    flipped(tmp_path, "velocity_sizes", 10_000, [2], 0.2)
    found = judged(tmp_path, "flipped_is_slower")
    assert (found.verdict, set(found.evidence.runs.n)) == ("holds", {10_000})


@pytest.mark.parametrize("last", [250, -1])
def test_direction_minus_one_is_the_last(tmp_path, last):
    for seed in range(3):
        for direction in (0, last):
            accuracy = {"test/accuracy": 0.6 + 0.2 * (direction == 0)}
            run(tmp_path, "movahedi2025/isotropic", "lenet", seed, accuracy,
                data__law={"direction": direction, "kind": "linear"})  # fmt: skip
            line = {"test/accuracy@linear": accuracy["test/accuracy"]}
            run(tmp_path, "movahedi2025/simplicity", "lenet", seed,
                line | {"test/accuracy@nonlinear": 0.5}, data__law__u1=direction)  # fmt: skip
    for name in ("directions_of_noise", "simplicity"):
        assert judged(tmp_path, name).verdict == "holds"


def test_a_number_of_directions_that_one_seed_has_does_not_leave_out_the_others(tmp_path):
    for seed in range(4):
        for count in (300, 1000) if seed < 1 else (300,):
            for which in ("geometry", "random"):
                accuracy = {"test/accuracy": 0.5 + 0.2 * (which == "geometry")}
                run(tmp_path, "movahedi2025/elimination", "lenet", seed, accuracy,
                    data__transforms={"remove": {"which": which, "count": count}})  # fmt: skip
    found = judged(tmp_path, "elimination")
    assert (found.verdict, found.decision.units) == ("holds", 4)


def test_runs_without_the_number_that_is_compared_are_said_not_to_have_it(tmp_path):
    claim_runs.movahedi(tmp_path, 1, range(3))
    runs = read_runs([tmp_path]).done.drop(columns="test/accuracy")
    reasons = {one.claim.name: one.reason for one in judge_all(runs)}
    for name in ("plane_strong", "directions_of_images", "elimination", "pruning"):
        assert reasons[name] == "no finished run has test/accuracy"


def sets(root, domain, count, n=500, k_f=1e-4, model="resnet18", **facts):
    """Runs on `count` data sets of a domain."""
    for place in range(count):
        own = settings(model, f"{domain}{place}", domain, n, 0)
        write_record(root / str(n), own, scalars(n, 10, k_f * (1 + 0.01 * place)), **facts)


def test_real_sets_are_not_compared_with_stand_ins(tmp_path):
    sets(tmp_path, "medical", 5, k_f=2e-4)
    sets(tmp_path, "natural", 5, standin=True)
    assert judged(tmp_path, "k_f_medical").verdict == "not run"
    sets(tmp_path, "natural", 5, n=1000)
    sets(tmp_path, "medical", 5, n=1000, k_f=2e-4)
    found = judged(tmp_path, "k_f_medical")
    assert (found.verdict, found.on_standins) == ("holds", False)


def test_domains_are_compared_at_an_n_that_both_have(tmp_path):
    for domain, k_f in (("medical", 2e-4), ("natural", 1e-4)):
        sets(tmp_path, domain, 4, k_f=k_f)
    sets(tmp_path, "natural", 9, n=1000)
    sets(tmp_path, "medical", 3, n=1000, k_f=2e-4)
    for name in ("k_f_medical", "loss_medical"):
        found = judged(tmp_path, name)
        assert (found.verdict, set(found.evidence.runs.n)) == ("holds", {500})


@pytest.mark.parametrize("slope", [1, -1])
def test_the_preset_with_the_most_data_sets_counts_whatever_its_networks_find(tmp_path, slope):
    """One network has more sets than the other; which of them is shown depends on results."""
    for preset, counts in (("default", (9, 4)), ("gpu", (6, 6))):
        for model, count in zip(("resnet18", "vgg13"), counts, strict=True):
            for place in range(count):
                own = settings(model, f"set{place}", "medical", 500, 0) | {"scale": preset}
                sign = slope if model == "resnet18" else -slope
                numbers = scalars(500, 10, 1e-4 * (1 + place))
                numbers["test/fgsm_loss_penalty@2"] = sign * place + 0.1 * (place % 2)
                write_record(tmp_path / preset, own, numbers, preset=preset)
    found = judged(tmp_path, "penalty_within_medical")
    assert set(found.evidence.runs.preset) == {"default"}


def test_values_of_t_are_compared_in_one_recipe(tmp_path):
    def add(t, seeds, rate, accuracy, cra):
        for seed in seeds:
            numbers = {"test/accuracy": accuracy, "test/cra@36": cra}
            run(tmp_path, "prach2025/tradeoff", "lcn_aol", seed, numbers, loss={"t": t},
                optimizer={"lr": rate})  # fmt: skip

    for t, accuracy, cra in ((0, 0.9, 0.1), (0.03, 0.85, 0.45), (1, 0.5, 0.5)):
        add(t, range(3), 0.1, accuracy, cra)
    before = judged(tmp_path, "no_t_is_good_at_both").decision
    add(0.03, range(3, 8), 1.0, 0.2, 0.1)  # more runs, but of this t alone
    after = judged(tmp_path, "no_t_is_good_at_both")
    assert after.decision.estimate == before.estimate
    assert set(after.evidence.runs.seed) == {0, 1, 2}


def test_d_star_is_not_pooled_over_ways_to_see_the_images(tmp_path):
    for seed in range(3):
        for crop, d in ((None, 28), (28, 14)):
            transforms = {"crop": {"_target_": "x.Crop", "size": crop}} if crop else {}
            if seed or not crop:
                run(tmp_path, "prach2025/neighbours", "none", seed, {"data/d_star/l2": d}, n=50_000,
                    data__transforms=transforms)  # fmt: skip
    found = judged(tmp_path, "d_star")
    assert (found.verdict, len(found.evidence.runs)) == ("holds", 3)


def test_tasks_are_compared_at_every_image_size(tmp_path):
    """The cell is named by the task with the larger K_F first."""
    for seed, size in [(seed, size) for seed in range(3) for size in (16, 32)]:
        for group, k_f in (([0], 1e-4), ([1], 2e-4)):
            own = settings("resnet18", "cells", "medical", 500, seed, size=size)
            own["task"] = {"_target_": "datamodules.tasks.group.Group", "groups": group}
            loss = 0.5 + 0.2 * (k_f > 1e-4) * (1 if size == 32 else -1) + 0.001 * seed * k_f * 1e4
            write_record(tmp_path / "t", own, {"data/k_f": k_f, "test/loss": loss})
    found = judged(tmp_path, "sharper_task_is_harder")
    assert (found.verdict, found.decision.cells) == ("fails", 2)
    assert found.decision.cell.endswith("16 px, group 1 / group 0")


def test_sizes_are_compared_of_images_seen_alike(tmp_path):
    for place in range(4):
        for size, rotated in ((16, False), (64, True)):
            own = settings("none", f"set{place}", "medical", 500, 0, size=size, rotated=rotated)
            write_record(tmp_path / "s", own, {"data/d_mle": 10.0 + size, "data/k_f_rms": 1.0})
    assert judged(tmp_path, "d_data_of_sizes").verdict == "not run"


def test_a_larger_study_counts_once_it_has_both_that_are_compared(tmp_path):
    def add(n, seeds, kinds, gain):
        for seed in seeds:
            for by in kinds:
                accuracy = {"test/accuracy": 0.5 + gain * (by == "score")}
                run(tmp_path, "movahedi2025/pruning", "lenet", seed, accuracy, n=n,
                    data__transforms={"prune": {"by": by, "fraction": 0.9}})  # fmt: skip
                u2 = {"score": 1, "random": -1}[by]
                run(tmp_path, "movahedi2025/plane", "lenet", seed, accuracy, n=n, data__law__u2=u2)

    add(500, range(3), ("score", "random"), 0.2)
    add(5000, range(3), ("random",), -0.2)
    add(5000, range(2), ("score",), -0.2)
    for name in ("pruning", "plane_strong"):
        assert judged(tmp_path, name).verdict == "holds"
    add(5000, [2], ("score",), -0.2)
    for name in ("pruning", "plane_strong"):
        assert judged(tmp_path, name).verdict == "fails"
