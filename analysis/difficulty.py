"""A data set compared with the published ones, and the resulting expectations."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from pandas import DataFrame, Series

from analysis.exhibits import NotEnoughError
from analysis.printing.names import data_name
from analysis.published import published
from analysis.statistics.laws import tensors
from analysis.statistics.over_seeds import LEAST
from analysis.statistics.properties import ONE_SET, dataset_properties, draws_of, neighbours_in
from datamodules.source_images import SourceImages
from metrics.functional.estimate import Estimate
from metrics.functional.predict_line import predict_line
from metrics.functional.required_samples import required_samples
from metrics.functional.scaling_law import ScalingLawFit, fit_scaling_law
from records.counted import counted

MEDICAL = ("brats", "dbc", "oai", "chexpert", "mura", "rsna_ih_ct", "prostate_mri")
NEIGHBOURS = 20  # of the MLE
PAIRS = 1000  # of different labels, among the 2,000 that published K_F most likely rests on


@dataclass(frozen=True)
class Difficulty:
    """What was measured of one data set."""

    name: str
    domain: str
    n: int  # training images
    shape: str  # "32 x 32 x 1"
    sets: int  # draws of images: seeds, or pairs of classes
    dimension: Estimate  # d, MLE, over new images of the same size: bias is not in it
    half: float  # d from half of the images; NaN: not measured
    by_k: Mapping[int, float]  # d from other numbers of neighbours
    sharpness: Estimate  # K_F in RMS units, over all pairs, or all of different images
    pairs: float  # of different labels that K_F is over
    equal: int = 0  # pairs of equal images with different labels, which K_F leaves out

    @property
    def comparable(self) -> Estimate:
        """K_F at the published number of pairs: a minimum over P pairs goes as P^(-1/d)."""
        factor = (PAIRS / self.pairs) ** (1 / self.dimension.value)
        k = self.sharpness
        return Estimate(*(factor * end for end in (k.value, k.low, k.high)))

    @property
    def penalty(self) -> Estimate:
        """FGSM loss penalty of ResNet-18 at 2/255, by the line through the published sets."""
        x, y = tensors(published_penalties(), "k_f", "value")
        return predict_line(x, y, at=self.comparable.value)

    def needed(self, target: float) -> Estimate:
        """log10 of the training images for a test loss, by law A through the published losses."""
        law = published_law()
        return required_samples(
            target, law.intercept, self.dimension, self.comparable, scatter=law.deviation
        )


def _reasons(runs: DataFrame) -> str:
    """Why the properties were not measured: what the probe noted, one line each."""
    notes = sorted({note for own in runs.notes.dropna() for note in own.split("; ") if note})
    own = [one.partition(": ")[2] for one in notes if one.startswith("dataset_properties")]
    found = [one for one in own if "not measured" in one] or own or notes
    if not found:
        return "; see its log for the reason."
    least = [f"d needs n={NEIGHBOURS + 1} or more: its MLE takes {NEIGHBOURS} neighbours."]
    least *= int(runs.n.max() <= NEIGHBOURS)
    return "\n".join([":", *(f"  {one}" for one in found), *least])


def known_sets() -> DataFrame:
    """The published sets: data, d, k_f (RMS units), domain."""
    columns = {
        short: published(f"data/{quantity}").drop_duplicates("data").set_index("data").value
        for short, quantity in (("d", "d_mle"), ("k_f", "k_f_rms"))
    }
    table = DataFrame(columns).dropna().rename_axis("data").reset_index()
    kinds = dict.fromkeys(MEDICAL, "medical") | {"isic": "ISIC"}
    return table.assign(domain=[kinds.get(name, "natural") for name in table.data])


def published_penalties() -> DataFrame:
    """The published sets with `value`, the FGSM loss penalty of ResNet-18 at 2/255."""
    known = published("test/fgsm_loss_penalty", model="resnet18", level=2).set_index("data")
    return known_sets().set_index("data").join(known.value, how="inner")


def published_law() -> ScalingLawFit:
    """Law A through the losses of Tables 3 to 5: 30 trainings on three data sets."""
    losses = published("test/loss")
    losses = losses[losses.task.isna() | (losses.task == "finding any")]
    points = losses.merge(known_sets()[["data", "d", "k_f"]], on="data")
    loss, n, d, k = tensors(points, "value", "n", "d", "k_f")
    return fit_scaling_law(loss, n, d, k, groups=list(points.data))


def measured(runs: DataFrame) -> Difficulty:
    """The properties of one data set, from finished runs on it."""
    lacking = [
        c for c in ("data/d_mle", "data/k_f_images") if c not in runs or runs[c].isna().all()
    ]
    if lacking:
        raise NotEnoughError(f"no run measured {', '.join(lacking)}{_reasons(runs)}")
    row = dataset_properties(runs).iloc[0]
    last = runs[runs.n == runs.n.max()].dropna(subset=["data/k_f_images"]).iloc[-1]
    sets = runs.drop_duplicates(ONE_SET)
    if row.k_draws:
        equal, sharpness = 0, _estimate(row, "k_f_rms", sets[sets.n == sets.n.max()])
    else:
        equal = int(last["data/k_f_zero_pairs"])
        if math.isnan(last.get("data/k_f_finite", math.nan)):
            raise NotEnoughError(f"{_infinite(equal)}, or leave the images out.")
        sharpness = _of_different_images(last)
    return Difficulty(
        name=data_name(row.data),
        domain=row.domain,
        n=int(row.n),
        shape=f"{last['size']} x {last['size']} x {last.channels}",
        sets=int(row.k_draws or row.d_draws),
        dimension=_estimate(row, "d_mle", sets),
        half=float(last.get("data/d_mle_half", math.nan)),
        by_k={k: float(last[f"data/d_mle@{k}"]) for k in neighbours_in(last.dropna().index)},
        sharpness=sharpness,
        pairs=last["data/k_f_images"] ** 2 / 2 * (1 - 1 / last.classes),
        equal=equal,
    )


def _of_different_images(run: Series) -> Estimate:
    """K_F in RMS units without pairs of equal images."""
    values = run.channels * run["size"] ** 2
    return Estimate(255 * float(run["data/k_f_finite"]) * math.sqrt(values), math.nan, math.nan)


def _infinite(equal: int) -> str:
    pairs = counted(equal, "pair")
    return f"K_F is infinite: {pairs} of equal images with different labels. Correct these labels"


def describe(found: Difficulty, target: float, source: SourceImages | None = None) -> str:
    """The paragraph, and what to keep in mind, as Markdown.

    `target` is the test loss to plan n for, `source` the images that the training set was drawn
    from, if they are known.
    """
    d, k, others = found.dimension, found.comparable, known_sets()
    penalty, needed = found.penalty, found.needed(target)
    several = f"{found.sets} training sets of " if found.sets > 1 else ""
    images = f"{found.n:,} training images, read at {found.shape}"
    if source is not None:
        images = source.describe(found.n, found.shape)
    without = [f"{_infinite(found.equal)}; the K_F below is without them."] * bool(found.equal)
    sentences = (
        f"**{found.name}**: {several}{images}.",
        *without,
        f"Its intrinsic dimension is estimated as d = {_interval(d)}{_bias(found)}:",
        f"{_rank(d.value, others, 'd')}.",
        f"Its label sharpness is K_F = {found.sharpness.value:.3g} in RMS units over",
        f"{found.pairs:,.0f} pairs, about {k.value:.3g} at the published number of pairs:",
        f"{_rank(k.value, others, 'k_f')}.",
        _fragility(penalty, k.value),
        _images(target, needed),
    )
    return f"{' '.join(sentences)}\n\n{caveats()}{CAVEAT_ON_N * needed.known}"


def _fragility(penalty: Estimate, k_f: float) -> str:
    """The sentence on FGSM; an interval that reaches 0 or a factor of ten predicts nothing.

    Nor does the line beyond the sets that it goes through: it is known to hold there only.
    """
    sets = published_penalties()
    known, least, most = sets.value, sets.k_f.min(), sets.k_f.max()
    if not least <= k_f <= most:
        side = "above" if k_f > most else "below"
        return (
            "By how much FGSM at 2/255 raises the test loss of a ResNet-18 trained on it cannot be "
            f"predicted from K_F, which is {side} that of the {len(sets)} published sets "
            f"({least:.3g} to {most:.3g})."
        )
    span = f"{max(penalty.low, 0):.2g} to {max(penalty.high, 0):.2g}"
    line = f"95 % prediction interval of the line through {len(known)} published sets"
    if penalty.low <= 0 or penalty.high > 10 * penalty.low:
        return (
            "By how much FGSM at 2/255 raises the test loss of a ResNet-18 trained on it cannot be "
            f"predicted from K_F: the {line} is {span}, and their losses rose by {known.min():.2g} "
            f"to {known.max():.2g}."
        )
    return (
        "FGSM at 2/255 is expected to raise the test loss of a ResNet-18 trained on it by about "
        f"{penalty.value:.2g} ({line}: {span})."
    )


def _images(target: float, log10: Estimate) -> str:
    """The sentence on n; an interval of more than two powers of ten is no number to plan with."""
    if not log10.known:
        return (
            f"The number of training images for a test loss of {target:g} cannot be estimated: the "
            "law was fitted to three published data sets, too few for an interval."
        )
    span = f"{_count(log10.low)} to {_count(log10.high)}"
    if log10.high - log10.low > 2:
        return (
            f"The number of training images for a test loss of {target:g} does not follow from d "
            f"and K_F alone: the 95 % interval of the law is {span}."
        )
    return (
        f"A test loss of {target:g} needs about {_count(log10.value)} training images by the law "
        f"(95 %: {span})."
    )


CAVEAT_ON_N = """
- n is that of the law through the published losses on three data sets. Its exponent is d: read the
  powers of ten, not the number. Real losses fall faster with n than this law, an upper bound."""


def caveats() -> str:
    """Limits of the numbers, as a Markdown list."""
    return f"""\
- Ranks are rough: d and K_F order data sets within a domain only approximately.
- The interval of d covers sampling error only, not bias. The estimate is too low where images are
  few, and more so the higher d is, so the true dimension may lie far above. If the estimate from
  half of the images, or from more neighbours, is lower, the bias is downwards; its size is unknown.
- Both depend on n: d by how densely the images lie, K_F as n^(2/d). Published d are means over 500
  to 1,750 images, published K_F is of 1,000 images of two classes, most likely over some {PAIRS:,}
  pairs. That all pairs raise it by a factor of (pairs / {PAIRS:,})^(1/d) is a rule of thumb: on
  real knee radiographs it predicts 1.42 and 1.43 was measured, on brain slices 2.0 and 2.6.
- Fragility is read off nine published sets, whose trend is mostly a difference between domains."""


def _rank(value: float, others: DataFrame, column: str) -> str:
    """Its place among the published sets and the nearest of them.

    >>> sets = DataFrame({"data": ["mnist", "svhn", "dbc"], "d": [9.0, 12.0, 17.0]})
    >>> _rank(11.0, sets, "d")
    '2nd lowest of 4, nearest to SVHN (12)'
    >>> _rank(20.0, sets, "d")
    'the highest of 4, nearest to DBC (17)'
    """
    place, count = int((others[column] < value).sum()) + 1, len(others) + 1
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place if place < 4 else 0, "th")
    nearest = others.loc[(others[column] - value).abs().idxmin()]
    rank = {1: "the lowest", count: "the highest"}.get(place, f"{place}{ending} lowest")
    return f"{rank} of {count}, nearest to {data_name(nearest.data)} ({nearest[column]:.3g})"


def _count(log10: float) -> str:
    """A number of images as text, at least one.

    >>> _count(-2.0), _count(3.0), _count(9.26)
    ('1', '1,000', '10^9.3')
    """
    return f"{10 ** max(log10, 0):,.0f}" if log10 < 6 else f"10^{log10:.1f}"


def _interval(estimate: Estimate) -> str:
    if not estimate.known:
        return f"{estimate.value:.3g}"
    return f"{estimate.value:.3g} ({estimate.low:.3g} to {estimate.high:.3g})"


def _bias(found: Difficulty) -> str:
    """What half of the images and other numbers of neighbours read: the way of the bias."""
    others = [] if math.isnan(found.half) else [f"{found.half:.3g} with half the images"]
    others += [f"{d:.3g} with {k} neighbours" for k, d in found.by_k.items()]
    return f", against {', '.join(others)}" if others else ""


def _estimate(row: Series, quantity: str, sets: DataFrame) -> Estimate:
    """A property with its interval, where there is one.

    Over draws it is of the logarithms: that of the values themselves can end below 0. Training sets
    of several sizes of one draw are nested and count as one, their mean.
    """
    values = np.log(sets[f"data/{quantity}"].dropna().astype(float))
    draws = values.groupby(draws_of(sets)).mean()
    if len(draws) >= LEAST:
        logs = Estimate.of_mean(torch.tensor(draws.to_numpy()))
        return Estimate(*(math.exp(end) for end in (logs.value, logs.low, logs.high)))
    value, low, high = (float(row[quantity + end]) for end in ("", "_low", "_high"))
    return Estimate(value, low, high) if low < high else Estimate.unknown(value)
