"""Spectra with batch normalisation as in use, and by each image's own statistics.

Reading it: the published code took its Jacobians of a network in training mode, one image at a
time, so that batch normalisation divides by that image's own statistics and the map ignores its
brightness and contrast. Those are other, much larger singular values than those of the network in
use (eval). Published spectra of Inception are of the second kind. At the last epoch, first seed.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.names import data_name, model_name
from analysis.spectra import KINDS, first_seeds, level_name, moments, with_noise

source = "Brandao et al. 2023, the published code"
requires = ("train/log_spectrum_mean@train_b1",)
experiment = "brandao2023/label_noise"
MODES = {"": "eval", "train_b1": "own statistics"}


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """One row per network and level of noise, both modes side by side."""
    mine = with_noise(runs)
    mine = mine[mine.kind.isin(KINDS)].dropna(subset=list(requires))
    rows = [
        (run, {mode: moments(run, "train", mode, last=True) for mode in MODES})
        for _, run in first_seeds(mine).iterrows()
    ]
    rows = [(run, found) for run, found in rows if all(found.values())]
    if not rows:
        raise NotEnoughError("no network with batch normalisation kept both spectra")
    figure = Figure(figsize=(7.2, 1.9 * len(rows) + 0.6), layout="constrained")
    grid = figure.subplots(len(rows), 2, sharex=True, squeeze=False)
    for line, (run, found) in zip(grid, rows, strict=True):
        for axes, (mode, name) in zip(line, MODES.items(), strict=True):
            (moment,) = found[mode]
            values = moment.spectrum.log_sigma.numpy()
            axes.hist(values, bins=60, density=True, histtype="stepfilled", color="tab:blue")
            mass = f", left mass {moment.spectrum.split.left_mass:.3f}"
            axes.set_title(f"{name}: E[log \u03c3] = {moment.spectrum.mean:.3f}{mass}", fontsize=8)
            axes.set_yticks([])
            axes.tick_params(labelsize=7, labelbottom=True)
        data = data_name(run.data)
        label = f"{model_name(run.model)}\n{data}\n{level_name(run.kind, run.level)}"
        line[0].set_ylabel(label, fontsize=7.5)
    for axes in grid[-1]:
        axes.set_xlabel("log singular value")
    return figure, DataFrame([run for run, _ in rows])
