"""Mean log spectrum and test accuracy with the pixels shuffled, drawn anew or replaced.

Reading it: one permutation for all images (shuffled) leaves an MLP's task as it was, to the bit
but for its initialisation, and takes a convolution's away; one per image (random) and Gaussian
noise leave nothing but memorising. If E[log sigma] measures what has to be learnt by heart, it
rises to the right. Bars are 95 % intervals over seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.names import data_name, model_name, ordered
from analysis.over_seeds import bar_line, over_seeds, seeds_note
from analysis.spectra import networks, of_kind

source = "Brandao et al. 2023, the corruptions of Zhang et al. 2017"
requires = ("train/log_spectrum_mean",)
experiment = "brandao2023/corruptions"
PIXELS = {
    "unchanged": "true",
    "shuffled_pixels": "shuffled",
    "random_pixels": "random",
    "gaussian_pixels": "Gaussian",
}
PANELS = {
    "train/log_spectrum_mean": "E[log \u03c3], training images",
    "train/log_spectrum_mean@centred": "the same, centred",
    "test/accuracy": "test accuracy",
}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One panel per quantity, one line per network and data set."""
    mine = of_kind(runs, "pixels")
    mine = mine.assign(corruption=[name.split(".")[-2] for name in mine.pixels])
    kinds = ordered(mine.corruption, PIXELS)
    if len(kinds) < 2:
        raise NotEnoughError("no network was trained on images with and without a corruption")
    shown = {column: label for column, label in PANELS.items() if column in mine}
    figure = Figure(figsize=(3.3 * len(shown) + 0.4, 3.4), layout="constrained")
    grid = figure.subplots(1, len(shown), squeeze=False)[0]
    for axes, (column, label) in zip(grid, shown.items(), strict=True):
        for data, here in mine.groupby("data"):
            for model in networks(here):
                part = here[here.model == model]
                points = over_seeds(part, ["corruption"], column)
                points = points.set_index("corruption").reindex(kinds).dropna(subset=["mean"])
                places = [kinds.index(kind) for kind in points.index]
                name = f"{model_name(model)}, {data_name(data)}"
                bar_line(axes, places, points, fmt="o-", label=f"{name}\n{seeds_note(points.runs)}")
        axes.set_xticks(range(len(kinds)), [PIXELS.get(kind, kind) for kind in kinds])
        axes.set_ylabel(label)
        axes.set_xlabel("pixels")
    grid[0].legend(fontsize=7)
    return figure, mine
