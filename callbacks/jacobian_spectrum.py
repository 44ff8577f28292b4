"""Singular values of the network's Jacobian at training and test images."""

from functools import partial
from typing import Any, Literal

from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name

from callbacks.pictures import heading
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.schedules import Schedule
from callbacks.spectrum_pictures import histograms, probability_plots
from callbacks.subject import Measurement, Subject
from metrics.functional.fit_lognormal import LognormalFit
from metrics.functional.fit_modes import fit_modes
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.log_spectrum import LogSpectrumResult, log_spectrum
from metrics.functional.point_jacobian import has_convolution

# the shortcut for a first linear layer pays off from about its width in images
BATCH, BATCH_LINEAR = 32, 512
OF_MODES = (  # present or not, as a spectrum has one mode or two
    *("spectrum_trough", "log_spectrum_mean/left", "log_spectrum_mean/right"),
    *("lognormal_r2", "lognormal_r2/left", "lognormal_r2/right"),
)


class JacobianSpectrum(Probe):
    """Spectra of J(x) = d logits / d x, their modes and lognormal fits (Brandao et al. 2023).

    Logs for `train` and `test`: `log_spectrum_mean` with its standard error over images (`_se`) and
    the number of zeros left out (`log_spectrum_zeros`); `spectrum_peaks`, `spectrum_dip`
    (Hartigan's) and `left_mass`, 0 unless its test finds two modes at 5 %; where there are two,
    `log_spectrum_mean/left`, `/right` and `spectrum_trough`; and `lognormal_r2`,
    of every mode (`/left`, `/right`) or of the whole. Keeps the singular values and, at the end,
    draws histograms and probability plots. Of an ensemble it measures the first member.

    Several may measure in one run: numbers of another gauge or mode have its name after an @,
    `train/left_mass@centred`, `test/log_spectrum_mean@train_b1`. A network without batch
    normalisation is the same in both modes, and `train_b1` then measures nothing.

    Reading it: see `metrics.functional.jacobian_spectrum` and `metrics.functional.split_spectrum`.
    J per unit of pixels in [0, 1] counts the contrast of the images in: one whitened by its
    standard deviation s has singular values about 1/s times those per unit of what the network
    sees. Images that differ in contrast, as noisy and clean ones do, compare by the latter.

    Args:
        train: training images, chosen by seed; 0 for none.
        test: test images, likewise.
        along: images of each split before the end, at most; E[log sigma] is a mean over them.
        gauge: "raw", all C values, or "centred", without the direction that softmax ignores.
        mode: "eval", or "train_b1": batch normalisation by each image's own statistics.
        inputs: of J: "pixels", or "normalised", the output of the first layer.
        bandwidth: of the smoothing that finds the modes, in log units; None by Silverman's rule.
        prominence: least prominence of a mode, as a share of the highest.
        schedule: when to measure.

    Raises:
        ValueError: if train and test are both 0.
    """

    def __init__(
        self,
        train: int = 256,
        test: int = 256,
        along: int = 64,
        gauge: Literal["raw", "centred"] = "raw",
        mode: Literal["eval", "train_b1"] = "eval",
        inputs: Literal["pixels", "normalised"] = "pixels",
        bandwidth: float | None = None,
        prominence: float = 0.05,
        schedule: Schedule | str = "end",
    ) -> None:
        super().__init__(schedule)
        if min(train, test) < 0 or train + test == 0:
            raise ValueError(f"train={train}, test={test}: use at least one image")
        self.counts = {stage: n for stage, n in (("train", train), ("test", test)) if n}
        self.along, self.gauge, self.mode, self.inputs = along, gauge, mode, inputs
        self.variant = "_".join(word for word in (gauge, mode) if word not in ("raw", "eval"))
        self.name = self._name("jacobian_spectrum", "_")  # its time is logged separately
        self.describe = partial(log_spectrum, bandwidth=bandwidth, prominence=prominence)

    def measure(self, subject: Subject) -> Measurement:
        """Gather the singular values of all images; describe them, and at the end draw them."""
        assert isinstance(subject.network, nn.Module)
        if self.mode == "train_b1" and not has_batch_statistics(subject.network):
            return Measurement({})
        values = {stage: self._values(subject, stage) for stage in self.counts}
        spectra = {stage: self.describe(sigma) for stage, sigma in values.items()}
        fits = {stage: fit_modes(spectrum.split) for stage, spectrum in spectra.items()}
        scalars: dict[str, float] = {}
        for stage, spectrum in spectra.items():
            named: dict[str, Any] = spectrum.scalars()
            for mode, fit in fits[stage].items():
                named["/".join(filter(None, ("lognormal_r2", mode)))] = fit.r_squared
            scalars |= {self._name(f"{stage}/{name}", "@"): named[name] for name in named}
        optional = [self._name(f"{stage}/{name}", "@") for stage in spectra for name in OF_MODES]
        absent = tuple(name for name in optional if name not in scalars)
        if subject.rank:
            return Measurement(scalars, absent=absent)
        arrays = {
            self._name(f"{stage}/singular_values", "_"): sigma.numpy()
            for stage, sigma in values.items()
        }
        return Measurement(scalars, arrays, self._figures(subject, spectra, fits), absent)

    def _name(self, name: str, sign: str) -> str:
        return f"{name}{sign}{self.variant}" if self.variant else name

    def _figures(
        self,
        subject: Subject,
        spectra: dict[str, LogSpectrumResult],
        fits: dict[str, dict[str, LognormalFit]],
    ) -> dict[str, Figure]:
        if not subject.last:  # two pictures take a second, which is more than the spectra of an MLP
            return {}
        figures = {
            self._name("spectrum/histogram", "_"): histograms(spectra, fits),
            self._name("spectrum/probability", "_"): probability_plots(spectra, fits),
        }
        for figure in figures.values():
            heading(figure, f"Jacobian spectra after epoch {subject.epoch}", subject.data.spec)
        return figures

    def _values(self, subject: Subject, stage: str) -> Tensor:
        network, split = subject.network, getattr(subject.data, stage)
        assert isinstance(network, nn.Module)
        first, rest = (nn.Identity(), network) if self.inputs == "pixels" else _parts(network)
        count = self.counts[stage]
        count = count if subject.last else min(count, self.along)
        chosen = fixed_points(len(split), count, subject.seed)

        def part(index: Tensor) -> dict[str, Tensor]:
            x = first(subject.images(split, chosen[index])).detach()
            return {"sigma": jacobian_spectrum(rest, x, self.gauge, self.mode).singular_values}

        batch = BATCH if has_convolution(rest) else BATCH_LINEAR
        return collect(part, len(chosen), subject, batch)["sigma"].cpu()


def _parts(network: nn.Module) -> tuple[nn.Module, nn.Module]:
    """The normalising first layer, and the rest."""
    first, rest = getattr(network, "normalize", None), getattr(network, "network", None)
    if not (isinstance(first, nn.Module) and isinstance(rest, nn.Module)):
        raise ValueError(
            f"inputs=normalised: {type(network).__name__} has no `normalize` before a `network`; "
            "use inputs=pixels"
        )
    return first, rest


def has_batch_statistics(network: nn.Module) -> bool:
    """Whether some layer normalises by its batch, so that `eval` and `train_b1` differ."""
    return any(isinstance(module, _BatchNorm) for module in network.modules())
