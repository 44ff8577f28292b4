"""Figures of Brandao et al. 2023 without separate code."""

from functools import partial

from analysis.exhibits import Exhibit
from analysis.full_spectra import full_spectra
from analysis.triplets import triplets

listed = partial(Exhibit, paper="brandao2023", kind="figures")
MODES = (
    "Reading it: each triplet is one network after one epoch: its left mode, its right mode, each "
    "with the lognormal law that fits best, and the probability plot of both, straight where a "
    "mode is lognormal. Over it: accuracy and E[log sigma], natural logarithm, of the training "
    "images. A left mode of 1/C of the values is the direction that softmax ignores. First seed of "
    "each."
)
SPECTRA = (
    "Reading it: rows are epochs, from the first to overfit; for each level of label noise the "
    "left column is of training images, the right of test images, with one scale a column. The "
    "paper finds train and test alike, the shape hardly changed by noise, and the mean raised by "
    "it. A high peak at small values early means predictions that keep close to those of the "
    "training images."
)
EXHIBITS = (
    listed(
        name="modes_label_noise",
        title="Modes of the point-Jacobian spectrum under label noise",
        source="Brandao et al. 2023, main text; as appendix Fig. 1",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/label_noise",
        maker=partial(triplets, kind="label noise"),
        reading=MODES,
    ),
    listed(
        name="modes_label_noise_mnist",
        title="Modes of the point-Jacobian spectrum under label noise, MNIST",
        source="Brandao et al. 2023, appendix Fig. 1",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/label_noise_mnist",
        maker=partial(triplets, kind="label noise", mnist=True),
        reading=MODES,
    ),
    listed(
        name="modes_dataset_noise",
        title="Modes of the point-Jacobian spectrum under noise from a second data set",
        source="Brandao et al. 2023, main text; as appendix Fig. 2",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/dataset_noise",
        maker=partial(triplets, kind="dataset noise"),
        reading=MODES,
    ),
    listed(
        name="modes_dataset_noise_mnist",
        title="Modes of the point-Jacobian spectrum under noise from a second data set, MNIST",
        source="Brandao et al. 2023, appendix Fig. 2",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/dataset_noise_mnist",
        maker=partial(triplets, kind="dataset noise", mnist=True),
        reading=MODES,
    ),
    listed(
        name="spectra_mlp",
        title="Full point-Jacobian spectra of the MLP through training",
        source="Brandao et al. 2023, appendix Figs. 3 to 5",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/label_noise",
        maker=partial(full_spectra, models=("mlp_1x512", "mlp_3x512")),
        reading=SPECTRA,
    ),
    listed(
        name="spectra_alexnet",
        title="Full point-Jacobian spectra of the small AlexNet through training",
        source="Brandao et al. 2023, appendix Figs. 6 to 8",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/label_noise",
        maker=partial(full_spectra, models=("small_alexnet",)),
        reading=SPECTRA,
    ),
    listed(
        name="spectra_inception",
        title="Full point-Jacobian spectra of the small Inception network through training",
        source="Brandao et al. 2023, appendix Figs. 9 to 11",
        requires=("train/log_spectrum_mean",),
        experiment="brandao2023/label_noise",
        maker=partial(full_spectra, models=("small_inception",)),
        reading=SPECTRA,
    ),
)
