"""What noise does to the spectra of point Jacobians, and what the spectra look like."""

from collections.abc import Callable

import torch
from pandas import DataFrame, Series

from analysis.claim import SEEDS, Cell, Center, Evidence
from analysis.claim_cells import over_seeds_in
from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.brandao2023.spectra import KINDS, MEAN, noise_levels
from analysis.statistics.grid import one_recipe
from analysis.statistics.laws import fraction
from analysis.statistics.over_seeds import LEAST

BY = ["model", "data", "n", "kind", "level"]
TEST_MEAN, LEFT = "test/log_spectrum_mean", "train/left_mass"
TROUGH = "train/spectrum_trough"  # only where the dip test finds two modes at 5 %
R2 = ["train/lognormal_r2", "train/lognormal_r2/left", "train/lognormal_r2/right"]


def raised_by(runs: DataFrame, kind: str) -> Evidence:
    """E[log sigma] under noise less that without, seed by seed, at every level of noise.

    Runs without their counterpart are left out before n is chosen.
    """
    mine = noise_levels(_with(runs, [MEAN]))
    mine = mine[mine.kind == kind]
    same = ["model", "data", "n", "size", "recipe", "seed"]
    clean = mine[mine.level == 0].groupby(same)[MEAN].mean().rename("clean").reset_index()
    noisy = mine[mine.level > 0].merge(clean, on=same)
    if noisy.empty:
        raise NotEnoughError(f"no network was trained both with and without {kind}")
    noisy = noisy.assign(added=noisy[MEAN] - noisy.clean)
    return over_seeds_in(one_recipe(noisy), BY, "added")


def in_every_run(
    runs: DataFrame,
    columns: list[str],
    value: Callable[[DataFrame], Series],
    center: Center = "mean",
) -> Evidence:
    """A number of every trained network with spectra, by seed, in every cell."""
    mine = _spectra(runs, columns, SEEDS[center])
    mine = mine.assign(value=value(mine))
    return over_seeds_in(mine, BY, "value", center=center)


def lognormal_fit(runs: DataFrame) -> Evidence:
    """Smallest R^2 of the probability plots of the modes."""
    return in_every_run(runs, R2, lambda mine: mine[R2].min(axis=1))


def gap_of_test_images(runs: DataFrame) -> Evidence:
    """E[log sigma] of test images less that of training images."""
    return in_every_run(runs, [TEST_MEAN], lambda mine: mine[TEST_MEAN] - mine[MEAN])


def left_mass_less_share(runs: DataFrame) -> Evidence:
    """Mass of the left mode less 1/C."""
    return in_every_run(runs, [LEFT], lambda mine: mine[LEFT] - 1 / mine.classes, "median")


def two_modes(runs: DataFrame) -> Evidence:
    """Share of networks with two modes by the dip test at 5 %; a condition counts as one throw.

    Networks without noise are those of both kinds of noise and count once.
    """
    mine = _spectra(runs, [LEFT, TROUGH])
    mine = mine.assign(kind=mine.kind.where(mine.level > 0, "no noise"))
    mine = mine.drop_duplicates([*BY, "seed"]).reset_index(drop=True)
    names = mine[BY].astype(str).agg("/".join, axis=1)
    found = fraction(DataFrame({"data": names}), torch.tensor(mine[TROUGH].notna().to_numpy()))
    # one cell only, so that no other confidence is asked for
    return Evidence({"": Cell(lambda _: found, names.nunique())}, "condition", mine)


def _with(runs: DataFrame, columns: list[str]) -> DataFrame:
    """The runs of the paper's experiments: networks trained to overfit by plain SGD."""
    mine = runs[runs.experiment.str.startswith("brandao2023/")]
    if mine.empty:
        raise NotEnoughError("no finished run is of an experiment of brandao2023")
    need_columns(mine, columns)
    return mine.reset_index(drop=True)


def _spectra(runs: DataFrame, columns: list[str], least: int = LEAST) -> DataFrame:
    """The runs of every condition, of one n, size and recipe each."""
    mine = noise_levels(_with(runs, [MEAN]))
    mine = mine.assign(**{name: float("nan") for name in columns if name not in mine})
    mine = mine[mine.kind.isin(KINDS)].dropna(subset=columns, how="all")
    if mine.empty:
        raise NotEnoughError(f"no finished run has {', '.join(columns)}")
    return one_recipe(mine, swept=["kind", "level"], least=least)
