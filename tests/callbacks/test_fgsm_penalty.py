import pytest
import torch
from torch import nn

from callbacks.fgsm_penalty import FGSMPenalty
from callbacks.subject import Subject
from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.losses.cross_entropy import CrossEntropy
from metrics.functional.attack_penalty import attack_penalty
from tests.callbacks.subjects import (
    broken,
    convolutional,
    data_of,
    on_one_process,
    on_two_processes,
    random_subject,
    split_of,
)


def test_names_and_numbers_are_those_of_the_attack_on_the_whole_test_set():
    subject = random_subject()
    scalars = FGSMPenalty(levels=[1, 2, 8]).measure(subject).scalars
    test = subject.data.test
    expected = attack_penalty(subject.network, test.images(), test.y, [1 / 255, 2 / 255, 8 / 255])
    assert scalars == {
        f"test/{name}": pytest.approx(value) for name, value in expected.scalars().items()
    }
    assert "test/fgsm_loss_penalty@2" in scalars


def linear_subject(scale: float, loss: nn.Module, outputs: int) -> Subject:
    """Unbounded data and a linear network: an attack moves every score by eps times a 1-norm."""
    generator = torch.Generator().manual_seed(0)
    x = scale * torch.randn(30, 1, 4, 4, generator=generator)
    network = nn.Sequential(nn.Flatten(), nn.Linear(16, outputs))
    with torch.no_grad():
        network[1].weight.normal_(generator=generator)
    data = data_of(split_of(x, torch.arange(30) % 2))
    return Subject(data, seed=0, networks=(network,), loss=loss)


@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(("loss", "outputs"), [(CrossEntropy(), 2), (BinaryCrossEntropy(), 1)])
def test_data_without_a_range_are_attacked_in_their_own_unit_and_never_clipped(
    scale, loss, outputs
):
    subject = linear_subject(scale, loss, outputs)
    with torch.no_grad():
        x, y = subject.data.test.x, subject.data.test.y
        weight = subject.network[1].weight
        normal = weight[0] if outputs == 1 else weight[1] - weight[0]
        towards_1 = (8 / 255) * normal.sign().view(1, 1, 4, 4)
        attacked = torch.where((y == 1).view(-1, 1, 1, 1), x - towards_1, x + towards_1)
        before, after = (loss(subject.network(z), y) for z in (x, attacked))
    penalty = FGSMPenalty(levels=[8]).measure(subject).scalars["test/fgsm_loss_penalty@8"]
    assert penalty == pytest.approx(float(after - before), rel=1e-3)
    assert penalty > 0


def test_the_picture_shows_first_what_the_attack_turns():
    subject = random_subject()
    figure = FGSMPenalty(levels=[1, 64], examples=4).measure(subject).figures["test/fgsm_examples"]
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["clean", "1/255", "64/255"]
    colours = [text.get_color() for text in axes.texts]
    assert colours[:4] == ["black"] * 4  # right when clean
    assert colours[8:] == ["crimson"] * 4  # wrong at the last size
    assert not FGSMPenalty(examples=0).measure(subject).figures


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        measured = FGSMPenalty().measure(subject)
        return measured.scalars, list(measured.figures)

    subject = random_subject(test_n=140)  # more than two batches
    expected, figures = on_one_process(measure, subject)
    first, second = on_two_processes(measure, subject)
    assert first == (expected, figures)
    assert second == (expected, [])  # rank 0 alone draws


def test_diverged_weights_are_refused_on_every_process():
    def measure(subject):
        return FGSMPenalty().measure(subject)

    failures = on_two_processes(measure, random_subject(broken(convolutional())))
    assert all("finite" in failure for failure in failures), failures
