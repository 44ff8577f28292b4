"""The list of measured quantities: name, title, and section of the report.

A name is `stage/quantity[/layer][@parameter]`, the same in the record, metrics.csv, W&B and the
analysis. A number that is not in this list is shown by its name, in the section of its stage.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """One measured number, or a family of them.

    `name` is a pattern: `<layer>`, `<mode>`, `<metric>`, `<way>` and `<probe>` stand for a word,
    `<k>` for a number, `<stage>` for `train` or `test`; parts in brackets are optional. With
    `interval` there are also `_low` and `_high`, with `counts` numbers with these suffixes.
    """

    name: str
    title: str
    section: str
    interval: bool = False
    counts: tuple[str, ...] = ()
    main: bool = False  # shown in tables of runs

    def matches(self, name: str, itself: bool = False) -> bool:
        """Whether a logged name is this quantity; unless `itself`, also its interval and counts.

        >>> find("train/d_repr_mle/penultimate").matches("train/d_repr_mle_low/penultimate")
        True
        """
        return re.fullmatch(self.pattern(itself), name) is not None

    def pattern(self, itself: bool = False) -> str:
        """Its names as a regular expression."""
        ends = [*(["_low", "_high"] if self.interval else []), *self.counts]
        suffix = "" if itself or not ends else f"(?:{'|'.join(ends)})?"
        head, tail = re.fullmatch(r"([^/]+/[^/@[]+)(.*)", self.name).groups()  # type: ignore[union-attr]
        pattern = head + suffix + tail.replace("[", "(?:").replace("]", ")?")
        pattern = pattern.replace("<stage>", "(?:train|test)").replace("<k>", "[0-9.]+")
        return re.sub("<[a-z]+>", "[^/@]+", pattern)


LEFT_OUT = ("_dropped", "_zeros")
OF_MLE = ("_half", *LEFT_OUT)
ABOUT = {
    "_low": "lower end of the 95 % interval",
    "_high": "upper end of the 95 % interval",
    "_half": "from half of the points",
    "_dropped": "points left out",
    "_zeros": "zero distances",
    "_se": "standard error",
    "_error": "standard error",
    "_raw": "with its noise left in",
    "_predicted": "predicted",
    "_sharp": "by the sharper bound",
}
QUANTITIES = (
    Quantity("data/d_mle", "intrinsic dimension of the images, MLE", "Data", True, OF_MLE, True),
    Quantity("data/d_twonn", "intrinsic dimension of the images, TwoNN", "Data", False, LEFT_OUT),
    Quantity("data/d_mle@<k>", "the same from k neighbours", "Data"),
    Quantity("data/k_f", "label sharpness K_F, per grey level", "Data", True, main=True),
    Quantity("data/k_f_rms", "label sharpness K_F, free of unit and size", "Data", main=True),
    Quantity("data/k_f_finite", "K_F without pairs of equal images", "Data"),
    Quantity("data/k_f_between_groups", "K_F without pairs of one patient", "Data"),
    Quantity("data/k_f_zero_pairs", "pairs of equal images with different labels", "Data"),
    Quantity("data/k_f_images", "images of a draw of K_F", "Data"),
    Quantity("validation/loss", "loss on the images set aside", "Validation"),
    Quantity("validation/<score>", "a score on the images set aside, as on test images",
             "Validation"),
    Quantity("<stage>/loss", "loss in eval mode", "Training", main=True),
    Quantity("<stage>/accuracy", "accuracy in eval mode", "Training", True, main=True),
    Quantity("test/chance_accuracy", "accuracy up to which it may be chance", "Training"),
    Quantity("test/auroc", "area under the ROC curve", "Classification", True, main=True),
    Quantity("test/balanced_accuracy", "mean accuracy over classes", "Classification", True),
    Quantity("test/sensitivity", "recall of the positive class, or mean over classes",
             "Classification", True),
    Quantity("test/specificity", "recall of the other classes", "Classification", True),
    Quantity("test/f1", "F1 score", "Classification", True),
    Quantity("test/calibration_error", "expected calibration error, 15 bins", "Classification"),
    Quantity("train/running_loss", "mean training loss over the epoch", "Training"),
    Quantity("train/running_accuracy", "training accuracy over the epoch", "Training"),
    Quantity("train/loss_clean", "training loss of true labels", "Label fit"),
    Quantity("train/loss_corrupted", "training loss of corrupted labels", "Label fit"),
    Quantity("train/accuracy_clean", "training accuracy of true labels", "Label fit"),
    Quantity("train/accuracy_corrupted", "training accuracy of corrupted labels", "Label fit"),
    Quantity("train/accuracy_recovered", "corrupted labels: clean label predicted", "Label fit"),
    Quantity("train/d_repr_mle/<layer>", "dimension of a hidden layer, MLE", "Representation",
             True, OF_MLE),
    Quantity("train/d_repr_twonn/<layer>", "dimension of a hidden layer, TwoNN", "Representation",
             False, LEFT_OUT, True),
    Quantity("test/fgsm_loss_penalty@<k>", "loss added by FGSM at k/255", "Attacks", main=True),
    Quantity("test/fgsm_accuracy_penalty@<k>", "accuracy lost to FGSM at k/255", "Attacks"),
    Quantity("test/fgsm_zero_gradients", "images with a zero gradient", "Attacks"),
    Quantity("geometry/velocity", "velocity of G^t, 1 - Corr(G^t, G^t-1)", "Geometry", main=True),
    Quantity("geometry/corr_s", "correlation of G^t with the images' covariance S", "Geometry"),
    Quantity("geometry/corr_gsg", "correlation of G^t with G_F S G_F", "Geometry", True),
    Quantity("geometry/g_f_error", "split-half error of G_F", "Geometry"),
    Quantity("geometry/error", "split-half error of G^t over an ensemble", "Geometry"),
    Quantity("geometry/g_f_participation", "participation ratio of G_F", "Geometry"),
    Quantity("geometry/g_f_flat", "correlation of G_F with the identity", "Geometry"),
    Quantity("geometry/delta_corr_s", "correlation of the evolution with S", "Geometry",
             counts=("_error", "_raw", "_predicted")),
    Quantity("geometry/delta_corr_gsg", "correlation of the evolution with G_F S G_F", "Geometry",
             counts=("_error", "_raw", "_predicted")),
    Quantity("boundary/agreement", "share of the plane on which all members agree", "Geometry"),
    Quantity("boundary/accuracy_spread", "deviation of accuracy over members", "Geometry"),
    Quantity("<stage>/log_spectrum_mean[@<way>]", "mean log singular value", "Spectra", main=True,
             counts=("_se",)),
    Quantity("<stage>/log_spectrum_mean/<mode>[@<way>]", "mean log value of a mode", "Spectra"),
    Quantity("<stage>/log_spectrum_zeros[@<way>]", "singular values that are zero", "Spectra"),
    Quantity("<stage>/spectrum_peaks[@<way>]", "modes of the spectrum", "Spectra"),
    Quantity("<stage>/spectrum_dip[@<way>]", "distance of the spectrum from one mode", "Spectra"),
    Quantity("<stage>/spectrum_trough[@<way>]", "log value between the modes", "Spectra"),
    Quantity("<stage>/left_mass[@<way>]", "share of values in the left mode", "Spectra"),
    Quantity("<stage>/lognormal_r2[@<way>]", "fit of a lognormal law to the spectrum", "Spectra"),
    Quantity("<stage>/lognormal_r2/<mode>[@<way>]", "fit of a lognormal law to a mode", "Spectra"),
    Quantity("<stage>/cra@<k>", "certified robust accuracy at k/255", "Certificates", True,
             main=True),
    Quantity("test/cra_estimate@<k>", "the same as published, no guarantee", "Certificates"),
    Quantity("<stage>/mean_margin", "mean margin, a certified radius", "Certificates"),
    Quantity("<stage>/median_margin", "median margin", "Certificates"),
    Quantity("<stage>/undefined", "images without a margin", "Certificates"),
    Quantity("test/smoothed_accuracy", "accuracy of the smoothed network", "Certificates"),
    Quantity("test/smoothed_abstained", "images on which it abstains", "Certificates"),
    Quantity("test/smoothed_images", "test images that smoothing certifies", "Certificates"),
    Quantity("test/smoothed_median_radius", "its median radius", "Certificates"),
    Quantity("data/d_star/<metric>", "d*, by nearest neighbours", "Neighbours", False,
             ("_linear",), True),
    Quantity("data/nearest_mean/<metric>", "mean distance to the nearest image", "Neighbours"),
    Quantity("data/nearest_median/<metric>", "median distance to the nearest image", "Neighbours"),
    Quantity("data/log10_n_at_1/<metric>", "log10 of the images for a distance of 1", "Neighbours"),
    Quantity("data/nn_accuracy", "accuracy of the nearest neighbour", "Neighbours"),
    Quantity("data/nn_cra@<k>", "its certified accuracy at k/255", "Neighbours",
             counts=("_sharp",)),
    Quantity("data/nn_median_radius", "its median certified radius", "Neighbours"),
    Quantity("data/nn_median_sharp_radius", "the same by the sharper bound", "Neighbours"),
    Quantity("data/nn_unseen", "test images of a class that is not in training", "Neighbours"),
    Quantity("data/variance", "total variance of the images", "Data"),
    Quantity("time/<probe>", "seconds", "Time"),
)  # fmt: skip


def find(name: str) -> Quantity | None:
    """The quantity of a logged name; None if it is not in the list.

    >>> find("test/cra@36").title
    'certified robust accuracy at k/255'
    >>> find("data/brightness") is None
    True
    """
    return next((quantity for quantity in QUANTITIES if quantity.matches(name)), None)


def describe(name: str) -> str:
    """The title of a logged name, with the meaning of its suffix; "" if it is unknown.

    >>> describe("data/d_mle_low")
    'intrinsic dimension of the images, MLE: lower end of the 95 % interval'
    """
    known = find(name)
    if known is None or known.matches(name, itself=True):
        return known.title if known else ""
    ends = [end for end in ABOUT if re.sub(rf"{end}(?=/|@|$)", "", name, count=1) != name]
    return f"{known.title}: {ABOUT[ends[0]]}" if ends else known.title


def main_names(names: list[str]) -> list[str]:
    """The main names among logged ones, in the order of the list: one per quantity.

    >>> main_names(["test/loss", "time/train", "test/cra@72", "test/cra@36", "data/d_mle_low"])
    ['test/loss', 'test/cra@36']
    """
    chosen = []
    for quantity in QUANTITIES:
        own = [name for name in names if quantity.main and quantity.matches(name, itself=True)]
        tested = [name for name in own if name.startswith("test/")]
        chosen += sorted(tested or own, key=_parameter)[:1]
    return chosen


def in_order(names: Iterable[str]) -> list[str]:
    """Names by alphabet, those of one quantity by the number after @.

    >>> in_order(["test/cra@108", "test/cra@36", "test/accuracy"])
    ['test/accuracy', 'test/cra@36', 'test/cra@108']
    """
    return sorted(names, key=lambda name: (name.partition("@")[0], *_parameter(name)))


def _parameter(name: str) -> tuple[bool, float, str]:
    """Sort key: without parameter first, then by its number, then by its text."""
    text = name.partition("@")[2]
    is_number = text.replace(".", "", 1).isdigit()
    return (bool(text) and not is_number, float(text) if is_number else 0.0, name)
