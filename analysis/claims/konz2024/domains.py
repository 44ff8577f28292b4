"""What distinguishes medical from natural images: one value per data set, Welch's interval."""

from functools import partial

import numpy as np
import torch
from pandas import DataFrame

from analysis.claim import Cell, Claim, Evidence, Range
from analysis.exhibits import NotEnoughError
from analysis.grid import main_view, trained_view
from analysis.names import model_name
from metrics.functional.clusters import LEAST_CLUSTERS
from metrics.functional.estimate import Estimate
from metrics.functional.mean_difference import mean_difference

DOMAINS = ("medical", "natural")


def of_data(runs: DataFrame, column: str) -> Evidence:
    """Ratio of the geometric means of a property of the images, medical over natural."""
    sets = per_set(main_view(runs), column)
    return Evidence({"": _contrast(sets, column, log=True)}, "data set", sets)


def of_networks(runs: DataFrame, column: str, log: bool = True) -> Evidence:
    """The same of a number of trained networks, for each network; a difference without `log`."""
    view = trained_view(runs)
    cells = {}
    for model, part in view.groupby("model"):
        try:
            sets = per_set(part, column, log)
        except NotEnoughError:
            continue
        cells[model_name(str(model))] = _contrast(sets, column, log)
    if not cells:
        raise NotEnoughError(_too_few(column))
    return Evidence(cells, "data set", view)


def per_set(runs: DataFrame, column: str, log: bool = True) -> DataFrame:
    """The runs at the n that most data sets have, of both domains, positive if logs are taken.

    Raises:
        NotEnoughError: A domain has fewer than four data sets.
    """
    if column not in runs:
        raise NotEnoughError(f"no finished run has {column}")
    usable = runs[runs.domain.isin(DOMAINS)].dropna(subset=[column])
    usable = usable[usable[column] > 0] if log else usable
    if usable.empty:
        raise NotEnoughError(_too_few(column))
    sets = usable.groupby("n").data.nunique()
    here = usable[usable.n == sets[sets == sets.max()].index.max()]
    counts = here.groupby("domain").data.nunique()
    if min(counts.get(domain, 0) for domain in DOMAINS) < LEAST_CLUSTERS:
        raise NotEnoughError(_too_few(column))
    return here.reset_index(drop=True)


def _too_few(column: str) -> str:
    return f"{column}: fewer than {LEAST_CLUSTERS} medical or natural sets of one n"


def _contrast(sets: DataFrame, column: str, log: bool) -> Cell:
    """Medical less natural, of the means of the data sets; of logarithms the ratio."""
    values = np.log(sets[column]) if log else sets[column]
    means = sets.assign(y=values).groupby(["domain", "data"]).y.mean()
    medical, natural = (torch.tensor(means[domain].to_numpy(float)) for domain in DOMAINS)

    def at(confidence: float) -> Estimate:
        return mean_difference(medical, natural, confidence)

    cell = Cell(at, len(means))
    return cell.exp() if log else cell


EQUAL = 1.5  # a factor of d that a reader of Fig. 1 would call no difference
CLAIMS = (
    Claim(
        name="k_f_medical",
        statement="Medical image sets have a larger label sharpness K_F than natural ones.",
        source="Konz & Mazurowski 2024, Fig. 1 and Sec. 3.2",
        statistic="K_F in RMS units (free of size and channels): medical over natural",
        claimed=Range(low=1),
        experiment="konz2024/real_sets_properties",
        decide=partial(of_data, column="data/k_f_rms"),
        published="2.5; 1.7 in RMS units",
    ),
    Claim(
        name="d_data_equal",
        statement="Medical and natural image sets do not differ in intrinsic dimension d_data.",
        source="Konz & Mazurowski 2024, Fig. 1 and Sec. 3.2",
        statistic="d (MLE): medical over natural; equal means within a factor of 1.5",
        claimed=Range(1 / EQUAL, EQUAL),
        experiment="konz2024/real_sets_properties",
        decide=partial(of_data, column="data/d_mle"),
        published="0.8",
    ),
    Claim(
        name="loss_medical",
        statement="At equal n, networks have a larger test loss on medical than on natural images.",
        source="Konz & Mazurowski 2024, Fig. 2 and Sec. 5",
        statistic="test loss: medical over natural, in every network",
        claimed=Range(low=1),
        experiment="konz2024/real_sets",
        decide=partial(of_networks, column="test/loss"),
    ),
    Claim(
        name="penalty_medical",
        statement="Networks are more vulnerable to attacks on medical than on natural images.",
        source="Konz & Mazurowski 2024, Fig. 3 and Sec. 6",
        statistic="FGSM loss penalty at 2/255: medical less natural, in every network",
        claimed=Range(low=0),
        experiment="konz2024/real_sets",
        decide=partial(of_networks, column="test/fgsm_loss_penalty@2", log=False),
    ),
)
