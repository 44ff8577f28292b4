import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from callbacks.jacobian_spectrum import BATCH_LINEAR, JacobianSpectrum
from lightning_modules.networks.normalize import Normalize
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.log_spectrum import log_spectrum
from tests.callbacks.subjects import (
    broken,
    convolutional,
    on_one_process,
    on_two_processes,
    random_subject,
)


def test_numbers_are_those_of_the_metric_at_all_images():
    subject = random_subject()
    measured = JacobianSpectrum(train=1000, test=1000).measure(subject)
    for stage in ("train", "test"):
        images = getattr(subject.data, stage).images()
        sigma = jacobian_spectrum(subject.network, images)
        kept = measured.arrays[f"{stage}/singular_values"]
        assert np.allclose(kept, sigma.numpy())
        for name, value in log_spectrum(sigma).scalars().items():
            assert measured.scalars[f"{stage}/{name}"] == pytest.approx(value), name


def test_images_are_fixed_by_the_seed_and_more_contain_fewer():
    subject = random_subject()
    few, again, more = (
        JacobianSpectrum(train=count, test=0).measure(subject).arrays["train/singular_values"]
        for count in (10, 10, 30)
    )
    assert len(few) == 10
    assert np.array_equal(few, again)
    assert {row.tobytes() for row in few} <= {row.tobytes() for row in more}


def test_a_linear_network_has_one_spectrum_and_no_law_is_fitted_to_it():
    linear = nn.Sequential(nn.Flatten(), nn.Linear(64, 3))
    nn.init.orthogonal_(linear[1].weight, gain=0.3)
    measured = JacobianSpectrum().measure(random_subject(linear))
    sigma = torch.linalg.svdvals(linear[1].weight.detach().double())
    assert measured.scalars["test/log_spectrum_mean"] == pytest.approx(float(sigma.log().mean()))
    assert not math.isnan(sum(measured.scalars.values()))
    laws = {"lognormal_r2", "lognormal_r2/left", "lognormal_r2/right"}
    assert {f"train/{name}" for name in laws} <= set(measured.absent)  # one value is no law
    assert not set(measured.absent) & set(measured.scalars)


def test_centred_leaves_out_one_value_and_train_b1_reads_the_images_own_statistics():
    subject = random_subject()
    measured = [
        JacobianSpectrum(test=0, **options).measure(subject)
        for options in ({}, {"gauge": "centred"}, {"mode": "train_b1"})
    ]
    ending = ("", "_centred", "_train_b1")
    raw, centred, own = (
        one.arrays[f"train/singular_values{end}"] for one, end in zip(measured, ending, strict=True)
    )
    assert raw.shape[1] == 3
    assert centred.shape[1] == 2
    assert not np.allclose(raw, own)


def test_probes_of_other_gauges_and_modes_stand_side_by_side():
    subject = random_subject()
    both = {"gauge": "centred", "mode": "train_b1"}
    measured = [JacobianSpectrum(**o).measure(subject) for o in ({}, {"gauge": "centred"}, both)]
    for part in ("scalars", "arrays", "figures"):
        names = [set(getattr(one, part)) for one in measured]
        assert len(set.union(*names)) == sum(map(len, names))
    assert "train/log_spectrum_mean@centred" in measured[1].scalars
    assert "test/log_spectrum_mean@centred_train_b1" in measured[2].scalars


def test_without_batch_statistics_train_b1_is_eval_and_measures_nothing():
    linear = nn.Sequential(nn.Flatten(), nn.Linear(64, 3))
    assert JacobianSpectrum(mode="train_b1").measure(random_subject(linear)).scalars == {}


def test_normalised_inputs_are_those_of_the_network_behind_its_first_layer():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.normalize, self.network = nn.Hardtanh(-9, 9), convolutional()

        def forward(self, x):
            return self.network(4 * self.normalize(x))

    subject = random_subject(Scaled())
    pixels, inner = (
        JacobianSpectrum(test=0, inputs=inputs).measure(subject).arrays["train/singular_values"]
        for inputs in ("pixels", "normalised")
    )
    images = subject.data.train.images()
    assert np.allclose(inner, jacobian_spectrum(subject.network.network, images))
    assert not np.allclose(inner, pixels)
    with pytest.raises(ValueError, match="use inputs=pixels"):
        JacobianSpectrum(inputs="normalised").measure(random_subject())


@pytest.mark.filterwarnings("error")  # torch warns of the variance of a batch without images
def test_a_batch_may_have_images_of_one_split_only():
    class Whitened(nn.Module):
        def __init__(self):
            super().__init__()
            self.normalize = Normalize("image")
            self.network = nn.Sequential(nn.Flatten(), nn.Linear(64, 3))

        def forward(self, x):
            return self.network(self.normalize(x))

    subject = random_subject(Whitened(), n=BATCH_LINEAR + 10)
    probe = JacobianSpectrum(train=BATCH_LINEAR + 10, inputs="normalised")
    arrays = probe.measure(subject).arrays
    assert len(arrays["train/singular_values"]) == BATCH_LINEAR + 10
    assert len(arrays["test/singular_values"]) == len(subject.data.test)


def test_pictures_are_drawn_at_the_end_only():
    subject = replace(random_subject(), last=False)
    assert JacobianSpectrum(test=0).measure(subject).figures == {}


def test_pictures_show_both_splits_with_r_squared():
    figures = JacobianSpectrum().measure(random_subject()).figures
    assert set(figures) == {"spectrum/histogram", "spectrum/probability"}
    for figure in figures.values():
        assert len(figure.axes) == 2
        assert "small" in figure.get_suptitle()
    legend = figures["spectrum/probability"].axes[0].get_legend()
    assert all("R²" in text.get_text() for text in legend.get_texts())


def test_traps():
    with pytest.raises(ValueError, match="at least one image"):
        JacobianSpectrum(train=0, test=0)
    with pytest.raises(ValueError, match="not finite"):
        JacobianSpectrum().take(random_subject(broken(convolutional())))


def test_one_and_two_processes_agree_to_the_bit():
    def measure(subject):
        measured = JacobianSpectrum().measure(subject)
        return measured.scalars, list(measured.figures)

    subject = random_subject(n=90)
    expected, figures = on_one_process(measure, subject)
    first, second = on_two_processes(measure, subject)
    assert first == (expected, figures)
    assert second == (expected, [])
