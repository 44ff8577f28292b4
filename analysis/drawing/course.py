"""The course of one run as a picture: every quantity of training against the epoch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.drawing.epoch_axis import epoch_axis
from analysis.drawing.ridges import draw_ridges

Values = np.ndarray[Any, Any]
Row = tuple[int, int, str, float, int]  # a row of metrics.csv: epoch, step, name, value, images


@dataclass(frozen=True)
class Curve:
    """A quantity over epochs, on the same images throughout."""

    epochs: list[int]
    values: list[float]
    images: int = 0  # 0 where it is not a matter of images
    final: tuple[int, float] | None = None  # epoch and value on all images, where these are more


@dataclass(frozen=True)
class Panel:
    """Curves that share an axis."""

    title: str
    curves: dict[str, str]  # name of a number (or its beginning, before a *) -> label
    lines: dict[str, str] = field(default_factory=dict)  # levels that training does not change
    log: bool = False


PANELS = (
    Panel(
        "loss",
        {"train/running_loss": "train, running", "train/loss": "train", "test/loss": "test"},
    ),
    Panel("accuracy", {"train/accuracy": "train", "test/accuracy": "test"}),
    Panel(
        "intrinsic dimension",
        {"train/d_repr_mle/*": "d_repr MLE", "train/d_repr_twonn/*": "d_repr TwoNN"},
        {"data/d_mle": "d_data MLE", "data/d_twonn": "d_data TwoNN"},
    ),
    Panel("FGSM loss penalty", {"test/fgsm_loss_penalty@*": "eps ="}),
    Panel(
        "E[log σ] of the Jacobian",
        {"train/log_spectrum_mean": "train", "test/log_spectrum_mean": "test"},
    ),
    Panel("velocity of $G^t$", {"geometry/velocity": "per measurement"}, log=True),
    Panel("correlation with $G^t$", {"geometry/corr_s": "S", "geometry/corr_gsg": "$G_F S G_F$"}),
)
COLOURS = {"train": "tab:blue", "test": "tab:orange", "train, running": "0.7"}
MOST_RIDGES = 12


def draw_course(
    rows: Iterable[Row], spectra: Mapping[int, np.ndarray] | None = None, title: str = ""
) -> Figure | None:
    """Loss, accuracy, d_repr, FGSM penalty, spectra, velocity and correlations over epochs.

    Reading it: the epochs are on a logarithmic axis, because most changes come early; 0 is the
    untrained network. Dashed levels are of the training images, which training does not change.
    A curve is of the same n images at every epoch; a ring is the final number, on all images. The
    band is the 95 % interval over the random networks of G_F.

    Takes rows of metrics.csv in any order, and singular values of test images by epoch, drawn as
    ridges. None where nothing was measured at two epochs or more.
    """
    curves = curves_of(rows)
    panels = [panel for panel in PANELS if any(chosen(panel, curves))]
    ridges = dict(sorted((spectra or {}).items())) if len(spectra or {}) > 1 else {}
    count = len(panels) + bool(ridges)
    if not count:
        return None
    columns = min(count, 4)
    down = -(-count // columns)
    width, height = 3.4 * columns, 2.7 * down
    figure = Figure(figsize=(width, height))
    figure.subplots_adjust(  # in inches; a layout engine would take as long as drawing
        left=0.5 / width, right=1 - 0.1 / width, bottom=0.5 / height, top=1 - 0.7 / height,
        wspace=0.2, hspace=0.35,
    )  # fmt: skip
    grid = figure.subplots(down, columns, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        draw_panel(axes, panel, curves)
    if ridges:
        draw_ridges(grid[len(panels)], spectrum_densities(ridges))
        grid[len(panels)].set_title("Jacobian spectrum, test images", fontsize=9)
    for axes in grid[count:]:
        axes.set_visible(False)
    note = ""
    if any(curve.images for curve in curves.values()):
        rings = "; ring: all images, at the end" if any(c.final for c in curves.values()) else ""
        note = f"n: number of images behind a curve{rings}"
    figure.suptitle("\n".join(filter(None, (title, note))), fontsize=9)
    return figure


def curves_of(rows: Iterable[Row]) -> dict[str, Curve]:
    """Finite values by name, in the order of epochs.

    >>> rows = [(1, 10, "test/loss", 0.5, 0), (0, 0, "test/loss", 0.7, 0)]
    >>> curves_of(rows)
    {'test/loss': Curve(epochs=[0, 1], values=[0.7, 0.5], images=0, final=None)}
    """
    finite = sorted((row for row in rows if np.isfinite(row[3])), key=lambda r: (r[2], r[0], r[4]))
    curves: dict[str, Curve] = {}
    for name, own in groupby(finite, lambda row: row[2]):
        points: dict[int, float] = {}
        final, images = None, 0
        for epoch, _, _, value, count in own:
            if epoch in points:  # measured on more images too
                final = (epoch, value)
            else:
                points[epoch], images = value, count
        curves[name] = Curve(list(points), list(points.values()), images, final)
    return curves


def chosen(panel: Panel, curves: Mapping[str, Curve]) -> Iterable[tuple[str, str]]:
    """Name and label of the panel's curves that have two epochs or more."""
    for pattern, label in panel.curves.items():
        start, _, _ = pattern.partition("*")
        several = pattern.endswith("*")
        for name, curve in curves.items():
            if len(curve.epochs) > 1 and (name == pattern or (several and name.startswith(start))):
                rest = name.removeprefix(start) if several else ""
                yield name, suffixed(label, rest)


def suffixed(label: str, rest: str) -> str:
    """The label with what distinguishes several curves of a kind.

    >>> suffixed("eps =", "2"), suffixed("d_repr MLE", "penultimate"), suffixed("d_repr MLE", "0")
    ('eps = 2/255', 'd_repr MLE', 'd_repr MLE, 0')
    """
    if label.endswith("="):
        return f"{label} {rest}/255"
    return label if rest in ("", "penultimate") else f"{label}, {rest}"


def draw_panel(axes: Axes, panel: Panel, curves: Mapping[str, Curve]) -> None:
    """The curves of a panel, and its levels."""
    for name, label in chosen(panel, curves):
        curve = curves[name]
        marker = "." if len(curve.epochs) < 30 else None
        shown = [v if v > 0 else np.nan for v in curve.values] if panel.log else curve.values
        named = f"{label}, n={curve.images}" if curve.images else label
        colour = COLOURS.get(label)
        drawn = axes.plot(curve.epochs, shown, marker=marker, lw=1.2, label=named, color=colour)
        if {f"{name}_low", f"{name}_high"} <= curves.keys() and curve.images == 0:
            low, high = (curves[f"{name}{end}"].values for end in ("_low", "_high"))
            if len(low) == len(high) == len(curve.epochs):
                colour_of_band, over = drawn[0].get_color(), "95 %, over networks of $G_F$"
                axes.fill_between(
                    curve.epochs, low, high, color=colour_of_band, alpha=0.2, lw=0, label=over
                )
        if curve.final:
            same = drawn[0].get_color()
            axes.plot(*curve.final, marker="o", mfc="none", ms=6, ls="none", color=same)
    for index, (name, label) in enumerate(panel.lines.items()):
        if name in curves:
            axes.axhline(curves[name].values[-1], ls="--", lw=1, color=f"C{index}", label=label)
    if panel.log:
        axes.set_yscale("log")
    if panel.lines and not panel.log:  # levels span the panel: no corner is free for the legend
        bottom, top = axes.get_ylim()
        axes.set_ylim(bottom, top + 0.3 * (top - bottom))
    place: dict[str, Any] = {"loc": "upper center", "ncols": 2} if panel.lines else {}
    axes.set_title(panel.title, fontsize=9)
    axes.legend(fontsize=6.5, frameon=True, framealpha=0.8, edgecolor="none", **place)
    epoch_axis(axes, max(curves[name].epochs[-1] for name, _ in chosen(panel, curves)))
    axes.tick_params(labelsize=7)


def spectrum_densities(spectra: Mapping[int, np.ndarray]) -> dict[int, tuple[Values, Values]]:
    """Histograms of log sigma by epoch, of at most `MOST_RIDGES` epochs."""
    epochs = list(spectra)
    if len(epochs) > MOST_RIDGES:  # evenly, the first and the last among them
        places = np.linspace(0, len(epochs) - 1, MOST_RIDGES).round().astype(int)
        epochs = [epochs[place] for place in places]
    logs = {epoch: np.log(spectra[epoch][spectra[epoch] > 0]) for epoch in epochs}
    every = np.concatenate(list(logs.values()))
    edges = np.linspace(np.quantile(every, 0.002), np.quantile(every, 0.998), 61)
    centres = (edges[1:] + edges[:-1]) / 2
    return {e: (centres, np.histogram(logs[e], bins=edges, density=True)[0]) for e in epochs}
