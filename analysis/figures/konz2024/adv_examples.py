"""Test images before and after an FGSM attack, as each run drew them.

Reading it: the eye sees no difference; the titles are the network's answers, red where wrong, and
above each set stand its accuracies. One run per data set: the largest n of the first network.
"""

import math
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pandas import DataFrame
from PIL import Image

from analysis.exhibits import NotEnoughError
from analysis.grid import trained_view
from analysis.names import DATA, MODELS, data_name, ordered

source = "Konz & Mazurowski 2024, Fig. 13"
requires = ("test/accuracy",)
experiment = "konz2024/generalization"
PICTURE = Path("figures", "test_fgsm_examples.png")
LARGEST = 2**25  # pixels of a run's picture
COLUMNS, WIDTH = 3, 5.0  # pictures side by side, inches of each
ATTACKED = "test/fgsm_accuracy_penalty@2"


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """The example pictures of the run folders, side by side."""
    view = trained_view(runs, isic=True)
    there = view[[(Path(path) / PICTURE).is_file() for path in view.path]]
    if there.empty:
        raise NotEnoughError(f"no run folder has {PICTURE}; the fgsm_penalty probe draws it")
    there = there[there.model == ordered(there.model, MODELS)[0]].sort_values(["n", "seed"])
    chosen = [there[there.data == name].iloc[-1] for name in ordered(there.data, DATA)]
    images = [_picture(Path(run.path) / PICTURE) for run in chosen]
    columns = min(COLUMNS, len(images))
    rows = math.ceil(len(images) / columns)
    height = WIDTH * max(image.shape[0] / image.shape[1] for image in images) + 0.3
    figure = Figure(figsize=(WIDTH * columns, height * rows), layout="constrained")
    grid = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes in grid:
        axes.set_axis_off()
    for axes, run, image in zip(grid, chosen, images, strict=False):
        axes.imshow(image)
        accuracy = f"accuracy {run['test/accuracy']:.2f}"
        if ATTACKED in run and run[ATTACKED] == run[ATTACKED]:  # NaN where it was not measured
            accuracy += f", {run['test/accuracy'] - run[ATTACKED]:.2f} after eps = 2/255"
        name = f"{data_name(run.data)}, {MODELS.get(run.model, run.model)}, n = {run.n}"
        axes.set_title(f"{name}: {accuracy}", fontsize=9)
    return figure, DataFrame(chosen)


def _picture(file: Path) -> NDArray[np.uint8]:
    """A PNG and nothing else: matplotlib would open any format, EPS with Ghostscript included."""
    with Image.open(file, formats=["PNG"]) as image:
        if image.width * image.height > LARGEST:
            raise NotEnoughError(f"{file} has {image.width} x {image.height} pixels, not a figure")
        return np.asarray(image.convert("RGB"))
