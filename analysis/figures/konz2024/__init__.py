"""Figures of Konz & Mazurowski 2024 without separate code."""

from functools import partial

from analysis.attacks import penalty_panels
from analysis.bars import data_properties
from analysis.bound import bound_panels
from analysis.exhibits import Exhibit
from analysis.figures.konz2024 import gen_ddata
from analysis.panels import model_panels

listed = partial(Exhibit, paper="konz2024", kind="figures")
BOUND = (
    "Reading it: points below the dashed diagonal have d_repr <= d_data, which the paper's Theorem "
    "5 expects of every trained network. Estimators are biased low, and more so for high "
    "dimensions, on either axis: the table of shares gives the fraction below the diagonal with "
    "its interval."
)
EXHIBITS = (
    listed(
        name="props",
        title="Intrinsic dimension and label sharpness of every data set",
        source="Konz & Mazurowski 2024, Fig. 1",
        requires=("data/d_mle", "data/k_f"),
        experiment="konz2024/generalization",
        maker=data_properties,
        reading=(
            "Reading it: a high dimension means that more images are needed for the same loss; a "
            "high K_F that images of different labels lie close together, so that a network must "
            "bend more between them. Bars are 95 % intervals: of d over training set sizes and "
            "class pairs, of K_F at the largest n, over class pairs, or over draws where there is "
            "one pair; in brackets the number of training sets. K_F in pixel units depends on "
            "image size and channels; in RMS units (times sqrt(D), range 1) it does not, and only "
            "there are diamonds, the published values, comparable at any size."
        ),
    ),
    listed(
        name="isic_props",
        title="Intrinsic dimension and label sharpness with ISIC as a third domain",
        source="Konz & Mazurowski 2024, Fig. 9; App. C.2",
        requires=("data/d_mle", "data/k_f"),
        experiment="konz2024/isic",
        maker=partial(data_properties, isic=True),
        reading=(
            "Reading it: as the first figure, with ISIC on the right. The paper finds d of about "
            "12 and K_F of about 1e-4, between natural and radiological images; RMS units take the "
            "factor sqrt(3) of colour out."
        ),
    ),
    listed(
        name="isic_gen",
        title="Test loss against the intrinsic dimension of the training images, with ISIC",
        source="Konz & Mazurowski 2024, Fig. 10",
        requires=("data/d_mle", "test/loss"),
        experiment="konz2024/isic",
        maker=partial(gen_ddata.draw, isic=True),
        reading=(
            "Reading it: as the figure without ISIC, whose points (triangles) the paper finds "
            "between the two domains for every network. The dashed law is fitted without ISIC: its "
            "distance from the curves is how well the law carries over to a domain it has not "
            "seen."
        ),
    ),
    listed(
        name="acc_ddata",
        title="Test accuracy against the intrinsic dimension of the training images",
        source="Konz & Mazurowski 2024, Fig. 14",
        requires=("data/d_mle", "test/accuracy"),
        experiment="konz2024/generalization",
        maker=partial(model_panels, x="data/d_mle", ys=["test/accuracy"]),
        reading=(
            "Reading it: accuracy should fall with d_data within a domain. It is bounded by 1, so "
            "easy sets crowd at the top, where the loss still distinguishes them."
        ),
    ),
    listed(
        name="acc_drepr",
        title="Test accuracy against the intrinsic dimension of the learned representation",
        source="Konz & Mazurowski 2024, Fig. 17",
        requires=("train/d_repr_twonn", "test/accuracy"),
        experiment="konz2024/generalization",
        maker=partial(model_panels, x="train/d_repr_twonn", ys=["test/accuracy"]),
        reading="Reading it: accuracy should fall as d_repr grows.",
    ),
    listed(
        name="gen_ddata_twonn",
        title="Test loss and accuracy against the TwoNN dimension of the training images",
        source="Konz & Mazurowski 2024, Figs. 15, 16",
        requires=("data/d_twonn", "test/loss", "test/accuracy"),
        experiment="konz2024/generalization",
        maker=partial(model_panels, x="data/d_twonn", ys=["test/loss", "test/accuracy"]),
        reading=(
            "Reading it: the same claim by another estimator. TwoNN looks at two neighbours only, "
            "so it is larger and noisier than the MLE; a trend seen with one and not with the "
            "other is not a finding."
        ),
    ),
    listed(
        name="gen_drepr",
        title="Test loss against the intrinsic dimension of the learned representation",
        source="Konz & Mazurowski 2024, Fig. 4",
        requires=("train/d_repr_twonn", "test/loss"),
        experiment="konz2024/generalization",
        maker=partial(model_panels, x="train/d_repr_twonn", ys=["test/loss"]),
        reading=(
            "Reading it: the law of representations expects log L to rise with d_repr, with no "
            "difference between domains left but the one in d_repr."
        ),
    ),
    listed(
        name="gen_drepr_mle",
        title="Test loss and accuracy against the MLE dimension of the learned representation",
        source="Konz & Mazurowski 2024, Figs. 18, 19",
        requires=("train/d_repr_mle", "test/loss", "test/accuracy"),
        experiment="konz2024/generalization",
        maker=partial(model_panels, x="train/d_repr_mle", ys=["test/loss", "test/accuracy"]),
        reading="Reading it: the same claim by another estimator of d_repr.",
    ),
    listed(
        name="bound",
        title="Dimension of the learned representation against that of the training images (MLE)",
        source="Konz & Mazurowski 2024, Fig. 5",
        requires=("data/d_mle", "train/d_repr_mle"),
        experiment="konz2024/generalization",
        maker=partial(bound_panels, estimator="mle"),
        reading=BOUND,
    ),
    listed(
        name="bound_twonn",
        title="Dimension of the learned representation against that of the training images (TwoNN)",
        source="Konz & Mazurowski 2024, Fig. 20",
        requires=("data/d_twonn", "train/d_repr_twonn"),
        experiment="konz2024/generalization",
        maker=partial(bound_panels, estimator="twonn"),
        reading=BOUND,
    ),
    listed(
        name="adv_loss",
        title="FGSM loss penalty against label sharpness, eps = 2/255",
        source="Konz & Mazurowski 2024, Fig. 3",
        requires=("data/k_f", "test/fgsm_loss_penalty@2"),
        experiment="konz2024/generalization",
        maker=partial(penalty_panels, penalty="loss", levels=[2]),
        reading=(
            "Reading it: the theorem expects fragile networks (a large penalty) on sharply "
            "labelled data (a large K_F). r is over single runs, with its interval over data sets; "
            "a pooled r can be a mere difference between the two domains, which the table of "
            "correlations takes apart."
        ),
    ),
    listed(
        name="adv_loss_eps",
        title="FGSM loss penalty against label sharpness, other attack sizes",
        source="Konz & Mazurowski 2024, Figs. 21 to 23",
        requires=("data/k_f", "test/loss"),
        experiment="konz2024/generalization",
        maker=partial(penalty_panels, penalty="loss", levels=[1, 4, 8]),
        reading=(
            "Reading it: as for eps = 2/255; one row per attack size. The claim should not depend "
            "on it."
        ),
    ),
    listed(
        name="adv_acc",
        title="FGSM accuracy penalty against label sharpness",
        source="Konz & Mazurowski 2024, Figs. 24 to 27",
        requires=("data/k_f", "test/accuracy"),
        experiment="konz2024/generalization",
        maker=partial(penalty_panels, penalty="accuracy", levels=[1, 2, 4, 8]),
        reading=(
            "Reading it: as for the loss; one row per attack size. Accuracy cannot fall below 0, "
            "so the penalty saturates on sets that lose everything at small eps."
        ),
    ),
    listed(
        name="isic_adv",
        title="FGSM loss penalty against label sharpness, with ISIC",
        source="Konz & Mazurowski 2024, Fig. 11",
        requires=("data/k_f", "test/fgsm_loss_penalty@2"),
        experiment="konz2024/isic",
        maker=partial(penalty_panels, penalty="loss", levels=[2], isic=True),
        reading=(
            "Reading it: as the figure without ISIC, which is drawn as triangles and left out of "
            "line and r."
        ),
    ),
)
