"""The loss of a run is the configuration's, unless the network has a single logit."""

from dataclasses import replace

import pytest

from conf.plan import plan
from datamodules.spec import DataSpec
from lightning_modules.build import build_classifier
from lightning_modules.losses.binary_cross_entropy import BinaryCrossEntropy
from lightning_modules.losses.cross_entropy import CrossEntropy
from lightning_modules.losses.offset_cross_entropy import OffsetCrossEntropy
from lightning_modules.losses.self_normalizing_cross_entropy import SelfNormalizingCrossEntropy

SPEC = DataSpec("digits", "natural", 1, 8, ("0", "1"), 10, 10, None, (0.3,), (0.4,))


def run(*overrides):
    (only,) = plan(["model=mlp", "task=pair", *overrides]).runs
    return only


@pytest.mark.parametrize(
    ("overrides", "loss"),
    [
        ((), CrossEntropy),
        (("loss=offset",), OffsetCrossEntropy),
        (("loss=self_normalizing", "loss.t=0"), SelfNormalizingCrossEntropy),
        (("model.head=single",), BinaryCrossEntropy),
    ],
)
def test_the_loss_is_the_one_asked_for(overrides, loss):
    assert type(build_classifier(run(*overrides).config, SPEC).loss) is loss


def test_a_single_logit_needs_two_classes():
    three = replace(SPEC, classes=("0", "1", "2"))
    with pytest.raises(ValueError, match="one logit needs two classes, these data have 3"):
        build_classifier(run("model.head=single").config, three)


def test_published_offset():
    loss = build_classifier(run("loss=offset").config, SPEC).loss
    assert loss.offset == pytest.approx(2**0.5 * 36 / 255, abs=1e-5)
    assert loss.temperature == 1 / 4


def test_loss_and_augmentation_are_part_of_the_key():
    standard = "augmentation=standard"
    choices = [
        (),
        ("loss=offset",),
        ("loss=offset", "loss.offset=0.1"),
        (standard,),
        (standard, "augmentation.erase=0"),
    ]
    assert len({run(*overrides).key for overrides in choices}) == 5
