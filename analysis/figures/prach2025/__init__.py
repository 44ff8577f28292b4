"""Figures of Prach & Lampert 2025 without separate code."""

from functools import partial

from analysis.exhibits import Exhibit
from analysis.log_lines import CRA, scaling_panels

listed = partial(Exhibit, paper="prach2025", kind="figures")
EXHIBITS = (
    listed(
        name="data_scaling",
        title="Accuracy and certified robust accuracy against the number of training images",
        source="Prach & Lampert 2025, Figs. 1 and 2",
        requires=("test/accuracy", f"test/{CRA}"),
        experiment="prach2025/data_scaling",
        maker=partial(
            scaling_panels, experiment="data_scaling", x="n", xlabel="training images n", law=True
        ),
        reading=(
            "Reading it: every training set is seen as often in total, so a line shows what images "
            "add, not compute. The paper finds both to grow about linearly in log n (dotted), "
            "certified accuracy far below accuracy, on CIFAR-10 and MNIST: a doubling of the data "
            "buys a constant number of points. SimpleConvNet is certified by randomised smoothing, "
            "on some of the test images."
        ),
    ),
    listed(
        name="compute_scaling",
        title="Accuracy and certified robust accuracy against epochs, on the same training images",
        source="Prach & Lampert 2025, Fig. 5",
        requires=("test/accuracy", f"test/{CRA}"),
        experiment="prach2025/compute_scaling",
        maker=partial(scaling_panels, experiment="compute_scaling", x="epochs", xlabel="epochs"),
        reading=(
            "Reading it: lines that flatten say that more training alone does not do what more "
            "images do; a falling one, that the network overfits. Each point is a run of its own, "
            "with its learning rate cycled once."
        ),
    ),
)
