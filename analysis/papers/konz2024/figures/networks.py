"""Loss, accuracy and attacks of trained networks."""

from pathlib import Path

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pandas import DataFrame
from PIL import Image

from analysis.drawing.panel_grid import panel_grid
from analysis.exhibits import NotEnoughError
from analysis.papers.konz2024.lines import lines_by_data
from analysis.papers.konz2024.panels import panels_by_model
from analysis.printing.names import DATA, MODELS, data_name, model_name, ordered
from analysis.statistics.grid import cells, most_common_recipe, need_isic, trained, trained_view
from analysis.statistics.laws import fit_law, usable
from analysis.statistics.over_seeds import over_seeds, seeds_note

LAW_B = ("data/d_mle", "test/loss")


def gen_ddata(runs: DataFrame, isic: bool = False) -> tuple[Figure, DataFrame]:
    """Log loss against d_data (MLE), one panel per network, with law B."""
    if isic:
        need_isic(trained(runs))
    view = trained_view(runs, isic)
    figure, axes_of, used = panels_by_model(view, "data/d_mle", ["test/loss"])
    points = usable(cells(trained_view(runs), list(LAW_B)), LAW_B)
    for (_, model), axes in axes_of.items():
        mine = points[points.model == model]
        if len(mine) < 2:
            continue
        fit = fit_law(mine, "data/d_mle")
        span = np.linspace(mine["data/d_mle"].min(), mine["data/d_mle"].max(), 50)
        for n in sorted({mine.n.min(), mine.n.max()}):
            law = fit.predict(torch.full((50,), float(n)), torch.tensor(span)).exp()
            axes.plot(span, law, "--", color="grey", linewidth=0.8, zorder=0)
    return figure, used


SAME = ["model", "data", "n", "channels", "task", "images"]


def resolution(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Accuracy at every size of the network that was swept most, at each data set's largest n."""
    runs = most_common_recipe(trained(runs).dropna(subset=["test/accuracy"]))
    swept = runs[runs.groupby(SAME)["size"].transform("nunique") > 1]
    if swept.empty:
        raise NotEnoughError("no network was trained on the same images at two sizes")
    model = swept.groupby("model").size().idxmax()
    swept = swept[swept.model == model]
    swept = swept[swept.n == swept.groupby("data").n.transform("max")]
    by = ["data", "domain", "standin", "size"]
    table = over_seeds(swept, by, {"accuracy": "test/accuracy"})
    sizes = ", ".join(str(n) for n in sorted(swept.n.unique()))
    label = f"test accuracy, {model_name(model)}, n = {sizes}; {seeds_note(table.runs)}"
    return lines_by_data(table, "size", {"accuracy": label}, "image size (px)"), swept


PICTURE = Path("figures", "test_fgsm_examples.png")
LARGEST = 2**25  # pixels of a run's picture
COLUMNS, WIDTH = 3, 5.0  # pictures side by side, inches of each
ATTACKED = "test/fgsm_accuracy_penalty@2"


def adv_examples(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """The example pictures of the run folders, side by side."""
    view = trained_view(runs, isic=True)
    there = view[[(Path(path) / PICTURE).is_file() for path in view.path]]
    if there.empty:
        raise NotEnoughError(f"no run folder has {PICTURE}; the fgsm_penalty probe draws it")
    there = there[there.model == ordered(there.model, MODELS)[0]].sort_values(["n", "seed"])
    chosen = [there[there.data == name].iloc[-1] for name in ordered(there.data, DATA)]
    images = [_picture(Path(run.path) / PICTURE) for run in chosen]
    height = WIDTH * max(image.shape[0] / image.shape[1] for image in images) + 0.3
    figure, grid = panel_grid(len(images), WIDTH, height, COLUMNS)
    for axes, run, image in zip(grid.flat, chosen, images, strict=False):
        axes.imshow(image)
        axes.set_axis_off()
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
