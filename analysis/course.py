"""The course of one run as a picture: every quantity of training against the epoch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

Row = tuple[int, int, str, float]  # epoch, step, name, value: a row of metrics.csv
Curve = tuple[list[int], list[float]]  # epochs, values


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
    Before the end penalty and spectra are means over fewer images than at the end.

    Args:
        rows: of metrics.csv, in any order.
        spectra: singular values of test images by epoch, drawn as ridges.
        title: over the whole.

    Returns:
        The figure; None where nothing was measured at two epochs or more.
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
        left=0.5 / width, right=1 - 0.1 / width, bottom=0.5 / height, top=1 - 0.6 / height,
        wspace=0.2, hspace=0.35,
    )  # fmt: skip
    grid = figure.subplots(down, columns, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        draw_panel(axes, panel, curves)
    if ridges:
        draw_ridges(grid[len(panels)], ridges)
    for axes in grid[count:]:
        axes.set_visible(False)
    figure.suptitle(title, fontsize=10)
    return figure


def curves_of(rows: Iterable[Row]) -> dict[str, Curve]:
    """Finite values by name, in the order of epochs.

    >>> curves_of([(1, 10, "test/loss", 0.5), (0, 0, "test/loss", 0.7)])
    {'test/loss': ([0, 1], [0.7, 0.5])}
    """
    curves: dict[str, Curve] = {}
    for epoch, _, name, value in sorted(rows, key=lambda row: (row[2], row[0])):
        if np.isfinite(value):
            epochs, values = curves.setdefault(name, ([], []))
            epochs.append(epoch)
            values.append(value)
    return curves


def chosen(panel: Panel, curves: Mapping[str, Curve]) -> Iterable[tuple[str, str]]:
    """Name and label of the panel's curves that have two epochs or more."""
    for pattern, label in panel.curves.items():
        start, _, _ = pattern.partition("*")
        several = pattern.endswith("*")
        for name, (epochs, _) in curves.items():
            if len(epochs) > 1 and (name == pattern or (several and name.startswith(start))):
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
    last = 0
    for name, label in chosen(panel, curves):
        epochs, values = curves[name]
        last = max(last, epochs[-1])
        marker = "." if len(epochs) < 30 else None
        axes.plot(epochs, values, marker=marker, lw=1.2, label=label, color=COLOURS.get(label))
    for index, (name, label) in enumerate(panel.lines.items()):
        if name in curves:
            axes.axhline(curves[name][1][-1], ls="--", lw=1, color=f"C{index}", label=label)
    if panel.log:
        axes.set_yscale("log")
    axes.set_title(panel.title, fontsize=9)
    axes.legend(fontsize=6.5)
    over_epochs(axes, last)


def over_epochs(axes: Axes, last: float) -> None:
    """A logarithmic axis that has room for 0, up to the last epoch."""
    axes.set_xscale("symlog", linthresh=1, linscale=0.4)
    axes.set_xlim(-0.15, last * 1.15)
    ticks = [tick for tick in (0, 1, 2, 5, 10, 22, 46, 100, 215, 464, 1000) if tick < last / 1.3]
    axes.set_xticks([*ticks, last])
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("epoch")
    axes.tick_params(labelsize=7)


def draw_ridges(axes: Axes, spectra: Mapping[int, np.ndarray]) -> None:
    """Densities of log sigma, one ridge per epoch, the first at the bottom."""
    epochs = list(spectra)
    if len(epochs) > MOST_RIDGES:  # evenly, the first and the last among them
        places = np.linspace(0, len(epochs) - 1, MOST_RIDGES).round().astype(int)
        epochs = [epochs[place] for place in places]
    logs = {epoch: np.log(spectra[epoch][spectra[epoch] > 0]) for epoch in epochs}
    low, high = (float(np.quantile(np.concatenate(list(logs.values())), q)) for q in (0.002, 0.998))
    edges = np.linspace(low, high, 61)
    centres = (edges[1:] + edges[:-1]) / 2
    heights = [np.histogram(logs[epoch], bins=edges, density=True)[0] for epoch in epochs]
    step = max(float(height.max()) for height in heights) * 0.6
    for place, height in enumerate(heights):
        base, above = place * step, len(epochs) - place
        axes.fill_between(centres, base, base + height, color="tab:orange", alpha=0.6, zorder=above)
        axes.plot(centres, base + height, color="black", lw=0.6, zorder=above)
    axes.set_yticks([place * step for place in range(len(epochs))], [str(e) for e in epochs])
    axes.set_ylabel("epoch")
    axes.set_xlabel("log σ, test images")
    axes.set_title("Jacobian spectrum", fontsize=9)
    axes.tick_params(labelsize=7)
