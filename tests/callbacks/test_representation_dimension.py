from dataclasses import replace

import pytest
import torch

from callbacks.outputs import outputs
from callbacks.representation_dimension import RepresentationDimension
from lightning_modules.networks.normalize import Normalize
from lightning_modules.networks.pipeline import Pipeline
from lightning_modules.networks.resnet import ResNet
from metrics.functional.mle_dimension import mle_dimension
from metrics.functional.neighbours import neighbours
from metrics.functional.twonn_dimension import twonn_dimension
from tests.callbacks.subjects import (
    broken,
    convolutional,
    on_one_process,
    on_two_processes,
    random_subject,
)


def test_it_is_the_dimension_of_what_enters_the_head():
    subject = random_subject()
    scalars = RepresentationDimension(k=5).measure(subject).scalars
    with torch.no_grad():
        features = subject.network[:4](subject.data.train.images())  # eval mode: no dropout
    found = neighbours(features, 10)
    assert scalars["train/d_repr_mle/penultimate"] == pytest.approx(
        mle_dimension(found, 5).dimension
    )
    assert scalars["train/d_repr_twonn/penultimate"] == pytest.approx(
        twonn_dimension(found).dimension
    )


def test_the_published_codes_switches_reach_the_estimators():
    subject = random_subject()
    printed = RepresentationDimension(k=5).measure(subject).scalars
    published = (
        RepresentationDimension(k=5, denominator="k-2", discard=0.0).measure(subject).scalars
    )
    name = "train/d_repr_mle/penultimate"
    assert published[name] == pytest.approx(3 / 4 * printed[name])
    assert published["train/d_repr_twonn/penultimate"] != printed["train/d_repr_twonn/penultimate"]


def test_several_layers_take_one_pass():
    subject = random_subject()
    calls = []
    subject.network.register_forward_hook(lambda *_: calls.append(1))
    measured = RepresentationDimension(layers=["0", "penultimate"], k=5).measure(subject)
    assert {"train/d_repr_mle/0", "train/d_repr_mle/penultimate"} <= set(measured.scalars)
    assert len(calls) == 1  # 70 images fit into one batch


def test_reference_is_what_the_published_code_tapped():
    network = Pipeline(Normalize(), ResNet(1, 8, 2, stem="small")).eval()
    subject = replace(random_subject(network, n=6), layers=("konz2024", "penultimate"))
    found = outputs(subject, subject.data.train)
    assert found["konz2024"].shape == (6, 512)  # 1 x 1 maps at 8 pixels
    assert found["penultimate"].shape == (6, 512)


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        return RepresentationDimension(layers=["0", "penultimate"], k=5).measure(subject).scalars

    subject = random_subject(n=300)  # more than one batch
    expected = on_one_process(measure, subject)
    assert on_two_processes(measure, subject) == [expected, expected]


def test_what_has_no_dimension_is_refused():
    with pytest.raises(ValueError, match="finite"):
        RepresentationDimension().measure(random_subject(broken(convolutional())))


def test_too_few_images_are_a_note_and_no_failure_that_a_rerun_could_repeat():
    measured = RepresentationDimension().measure(random_subject(n=2))
    assert not measured.scalars
    assert measured.notes == (
        "not measured: 2 images; TwoNN needs 3 and the MLE 21, so use a larger n; a rerun does not "
        "help",
    )


def test_few_images_lose_the_mle_alone():
    measured = RepresentationDimension().measure(random_subject(n=15))
    scalars, (note,) = measured.scalars, measured.notes
    assert "train/d_repr_twonn/penultimate" in scalars
    assert "train/d_repr_mle/penultimate" not in scalars
    assert "train/d_repr_mle/penultimate not measured: k=20 neighbours need 21" in note


def test_a_misspelt_layer_is_refused_with_the_nearest_name():
    with pytest.raises(ValueError, match="penultimate"):
        RepresentationDimension(layers=["penultimte"]).measure(random_subject())
