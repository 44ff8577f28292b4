"""Whole spectra of one network: a row per epoch, train and test columns for each level of noise."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.brandao2023.spectra import first_seeds, level_name, moments, of_kind
from analysis.printing.names import data_name, model_name

STAGES = {"train": "tab:blue", "test": "tab:green"}
PAPER_DATA = "cifar10"


def full_spectra(runs: DataFrame, models: tuple[str, ...]) -> tuple[Figure, DataFrame]:
    """Histograms of log sigma of all images, the horizontal scale shared by each column.

    Drawn is the first of `models` that was trained, on the paper's data set where it is there, else
    on the one with most runs.
    """
    runs = of_kind(runs, "label noise")
    present = [model for model in models if (runs.model == model).any()]
    if not present:
        raise NotEnoughError(f"no spectra of {', '.join(models)} under label noise")
    mine = runs[runs.model == present[0]]
    data = PAPER_DATA if (mine.data == PAPER_DATA).any() else mine.data.mode()[0]
    chosen = first_seeds(mine[mine.data == data])
    found = {
        (run.level, stage): [m for m in moments(run, stage) if m.epoch > 0]
        for _, run in chosen.iterrows()
        for stage in STAGES
    }
    found = {column: epochs for column, epochs in found.items() if epochs}
    if not found:
        raise NotEnoughError(f"no run of {present[0]} kept its singular values")
    rows = max(len(epochs) for epochs in found.values())
    figure = Figure(figsize=(2.3 * len(found) + 0.3, 1.25 * rows + 0.9), layout="constrained")
    grid = figure.subplots(rows, len(found), sharex="col", squeeze=False)
    for column, ((level, stage), epochs) in enumerate(found.items()):
        for axes, moment in zip(grid[:, column], epochs, strict=False):
            axes.hist(moment.spectrum.log_sigma.numpy(), bins=60, density=True,
                      histtype="stepfilled", color=STAGES[stage])  # fmt: skip
            axes.set_title(moment.title, fontsize=6.5, pad=2)
            axes.set_yticks([])
            axes.tick_params(labelsize=6)
        for axes in grid[len(epochs) :, column]:
            axes.set_axis_off()
        bottom = grid[len(epochs) - 1, column]
        bottom.tick_params(labelbottom=True)
        bottom.set_xlabel("log singular value", fontsize=7)
        heading = (
            f"{level_name('label noise', level)}, {stage} images\n{grid[0, column].get_title()}"
        )
        grid[0, column].set_title(heading, fontsize=6.5, pad=2)
    name = f"{model_name(present[0])}, {data_name(data)}"
    figure.supylabel(name, fontsize=9)
    return figure, chosen
