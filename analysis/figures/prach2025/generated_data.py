"""Accuracy and certified robust accuracy against the number of generated training images.

Reading it: training is on images that a generator drew, the test on real ones. The paper finds the
growth of Fig. 1 to go on beyond the 50,000 real images, ending sooner for 1-Lipschitz networks of
fixed size. The cross is the best network of related work, with a million generated images.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.log_lines import CRA, scaling_panels
from analysis.published import published

source = "Prach & Lampert 2025, Fig. 6"
requires = ("test/accuracy", f"test/{CRA}")
experiment = "prach2025/generated_data"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Both accuracies of every network; the published point where data are real."""
    label = "generated training images n"
    figure, mine = scaling_panels(runs, "generated_data", "n", label, law=True)
    if not mine.standin.any():
        known = published(f"test/{CRA}", "prach2025", model="related_work")
        figure.axes[1].plot(known.n, known.value, "x", color="black")
    return figure, mine
