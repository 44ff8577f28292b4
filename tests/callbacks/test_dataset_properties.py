import logging
import math
from dataclasses import replace

import pytest
import torch

import callbacks.dataset_properties as module
from callbacks.dataset_properties import DatasetProperties
from callbacks.subject import Subject
from metrics.functional.mle_dimension import mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import twonn_dimension
from tests.callbacks.subjects import data_of, on_two_processes, random_split, split_of


def subject_of(split=None) -> Subject:
    return Subject(data_of(split or random_split(), classes=3), seed=0)


def planted() -> Subject:
    """Random images, and a pair of different labels that differ by 3 and 4 levels in two pixels."""
    split = random_split()
    split.x[7] = split.x[3]
    split.x[7, 0, 0, :2] = torch.tensor([100, 100])
    split.x[3, 0, 0, :2] = torch.tensor([103, 104])
    assert split.y[3] != split.y[7]
    return subject_of(split)


def numbers(subject: Subject, **options) -> dict[str, float]:
    return DatasetProperties(**({"k": 5} | options)).measure(subject).scalars


def test_sharpness_is_per_grey_level_and_free_of_unit_in_rms():
    scalars = numbers(planted())
    assert scalars["data/k_f"] == pytest.approx(1 / 5)
    assert scalars["data/k_f_rms"] == pytest.approx(255 / 5 * math.sqrt(64))
    assert scalars["data/k_f_zero_pairs"] == 0
    assert scalars["data/k_f_images"] == 70


def test_the_same_images_as_floats_give_the_same_numbers():
    levels = planted()
    train = levels.data.train
    floats = subject_of(split_of(train.images(), train.y))
    assert numbers(floats) == pytest.approx(numbers(levels), rel=1e-4)


def test_dimensions_are_those_of_the_images():
    subject = planted()
    found = neighbours(subject.data.train.x, 10)
    scalars = numbers(subject)
    assert scalars["data/d_mle"] == pytest.approx(mle_dimension(found, 5).dimension)
    assert scalars["data/d_twonn"] == pytest.approx(twonn_dimension(found).dimension)
    assert numbers(subject, denominator="k-2")["data/d_mle"] == pytest.approx(
        3 / 4 * scalars["data/d_mle"]
    )


def test_draws_are_averaged_where_there_are_more_images_than_a_sample():
    scalars = numbers(subject_of(), draws=5, sample=30)
    assert scalars["data/k_f_images"] == 30
    assert scalars["data/k_f_low"] < scalars["data/k_f"] < scalars["data/k_f_high"]
    assert scalars["data/k_f"] < numbers(subject_of())["data/k_f"]  # fewer images, farther apart


def test_a_rare_class_makes_the_samples_smaller():
    y = torch.tensor([0] * 66 + [1] * 4)
    scalars = numbers(subject_of(replace(random_split(), y=y)), draws=3, sample=30)
    assert scalars["data/k_f_images"] == 8


@pytest.mark.parametrize("sample", [69, 70])
def test_classes_that_differ_much_in_number_are_drawn_equally_whatever_n_is(sample):
    y = torch.tensor([0] * 66 + [1] * 4)
    scalars = numbers(subject_of(replace(random_split(), y=y)), draws=25, sample=sample)
    assert scalars["data/k_f_images"] == 8
    whole = numbers(subject_of(replace(random_split(), y=y)), draws=0)
    assert scalars["data/k_f"] < whole["data/k_f"]
    assert whole["data/k_f_images"] == 70


def test_a_balanced_set_is_used_whole_also_if_its_labels_were_corrupted():
    split = random_split()
    y = torch.where(torch.arange(70) < 30, 0, split.y)  # three quarters are no longer kept
    assert numbers(subject_of(replace(split, y=y)))["data/k_f_images"] == 39
    noisy = subject_of(replace(split, y=y, clean_y=split.y))
    assert numbers(noisy)["data/k_f_images"] == 70


def test_the_images_of_a_draw_are_a_multiple_of_the_classes():
    assert numbers(subject_of(), draws=3, sample=32)["data/k_f_images"] == 30


def test_pairs_of_one_group_are_left_out_apart():
    subject = planted()
    group = torch.arange(70)
    group[3] = group[7]
    grouped = subject_of(replace(subject.data.train, group=group))
    scalars = numbers(grouped)
    assert scalars["data/k_f"] == pytest.approx(1 / 5)
    assert scalars["data/k_f_between_groups"] < 1 / 100
    assert "data/k_f_between_groups" not in numbers(subject)


def with_equal_images() -> Subject:
    subject = planted()
    subject.data.train.x[10] = subject.data.train.x[12]
    return subject


def test_equal_images_of_different_labels_are_shown_and_named():
    subject = with_equal_images()
    subject.data.image_names = tuple(f"{i}.png" for i in range(70))
    measured = DatasetProperties(k=5).measure(subject)
    assert measured.scalars["data/k_f_zero_pairs"] == 1
    assert measured.scalars["data/k_f"] == math.inf
    assert measured.scalars["data/k_f_finite"] == pytest.approx(1 / 5)
    figure = measured.figures["data/closest_pair"]
    assert "equal images with different labels; K_F = infinity" in figure.get_suptitle()
    assert [axes.get_title() for axes in figure.axes[:2]] == ["b", "a"]  # 10 and 12, modulo 3
    (note,) = measured.notes
    assert "1 pair of equal images with different labels (10.png (b) and 12.png (a))" in note


@pytest.mark.parametrize("n", [4, 20])
def test_few_images_lose_the_mle_alone(n):
    measured = DatasetProperties().measure(subject_of(random_split(n)))
    assert {"data/d_twonn", "data/k_f", "data/k_f_rms"} <= set(measured.scalars)
    assert "data/d_mle" not in measured.scalars
    (note,) = measured.notes
    assert f"data/d_mle not measured: k=20 neighbours need 21 points, not {n}" in note


def test_the_picture_names_the_classes_and_a_stand_in():
    subject = planted()
    subject.data.spec = replace(subject.data.spec, standin=True)
    figure = DatasetProperties(k=5).measure(subject).figures["data/closest_pair"]
    assert [axes.get_title() for axes in figure.axes[:2]] == ["a", "b"]
    assert figure.get_suptitle().startswith("small (stand-in):")


@pytest.fixture
def computed(monkeypatch) -> list[int]:
    """One item for every real computation."""
    calls: list[int] = []
    real = module.label_sharpness
    monkeypatch.setattr(module, "label_sharpness", lambda *a, **k: calls.append(1) or real(*a, **k))
    return calls


def test_the_same_images_are_measured_once(tmp_path, computed):
    probe = DatasetProperties(tmp_path, k=5)
    first, second = probe.measure(planted()), probe.measure(planted())
    assert len(computed) == 1
    assert second.scalars == first.scalars
    assert second.figures["data/closest_pair"].get_suptitle() == (
        first.figures["data/closest_pair"].get_suptitle()
    )


def change_pixel(subject):
    subject.data.train.x[0, 0, 0, 0] ^= 1
    return subject


def change_label(subject):
    subject.data.train.y[0] = 2
    return subject


@pytest.mark.parametrize("change", [change_pixel, change_label, lambda s: replace(s, seed=1)])
def test_other_images_labels_or_seeds_are_another_entry(tmp_path, computed, change):
    probe = DatasetProperties(tmp_path, k=5)
    probe.measure(planted())
    probe.measure(change(planted()))
    assert len(computed) == 2


def test_other_options_are_another_entry(tmp_path, computed):
    for options in ({"k": 5}, {"k": 6}, {"k": 5, "discard": 0.0}, {"k": 5, "pairs": "random"}):
        DatasetProperties(tmp_path, **options).measure(planted())
    assert len(computed) == 4


def test_a_damaged_entry_is_computed_anew_and_said(tmp_path, computed, caplog):
    probe = DatasetProperties(tmp_path, k=5)
    expected = probe.measure(planted()).scalars
    (entry,) = (tmp_path / "properties").glob("*.json")
    entry.write_text(entry.read_text()[:40])
    with caplog.at_level(logging.WARNING):
        assert probe.measure(planted()).scalars == expected
    assert "damaged" in caplog.text
    assert len(computed) == 2


def test_numbers_that_json_does_not_know_survive_the_cache(tmp_path):
    subject = with_equal_images()
    probe = DatasetProperties(tmp_path, k=5)
    assert probe.measure(subject).scalars["data/k_f"] == math.inf
    assert probe.measure(subject).scalars["data/k_f"] == math.inf


def test_two_processes_share_what_the_first_finds(tmp_path, computed):
    def measure(subject):
        before = len(computed)
        scalars = DatasetProperties(tmp_path, k=5).measure(subject).scalars
        return scalars, len(computed) - before

    expected = numbers(planted())
    first, second = on_two_processes(measure, planted())
    assert first == (expected, 1)
    assert second == (expected, 0)


def test_one_class_has_no_sharpness_and_a_dimension():
    split = replace(random_split(), y=torch.zeros(70, dtype=torch.long))
    measured = DatasetProperties(k=5).measure(subject_of(split))
    assert "data/d_mle" in measured.scalars
    assert "data/k_f" not in measured.scalars
    (note,) = measured.notes
    assert "sharpness needs two classes" in note


def test_images_that_allow_nothing_fail():
    split = replace(random_split(2), y=torch.zeros(2, dtype=torch.long))
    with pytest.raises(ValueError, match="sharpness needs two classes"):
        DatasetProperties(k=5).measure(subject_of(split))
