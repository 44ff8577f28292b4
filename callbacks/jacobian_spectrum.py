"""Singular values of the network's Jacobian at training and test images."""

from typing import Any, ClassVar, Literal

from torch import Tensor, nn

from callbacks.pictures import heading
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.schedules import Schedule
from callbacks.spectrum_pictures import histograms, probability_plots
from callbacks.subject import Measurement, Subject
from metrics.functional.fit_lognormal import LognormalFit, fit_lognormal
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.log_spectrum import LogSpectrumResult, log_spectrum

BATCH = 32
LEAST = 10  # values of a mode that a law is fitted to


class JacobianSpectrum(Probe):
    """Spectra of J(x) = d logits / d x, their modes and lognormal fits (Brandao et al. 2023).

    Logs for `train` and `test`: `log_spectrum_mean` with its standard error over images (`_se`) and
    the number of zeros left out (`log_spectrum_zeros`); `spectrum_peaks`; where there are two modes
    `log_spectrum_mean/left`, `/right`, `left_mass`, `spectrum_trough`; and `lognormal_r2`, of every
    mode (`/left`, `/right`) or of the whole. Keeps the singular values and draws histograms and
    probability plots. Of an ensemble it looks at the first member.

    Reading it: see `metrics.functional.jacobian_spectrum` and `metrics.functional.split_spectrum`.
    J is per unit of the pixels in [0, 1], normalisation included: an image whitened by its standard
    deviation s has singular values 1/s times those in whitened units.

    Args:
        train: training images, chosen by seed; 0 for none.
        test: test images, likewise.
        gauge: "raw", all C values, or "centred", without the direction that softmax ignores.
        mode: "eval", or "train_b1": batch normalisation by each image's own statistics.
        bandwidth: of the smoothing that finds the modes, in log units; None by Silverman's rule.
        prominence: least prominence of a mode, as a share of the highest.
        schedule: when to measure.

    Raises:
        ValueError: if neither training nor test images are asked for.
    """

    name: ClassVar[str] = "jacobian_spectrum"

    def __init__(
        self,
        train: int = 256,
        test: int = 256,
        gauge: Literal["raw", "centred"] = "raw",
        mode: Literal["eval", "train_b1"] = "eval",
        bandwidth: float | None = None,
        prominence: float = 0.05,
        schedule: Schedule | None = None,
    ) -> None:
        super().__init__(schedule)
        if min(train, test) < 0 or train + test == 0:
            raise ValueError(f"train={train}, test={test}: ask for at least one image")
        self.counts = {stage: n for stage, n in (("train", train), ("test", test)) if n}
        self.gauge, self.mode = gauge, mode
        self.split = {"bandwidth": bandwidth, "prominence": prominence}

    def measure(self, subject: Subject) -> Measurement:
        """Gather the singular values of all images; describe them, and on rank 0 draw them."""
        values = {stage: self._values(subject, stage) for stage in self.counts}
        spectra = {stage: log_spectrum(sigma, **self.split) for stage, sigma in values.items()}
        fits = {stage: fits_of(spectrum) for stage, spectrum in spectra.items()}
        scalars: dict[str, float] = {}
        for stage, spectrum in spectra.items():
            named: dict[str, Any] = spectrum.scalars()
            for mode, fit in fits[stage].items():
                named["/".join(filter(None, ("lognormal_r2", mode)))] = fit.r_squared
            scalars |= {f"{stage}/{name}": value for name, value in named.items()}
        if subject.rank:
            return Measurement(scalars)
        figures = {
            "spectrum/histogram": histograms(spectra, fits),
            "spectrum/probability": probability_plots(spectra, fits),
        }
        for figure in figures.values():
            heading(figure, f"Jacobian spectra after epoch {subject.epoch}", subject.data.spec)
        arrays = {f"{stage}/singular_values": sigma.numpy() for stage, sigma in values.items()}
        return Measurement(scalars, arrays, figures)

    def _values(self, subject: Subject, stage: str) -> Tensor:
        network, split = subject.network, getattr(subject.data, stage)
        assert isinstance(network, nn.Module)
        chosen = fixed_points(len(split), self.counts[stage], subject.seed)

        def part(index: Tensor) -> dict[str, Tensor]:
            x = split.images(chosen[index]).to(subject.device)
            return {"sigma": jacobian_spectrum(network, x, self.gauge, self.mode).singular_values}

        return collect(part, len(chosen), subject, BATCH)["sigma"].cpu()


def fits_of(spectrum: LogSpectrumResult) -> dict[str, LognormalFit]:
    """A lognormal law for each mode that has values enough, or for the whole."""
    split = spectrum.split
    modes = {"": split.right}
    if split.trough is not None:
        modes = {"left": split.left, "right": split.right}
    return {
        mode: fit_lognormal(logs.exp(), bootstrap=0)
        for mode, logs in modes.items()
        if len(logs) >= LEAST and logs[0] < logs[-1]
    }
