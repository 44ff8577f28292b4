import pytest
import torch

from callbacks.evaluation import Evaluation, evaluate
from tests.callbacks.subjects import on_one_process, on_two_processes, random_subject


def test_means_over_every_image_once_whatever_the_batches():
    subject = random_subject()
    split = subject.data.train
    with torch.no_grad():
        scores = subject.network(split.images())
    loss = float(torch.nn.functional.cross_entropy(scores, split.y))
    accuracy = float((scores.argmax(1) == split.y).float().mean())
    assert evaluate(subject, split, batch=9) == pytest.approx((loss, accuracy))


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        return [
            evaluate(subject, subject.data.train, batch=16),
            Evaluation().measure(subject).scalars,
        ]

    expected = on_one_process(measure, random_subject())
    assert on_two_processes(measure, random_subject()) == [expected, expected]
