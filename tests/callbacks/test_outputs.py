from dataclasses import replace

import torch

from callbacks.evaluation import Evaluation
from callbacks.outputs import SharedMoment, outputs
from callbacks.representation_dimension import RepresentationDimension
from tests.callbacks.subjects import random_subject


def moment(probes, subject, epoch):
    shared = probes[0].shared
    return replace(subject, memo=shared.at(epoch, True), layers=shared.layers(epoch, True))


def test_probes_of_one_moment_share_the_pass_over_the_training_images():
    subject, passes = random_subject(), []
    subject.network.register_forward_hook(lambda *_: passes.append(1))
    probes = [Evaluation(), RepresentationDimension(k=5)]
    probes[0].shared = probes[1].shared = SharedMoment(probes)
    alone = [probe.measure(subject).scalars for probe in probes]
    assert len(passes) == 2  # 70 images fit into one batch
    together = [probe.measure(moment(probes, subject, 3)).scalars for probe in probes]
    assert len(passes) == 3
    assert together == alone


def test_another_moment_computes_again():
    subject = random_subject()
    probe = Evaluation()
    before = probe.measure(moment([probe], subject, 1)).scalars
    with torch.no_grad():
        subject.network.head.weight.mul_(2)
    assert probe.measure(moment([probe], subject, 1)).scalars == before  # of the same moment
    assert probe.measure(moment([probe], subject, 2)).scalars != before
    probe.shared.clear()
    assert probe.measure(moment([probe], subject, 1)).scalars != before


def test_layers_are_read_of_training_images_only():
    subject = replace(random_subject(), layers=("penultimate",))
    assert set(outputs(subject, subject.data.train)) == {"scores", "penultimate"}
    assert set(outputs(subject, subject.data.test)) == {"scores"}
