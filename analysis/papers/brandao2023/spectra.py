"""Runs with point-Jacobian spectra: their noise, and their saved spectra."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.printing.names import data_name, in_order, model_name, networks_of
from analysis.runs.series import arrays, series
from analysis.runs.settings import setting
from analysis.statistics.grid import one_recipe, trained
from metrics.functional.fit_lognormal import LognormalFit
from metrics.functional.fit_modes import fit_modes
from metrics.functional.log_spectrum import LogSpectrumResult, log_spectrum

KINDS = {"label noise": "label noise p", "dataset noise": "components of the second set"}
MEAN = "train/log_spectrum_mean"


def with_noise(runs: DataFrame) -> DataFrame:
    """`noise_levels` of one n, image size and recipe per network, data set and kind of noise.

    The largest with seeds enough for an interval: spectra of different n, or of networks trained in
    different ways, are not to be averaged.
    """
    return one_recipe(noise_levels(runs), swept=["kind"])


def noise_levels(runs: DataFrame) -> DataFrame:
    """Runs that have spectra, with `kind` of noise and its `level`.

    `dataset noise` where images are mixed with a second set (level: its components), `pixels` where
    they are shuffled or replaced, else `label noise` (level: p).
    """
    runs = trained(runs).dropna(subset=[MEAN])
    if runs.empty:
        raise NotEnoughError("no trained network has point-Jacobian spectra")
    components = setting(runs, "data.transforms.mixture.components")
    pixels = setting(runs, "data.transforms.pixels._target_")
    kind = Series("label noise", index=runs.index)
    kind[components.notna()] = "dataset noise"
    kind[pixels.notna()] = "pixels"
    level = setting(runs, "task.noise", 0.0).where(components.isna(), components).astype(float)
    return runs.assign(kind=kind, level=level, pixels=pixels).reset_index(drop=True)


def of_kind(runs: DataFrame, *kinds: str) -> DataFrame:
    """`with_noise` of the runs with these kinds of noise."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(kinds)]
    if mine.empty:
        raise NotEnoughError(f"no network with spectra was trained under {' or '.join(kinds)}")
    return mine.reset_index(drop=True)


def cells(runs: DataFrame) -> list[tuple[str, DataFrame]]:
    """The runs of each data set, network and kind of noise, with a title: one panel each."""
    parts = []
    for (data, kind), here in runs.groupby(["data", "kind"], sort=True):
        for model in networks_of(here):
            title = f"{model_name(model)}, {data_name(data)}\n{kind}"
            parts.append((title, here[here.model == model].reset_index(drop=True)))
    return parts


def level_name(kind: str, level: float) -> str:
    """A level of noise in print.

    >>> level_name("label noise", 0.5), level_name("dataset noise", 100)
    ('p = 0.5', '100 comp.')
    """
    return f"p = {level:g}" if kind == "label noise" else f"{level:g} comp."


def first_seeds(runs: DataFrame) -> DataFrame:
    """One run of each network, data set and level: figures of single spectra show the first."""
    order = in_order(runs, ["data", "model", "level", "seed"])
    return order.drop_duplicates(["data", "model", "kind", "level"]).reset_index(drop=True)


@dataclass(frozen=True)
class Moment:
    """The spectra of one run after one epoch."""

    run: Series
    epoch: int
    singular_values: NDArray[np.float64]  # (images, values)
    two_modes: bool  # the run found two, in the spectra of all images that it measured

    @cached_property
    def spectrum(self) -> LogSpectrumResult:
        """The pooled log-spectrum and its modes.

        An archive keeps part of the images, too few for the dip test to find a small mode: where
        the run found two modes, they are split without another test.
        """
        level = 1.0 if self.two_modes else 0.05
        return log_spectrum(torch.from_numpy(self.singular_values), level=level)

    @property
    def fits(self) -> dict[str, LognormalFit]:
        """A lognormal law for each mode."""
        return fit_modes(self.spectrum.split)

    @property
    def title(self) -> str:
        """Epoch and accuracies, as over the paper's panels."""
        shown = []
        for stage in ("train", "test"):
            measured = series(DataFrame([self.run]), f"{stage}/accuracy")
            for value in measured[f"{stage}/accuracy"][measured.epoch == self.epoch]:
                shown.append(f"{stage} {100 * value:.0f} %")
        return f"epoch {self.epoch}: {', '.join(shown)}"


def moments(
    run: Series, stage: str = "train", variant: str = "", last: bool = False
) -> list[Moment]:
    """The spectra of a run at every epoch at which they were saved, or at the last.

    `variant` is "centred" or "train_b1", or empty for the plain spectra.
    """
    name = f"{stage}/singular_values" + (f"_{variant}" if variant else "")
    trough = f"{stage}/spectrum_trough" + (f"@{variant}" if variant else "")
    split = set(series(DataFrame([run]), trough).epoch)
    found = [
        Moment(run, epoch, values, epoch in split)
        for epoch, values in arrays(run.path, name).items()
    ]
    return found[-1:] if last else found


def first_middle_last(found: list[Moment]) -> list[Moment]:
    """After the first epoch, halfway to the last on a log scale, and at the end."""
    later = [moment for moment in found if moment.epoch > 0]
    if len(later) < 3:
        return later
    middle = (later[0].epoch * later[-1].epoch) ** 0.5
    between = min(later[1:-1], key=lambda moment: abs(moment.epoch - middle))
    return [later[0], between, later[-1]]
