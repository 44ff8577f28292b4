"""What noise does to the spectra of point Jacobians, and what the spectra look like."""

from collections.abc import Callable
from functools import partial

import torch
from pandas import DataFrame, Series

from analysis.claim import Cell, Claim, Evidence, Range
from analysis.claim_cells import over_seeds_in
from analysis.exhibits import NotEnoughError
from analysis.laws import fraction
from analysis.spectra import KINDS, MEAN, of_kind, with_noise

BY = ["model", "data", "kind", "level"]
TEST_MEAN, LEFT = "test/log_spectrum_mean", "train/left_mass"
TROUGH = "train/spectrum_trough"  # only where the dip test finds two modes at 5 %
R2 = ["train/lognormal_r2", "train/lognormal_r2/left", "train/lognormal_r2/right"]
ALIKE = 0.1  # of E[log sigma]: a tenth in sigma
GAUGE = 0.02  # of the mass of the left mode


def raised_by(runs: DataFrame, kind: str) -> Evidence:
    """E[log sigma] under noise less that without, seed by seed, at every level of noise.

    Raises:
        NotEnoughError: No network was trained both with and without it.
    """
    mine = of_kind(_with(runs, [MEAN]), kind)
    same = ["model", "data", "seed"]
    clean = mine[mine.level == 0].groupby(same)[MEAN].mean().rename("clean").reset_index()
    noisy = mine[mine.level > 0].merge(clean, on=same)
    if noisy.empty:
        raise NotEnoughError(f"no network was trained both with and without {kind}")
    noisy = noisy.assign(added=noisy[MEAN] - noisy.clean)
    return over_seeds_in(noisy, BY, lambda part: part.groupby("seed").added.mean())


def in_every_run(
    runs: DataFrame, columns: list[str], value: Callable[[DataFrame], Series]
) -> Evidence:
    """A number of every trained network with spectra, by seed, in every cell."""
    mine = _spectra(runs, columns)
    mine = mine.assign(value=value(mine))
    return over_seeds_in(mine, BY, lambda part: part.groupby("seed").value.mean())


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
    if lacking := [name for name in columns if name not in mine or mine[name].isna().all()]:
        raise NotEnoughError(f"no finished run has {', '.join(lacking)}")
    return mine.reset_index(drop=True)


def _spectra(runs: DataFrame, columns: list[str]) -> DataFrame:
    mine = with_noise(_with(runs, [MEAN]))
    mine = mine.assign(**{name: float("nan") for name in columns if name not in mine})
    mine = mine[mine.kind.isin(KINDS)].dropna(subset=columns, how="all")
    if mine.empty:
        raise NotEnoughError(f"no finished run has {', '.join(columns)}")
    return mine.reset_index(drop=True)


CLAIMS = (
    Claim(
        name="label_noise",
        statement="Label noise raises the mean log singular value of the trained network.",
        source="Brandao et al. 2023, Sec. 4, first figure",
        statistic="E[log sigma]: with noise less without, in every network, set and level",
        claimed=Range(low=0),
        experiment="brandao2023/label_noise",
        decide=partial(raised_by, kind="label noise"),
    ),
    Claim(
        name="dataset_noise",
        statement="Mixing in images of another set raises the mean log singular value.",
        source="Brandao et al. 2023, Sec. 4, second figure",
        statistic="E[log sigma]: with noise less without, in every network, set and level",
        claimed=Range(low=0),
        experiment="brandao2023/dataset_noise",
        decide=partial(raised_by, kind="dataset noise"),
    ),
    Claim(
        name="two_modes",
        statement="Spectra of trained networks have two modes.",
        source="Brandao et al. 2023, Sec. 4; appendix, Figs. 3 to 11",
        statistic="share of networks with two modes by the dip test at 5 %; most means over half",
        claimed=Range(low=0.5),
        experiment="brandao2023/label_noise",
        decide=two_modes,
    ),
    Claim(
        name="lognormal_modes",
        statement="Each mode is close to a lognormal distribution.",
        source="Brandao et al. 2023, Sec. 4; appendix, probability plots",
        statistic="smallest R^2 of the probability plots of the modes; close means above 0.95",
        claimed=Range(low=0.95),
        experiment="brandao2023/label_noise",
        decide=partial(in_every_run, columns=R2, value=lambda mine: mine[R2].min(axis=1)),
    ),
    Claim(
        name="train_and_test_spectra",
        statement="Training and test images have the same spectra.",
        source="Brandao et al. 2023, appendix, Figs. 3 to 11",
        statistic="E[log sigma]: test less training images; the same means within 0.1",
        claimed=Range(-ALIKE, ALIKE),
        experiment="brandao2023/label_noise",
        decide=partial(
            in_every_run, columns=[TEST_MEAN], value=lambda mine: mine[TEST_MEAN] - mine[MEAN]
        ),
    ),
    Claim(
        name="gauge",
        statement="The left mode is the one direction of the logits that softmax ignores (ours).",
        source="not in Brandao et al. 2023; docs/brandao2023.md",
        statistic="mass of the left mode less 1/C; equal means within 0.02",
        claimed=Range(-GAUGE, GAUGE),
        experiment="brandao2023/label_noise",
        decide=partial(
            in_every_run, columns=[LEFT], value=lambda mine: mine[LEFT] - 1 / mine.classes
        ),
    ),
)
