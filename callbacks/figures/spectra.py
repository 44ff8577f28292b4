"""Figures of Jacobian spectra: histograms with their modes, and probability plots."""

from collections.abc import Mapping

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from callbacks.figures.titles import set_title
from datamodules.spec import DataSpec
from metrics.functional.fit_lognormal import LognormalFit
from metrics.functional.log_spectrum import LogSpectrumResult
from metrics.functional.probability_plot import order_medians

COLOURS = {"left": "tab:orange", "right": "tab:blue", "": "tab:blue"}
MOST_DOTS = 1000  # per mode in a probability plot; more cannot be distinguished

Fits = Mapping[str, LognormalFit]  # by mode: "left" and "right", or "" if there is only one


def spectra_figures(
    spectra: Mapping[str, LogSpectrumResult], fits: Mapping[str, Fits], epoch: int, spec: DataSpec
) -> dict[str, Figure]:
    """Histograms and probability plots of the spectra of every split, by name."""
    figures = {
        "spectrum/histogram": histograms(spectra, fits),
        "spectrum/probability": probability_plots(spectra, fits),
    }
    for figure in figures.values():
        set_title(figure, f"Jacobian spectra after epoch {epoch}", spec)
    return figures


def _side_by_side(count: int, height: float) -> tuple[Figure, list[Axes]]:
    """Axes with shared scales, and margins in inches."""
    width = 4.5 * count
    figure = Figure(figsize=(width, height))
    figure.subplots_adjust(  # a layout engine would take as long as drawing
        left=0.8 / width, right=1 - 0.06 / width, bottom=0.48 / height, top=1 - 0.45 / height,
        wspace=0.035,
    )  # fmt: skip
    return figure, list(figure.subplots(1, count, sharex=True, sharey=True, squeeze=False)[0])


def histograms(spectra: Mapping[str, LogSpectrumResult], fits: Mapping[str, Fits]) -> Figure:
    """Log sigma of every split, side by side, with the trough and the fit of each mode."""
    figure, grid = _side_by_side(len(spectra), height=3.2)
    for axes, (stage, spectrum) in zip(grid, spectra.items(), strict=True):
        _histogram(axes, spectrum, fits[stage])
        axes.set_title(f"{stage}: mean {spectrum.mean:.3f}, {spectrum.points} images", fontsize=9)
        axes.set_xlabel("log singular value")
    grid[0].set_ylabel("density")
    return figure


def _histogram(axes: Axes, spectrum: LogSpectrumResult, fits: Fits) -> None:
    split = spectrum.split
    values = spectrum.log_sigma.cpu().numpy()
    axes.hist(values, bins=60, density=True, histtype="stepfilled", color="0.85")
    axes.plot(split.grid.cpu(), split.density.cpu(), color="0.4", lw=1, label="smoothed")
    for mode, fit in fits.items():
        share = fit.n / len(spectrum.log_sigma)
        sigma = split.grid.exp()
        density = share * sigma * fit.log_density(sigma).exp()  # over log sigma
        label = f"lognormal{' ' * bool(mode)}{mode}, {share:.0%}"
        axes.plot(split.grid.cpu(), density.cpu(), color=COLOURS[mode], lw=1.5, label=label)
    if split.trough is not None:
        axes.axvline(split.trough, color="black", lw=0.8, ls=":", label="trough")
    axes.legend(fontsize=7, frameon=False)


def probability_plots(spectra: Mapping[str, LogSpectrumResult], fits: Mapping[str, Fits]) -> Figure:
    """Ordered log sigma of every mode against normal quantiles, with the fitted line and R^2."""
    figure, grid = _side_by_side(len(spectra), height=3.6)
    for axes, (stage, spectrum) in zip(grid, spectra.items(), strict=True):
        for mode, fit in fits[stage].items():
            values = spectrum.split.modes[mode].cpu()  # sorted
            quantiles = torch.special.ndtri(order_medians(len(values)))
            few = torch.linspace(0, len(values) - 1, min(len(values), MOST_DOTS)).long()
            axes.plot(quantiles[few], values[few], ".", ms=3, color=COLOURS[mode], alpha=0.5)
            ends = quantiles[[0, -1]]
            label = f"{mode} R² = {fit.r_squared:.3f}".strip()
            axes.plot(ends, fit.mu + fit.s * ends, color=COLOURS[mode], lw=1, label=label)
        axes.set_title(stage, fontsize=9)
        axes.set_xlabel("normal quantile")
        if fits[stage]:  # none where the values have no spread
            axes.legend(fontsize=8, frameon=False)
    grid[0].set_ylabel("log singular value, ordered")
    return figure
