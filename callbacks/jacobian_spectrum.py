"""Singular values of the network's Jacobian at training and test images."""

from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm  # the base class has no public name

from callbacks.figures.spectra import spectra_figures
from callbacks.outputs import shared_rows
from callbacks.points import SMALL_PASS, fixed_points, pass_size
from callbacks.ranks import collect
from callbacks.sampled_probe import SampledProbe
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.fit_modes import fit_modes
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.log_spectrum import log_spectrum
from metrics.functional.point_jacobian import has_convolution

BATCH_LINEAR = 512  # the shortcut for a first linear layer pays off from about its width in images
OF_MODES = (  # logged or not, depending on the number of modes
    *("spectrum_trough", "log_spectrum_mean/left", "log_spectrum_mean/right"),
    *("lognormal_r2", "lognormal_r2/left", "lognormal_r2/right"),
)


class JacobianSpectrum(SampledProbe):
    """Spectra of J(x) = d logits / d x, their modes and lognormal fits (Brandao et al. 2023).

    Logs for `train` and `test`: `log_spectrum_mean` with its standard error over images (`_se`) and
    the number of zeros left out (`log_spectrum_zeros`); `spectrum_peaks`, `spectrum_dip`
    (Hartigan's) and `left_mass`, 0 unless the dip test finds two modes at 5 %; if there are two,
    `log_spectrum_mean/left`, `/right` and `spectrum_trough`; and `lognormal_r2` of each mode
    (`/left`, `/right`) or of the whole spectrum. Saves the singular values and, at the end, draws
    histograms and probability plots. Of an ensemble it measures the first member.

    A run may have several of these probes: another gauge or mode is named after an @, as in
    `train/left_mass@centred`, `test/log_spectrum_mean@train_b1`. A network without batch
    normalisation is the same in both modes, and `train_b1` then measures nothing.

    Reading it: see `metrics.functional.jacobian_spectrum` and `metrics.functional.split_spectrum`.
    J by pixels in [0, 1] depends on the contrast of the images: if the first layer divides an image
    by its standard deviation s, its singular values are about 1/s times those of J by normalised
    inputs. To compare images of different contrast, such as noisy and clean ones, use the latter.

    Args:
        train: number of training images, chosen by seed; 0 for none.
        test: number of test images, likewise.
        along: images of each split before the end, at most; E[log sigma] is a mean over them. None:
            as many as at the end.
        gauge: "raw", all C values, or "centred", without the direction that softmax ignores.
        mode: "eval", or "train_b1": batch normalisation by each image's own statistics.
        inputs: of J: "pixels", or "normalised", the output of the first layer.
        bandwidth: of the smoothing that finds the modes, in log units; None: Silverman's rule.
        prominence: smallest prominence of a mode, as a share of the highest.

    Raises:
        ValueError: train and test are both 0.
    """

    def __init__(
        self,
        train: int = 256,
        test: int = 256,
        along: int | None = None,
        gauge: Literal["raw", "centred"] = "raw",
        mode: Literal["eval", "train_b1"] = "eval",
        inputs: Literal["pixels", "normalised"] = "pixels",
        bandwidth: float | None = None,
        prominence: float = 0.05,
        schedule: Schedule | str = "end",
    ) -> None:
        self.variant = "_".join(word for word in (gauge, mode) if word not in ("raw", "eval"))
        self.name = self._name("jacobian_spectrum", "_")  # each variant logs its own time
        super().__init__(along, schedule)
        if min(train, test) < 0 or train + test == 0:
            raise ValueError(f"train={train}, test={test}: use at least one image")
        self.counts = {stage: n for stage, n in (("train", train), ("test", test)) if n}
        self.gauge, self.mode, self.inputs = gauge, mode, inputs
        self.describe = partial(log_spectrum, bandwidth=bandwidth, prominence=prominence)

    def measure_images(self, subject: Subject, count: int | None) -> Measurement:
        """Gather the singular values of the images; describe them, and at the end draw them."""
        if self.inputs == "normalised":
            if not hasattr(subject.network, "normalize"):
                kind = type(subject.network).__name__
                raise ValueError(f"inputs=normalised: {kind} has no `normalize`; use inputs=pixels")
            subject = subject.behind_normalisation()
        if self.mode == "train_b1" and not has_batch_statistics(subject.network):
            return Measurement({})
        values = self._values(subject, count)
        spectra = {stage: self.describe(sigma) for stage, sigma in values.items()}
        fits = {stage: fit_modes(spectrum.split) for stage, spectrum in spectra.items()}
        scalars: dict[str, float] = {}
        images: dict[str, int] = {}
        for stage, spectrum in spectra.items():
            named: dict[str, Any] = spectrum.scalars()
            for mode, fit in fits[stage].items():
                named["/".join(filter(None, ("lognormal_r2", mode)))] = fit.r_squared
            own = {self._name(f"{stage}/{name}", "@"): named[name] for name in named}
            scalars |= own
            images |= dict.fromkeys(own, len(values[stage]))
        optional = [self._name(f"{stage}/{name}", "@") for stage in spectra for name in OF_MODES]
        absent = tuple(name for name in optional if name not in scalars)
        if subject.rank or (subject.last and count is not None):
            return Measurement(scalars, absent=absent, images=images)
        arrays = {
            self._name(f"{stage}/singular_values", "_"): sigma.numpy()
            for stage, sigma in values.items()
        }
        figures = {}
        if subject.last:  # two figures take a second, longer than the spectra of an MLP
            drawn = spectra_figures(spectra, fits, subject.epoch, subject.data.spec)
            figures = {self._name(name, "_"): figure for name, figure in drawn.items()}
        return Measurement(scalars, arrays, figures, absent, images=images)

    def _name(self, name: str, sign: str) -> str:
        return f"{name}{sign}{self.variant}" if self.variant else name

    def _values(self, subject: Subject, count: int | None) -> dict[str, Tensor]:
        """Singular values by stage; the images of both are differentiated together."""
        network, splits = subject.network, [getattr(subject.data, one) for one in self.counts]
        sizes = [min(n, count or n) for n in self.counts.values()]
        points = [
            fixed_points(len(split), size, subject.seed)
            for split, size in zip(splits, sizes, strict=True)
        ]
        starts = [0, len(splits[0])]  # first position of each split when both are concatenated
        chosen = torch.cat([own + start for own, start in zip(points, starts, strict=False)])

        def image(position: Tensor) -> Tensor:
            inside = position >= starts[1]
            parts = [
                subject.images(split, position[inside == bool(i)] - starts[i])
                for i, split in enumerate(splits)
            ]
            return torch.cat(parts)

        def compute() -> dict[str, Tensor]:
            def part(index: Tensor) -> dict[str, Tensor]:
                x = image(chosen[index])
                sigma = jacobian_spectrum(network, x, self.gauge, self.mode, chunk, self.unchecked)
                return {"sigma": sigma}

            return collect(part, len(chosen), subject, batch)

        convolution = has_convolution(network)
        batch = pass_size(subject) if convolution else BATCH_LINEAR
        chunk = batch if convolution and batch > SMALL_PASS else None
        sigma = shared_rows(subject, (self.name, id(network)), chosen, compute)["sigma"].cpu()
        return dict(zip(self.counts, sigma.split([len(own) for own in points]), strict=True))


def has_batch_statistics(network: nn.Module) -> bool:
    """Whether a layer normalises by batch statistics, so that `eval` and `train_b1` differ."""
    return any(isinstance(module, _BatchNorm) for module in network.modules())
