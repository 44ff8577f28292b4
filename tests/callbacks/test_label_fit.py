import pytest
import torch
from torch import nn

from callbacks.label_fit import LabelFit
from callbacks.subject import Subject
from lightning_modules.losses.cross_entropy import CrossEntropy
from tests.callbacks.subjects import data_of, on_one_process, on_two_processes, split_of


class ReadsFirstPixel(nn.Module):
    """Says the class that the first pixel's level is, sure by a score of 4."""

    def forward(self, x):
        level = (x[:, 0, 0, 0] * 255).round().long()
        return 4.0 * nn.functional.one_hot(level, 3)


def subject_of(corrupted: list[int]) -> Subject:
    clean = torch.arange(12) % 3
    x = torch.zeros(12, 1, 2, 2, dtype=torch.uint8)
    x[:, 0, 0, 0] = clean
    y = clean.clone()
    y[corrupted] = (clean[corrupted] + 1) % 3
    data = data_of(split_of(x, y, clean_y=clean), classes=3)
    return Subject(data, seed=0, networks=(ReadsFirstPixel(),), loss=CrossEntropy())


def test_a_network_that_ignores_the_noise_recovers_the_clean_labels():
    scalars = LabelFit().measure(subject_of([0, 1, 5])).scalars
    right, wrong = torch.tensor([[4.0, 0, 0]]), torch.tensor([1])
    loss = nn.functional.cross_entropy
    assert scalars == {
        "train/loss_clean": pytest.approx(float(loss(right, wrong - 1)), rel=1e-5),
        "train/accuracy_clean": 1.0,
        "train/loss_corrupted": pytest.approx(float(loss(right, wrong)), rel=1e-5),
        "train/accuracy_corrupted": 0.0,
        "train/accuracy_recovered": 1.0,
    }


def test_a_network_that_memorised_the_noise_recovers_nothing():
    subject = subject_of([0, 1, 5])
    subject.data.train.x[:, 0, 0, 0] = subject.data.train.y  # the pixel now tells the noisy label
    scalars = LabelFit().measure(subject).scalars
    assert scalars["train/accuracy_corrupted"] == 1.0
    assert scalars["train/accuracy_recovered"] == 0.0


def test_nothing_is_logged_where_no_label_is_corrupted():
    assert LabelFit().take(subject_of([])).scalars == {}


def test_a_set_without_clean_labels_has_no_numbers_for_them():
    scalars = LabelFit().measure(subject_of(list(range(12)))).scalars
    assert set(scalars) == {
        "train/loss_corrupted",
        "train/accuracy_corrupted",
        "train/accuracy_recovered",
    }


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        return LabelFit().measure(subject).scalars

    subject = subject_of([2, 3])
    expected = on_one_process(measure, subject)
    assert on_two_processes(measure, subject) == [expected, expected]
