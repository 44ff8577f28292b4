"""How much the split into two modes depends on how it is made.

Reading it: the paper splits at the first deepest trough and gives neither bins nor smoothing. Here
the mass of the left mode for half, once and twice the usual bandwidth, and for peaks that stand
out by 2, 5 and 10 % of the highest; 0 where that finds one mode. Where a row is not constant, the
two modes of that network are a matter of choice. `two modes` is the share of seeds in
which the dip test finds two modes at all, however they are split, and `dip` the smallest dip of a
seed, about half the mass of a left mode that stands apart. Training images at overfit, means over
seeds; `spread` is the largest less the smallest.
"""

import torch
from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.spectra import KINDS, moments, with_noise
from metrics.functional.split_spectrum import split_spectrum

source = "Brandao et al. 2023, section 1.5"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/label_noise"
BANDWIDTHS = (0.5, 1.0, 2.0)  # of Silverman's
PROMINENCES = (0.02, 0.05, 0.1)


def build(runs: DataFrame) -> DataFrame:
    """One row per data set, network and level of noise; one column per way to split."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)]
    rows = [row for _, run in mine.iterrows() if (row := _masses(run))]
    if not rows:
        raise NotEnoughError("no run kept its singular values")
    by = ["data", "model", "kind", "level"]
    grouped = DataFrame(rows).groupby(by, sort=True)
    table = grouped.mean().drop(columns=["dip", "two modes"])
    table["spread"] = table.max(axis=1) - table.min(axis=1)
    table["two modes"], table["dip"] = grouped["two modes"].mean(), grouped["dip"].min()
    table.insert(0, "runs", grouped.size())
    return table.reset_index()


def _masses(run: Series) -> dict[str, object]:
    last = moments(run, last=True)
    if not last:
        return {}
    row: dict[str, object] = {name: run[name] for name in ("data", "model", "kind", "level")}
    log_sigma: torch.Tensor = last[0].spectrum.log_sigma
    usual = last[0].spectrum.split.bandwidth
    split = last[0].spectrum.split
    row |= {"two modes": float(split.trough is not None), "dip": split.dip}
    for factor in BANDWIDTHS:
        for prominence in PROMINENCES:
            split = split_spectrum(
                log_sigma, bandwidth=factor * usual, prominence=prominence, level=1
            )
            row[f"h x {factor:g}, {prominence:.0%}"] = split.left_mass
    return row
