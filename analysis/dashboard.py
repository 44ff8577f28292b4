"""What a dashboard shows, in which sections: plain data, from the one list of metric names."""

from dataclasses import dataclass, field

from records.quantities import QUANTITIES, Quantity

# Runs that agree in all of these differ in their seed alone: a dashboard shows their mean.
GROUPING = ("Group", "data.domain", "data.name", "model.name", "n")  # Group: the sweep
COLUMNS = ("data/d_mle", "data/k_f_rms", "test/loss", "test/accuracy", "test/fgsm_loss_penalty@1")
TIME = "Time"


@dataclass(frozen=True)
class Curve:
    """A quantity over epochs; `pattern` selects all names of its family."""

    title: str
    pattern: str


@dataclass(frozen=True)
class Bars:
    """A number that is measured once, before training: a bar per group of runs."""

    title: str
    name: str


@dataclass(frozen=True)
class Scatter:
    """One final number against another, a point per run or group of runs."""

    title: str
    x: str
    y: str
    log_y: bool = False


@dataclass(frozen=True)
class Pictures:
    """Images that probes draw, by the names they are logged under."""

    title: str
    names: tuple[str, ...]


Chart = Curve | Bars | Scatter | Pictures


@dataclass(frozen=True)
class Section:
    """Charts of one kind of quantity, and how to read them."""

    name: str
    charts: tuple[Chart, ...] = field(default=())
    reading: str = ""


# What no single quantity shows: two against each other, and pictures. They come first.
RELATIONS: dict[str, tuple[Chart, ...]] = {
    "Data": (
        Scatter("K_F against d_data, by domain", "data/d_mle", "data/k_f_rms"),
        Pictures("closest pair of different labels", ("data/closest_pair",)),
    ),
    "Training": (
        Pictures("course of the run", ("course",)),
        Scatter("test loss against d_data, by domain", "data/d_mle", "test/loss", log_y=True),
        Scatter("test accuracy against d_data, by domain", "data/d_mle", "test/accuracy"),
    ),
    "Representation": (
        Scatter("d_repr against d_data", "data/d_mle", "train/d_repr_twonn/penultimate"),
        Scatter("test loss against d_repr", "train/d_repr_twonn/penultimate", "test/loss", True),
    ),
    "Attacks": (
        Scatter("FGSM penalty at 1/255 against K_F", "data/k_f", "test/fgsm_loss_penalty@1"),
        Pictures("clean and attacked images", ("test/fgsm_examples",)),
    ),
    "Spectra": (
        Pictures("histograms, probability plots", ("spectrum/histogram", "spectrum/probability")),
        Scatter("mean log spectrum, train and test", "train/log_spectrum_mean",
                "test/log_spectrum_mean"),
    ),
    "Certificates": (Pictures("certified accuracy by radius", ("test/certified_curve",)),),
    "Classification": (Pictures("confusion matrix", ("test/confusion",)),),
    "Neighbours": (Pictures("nearest distance against n", ("data/neighbour_scaling",)),),
}  # fmt: skip
DURING = "During training"
LEAD = (  # what the network's representation, geometry, robustness and spectrum do as it trains
    "train/d_repr_mle/<layer>",
    "geometry/velocity",
    "test/fgsm_loss_penalty@<k>",
    "<stage>/log_spectrum_mean[@<way>]",
)
READING = {
    DURING: "Over epochs, each on the same images throughout: the dimension of the representation, "
    "the velocity of the input-space geometry, the FGSM penalty and the mean log spectrum.",
    "Data": "Before training. With a higher d_data more images are needed; a higher K_F means that "
    "close images have different labels. Compare K_F where data/k_f_images is equal.",
    "Training": "The scaling laws predict that log loss rises with d_data within a domain.",
    "Validation": "Images set aside of the training set: the network and the last epoch are chosen "
    "by these numbers, so they are better than on other images like them.",
    "Label fit": "If corrupted labels are fitted last, clean labels are learned before noise.",
    "Representation": "A representation usually has a lower dimension than the images; otherwise "
    "it has not discarded what the labels do not depend on.",
    "Attacks": "Loss and accuracy lost by a change of k grey levels; predicted to rise with K_F.",
    "Geometry": "The velocity falls as the input-space geometry stops changing; corr_gsg above "
    "corr_s means that the architecture's geometry influences it.",
    "Spectra": "The further left the left mode, the more directions the network ignores.",
    "Certificates": "The share of images that are classified correctly and whose class provably "
    "stays the same under every change within an L2 radius.",
    "Classification": "Scores of the test set with 95 % intervals over patients, else over images.",
    "Neighbours": "With a high d*, more images hardly reduce the distance to the nearest one.",
    TIME: "What each probe costs, in seconds.",
}


def sections() -> list[Section]:
    """The quantities of training, then one section per kind of quantity in the list's order.

    >>> [section.name for section in sections()][:3]
    ['During training', 'Data', 'Validation']
    """
    names = dict.fromkeys(quantity.section for quantity in QUANTITIES)
    own = {name: [chart(one) for one in QUANTITIES if one.section == name] for name in names}
    lead = tuple(chart(one) for name in LEAD for one in QUANTITIES if one.name == name)
    rest = [Section(n, (*RELATIONS.get(n, ()), *own[n]), READING[n]) for n in names]
    return [Section(DURING, lead, READING[DURING]), *rest]


def chart(quantity: Quantity) -> Chart:
    """The chart of a quantity and all of its family.

    >>> chart(next(q for q in QUANTITIES if q.name == "test/cra_estimate@<k>")).pattern
    '^test/cra_estimate@[0-9.]+$'
    """
    if quantity.name.startswith("data/") and "<" not in quantity.name:
        return Bars(quantity.title, quantity.name)
    return Curve(quantity.title, f"^{quantity.pattern(itself=True)}$")
