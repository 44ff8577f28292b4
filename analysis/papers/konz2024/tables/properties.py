"""Properties of data sets and of representations."""

from itertools import combinations

import torch
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.konz2024.bars import by_domain
from analysis.printing.names import in_order, networks_of
from analysis.published import published
from analysis.statistics.grid import cells, main_view, most_common_recipe, trained, trained_view
from analysis.statistics.laws import SHARPNESS, columns_of, fraction
from analysis.statistics.properties import dataset_properties, measured
from metrics.functional.estimate import Estimate
from metrics.functional.task_difficulty import task_difficulty_ratio


def properties(runs: DataFrame) -> DataFrame:
    """One row per data set, in its main view."""
    table = by_domain(
        dataset_properties(main_view(measured(runs), isic=True), by=("size", "channels"))
    )
    for quantity in ("d_mle", "k_f", "k_f_rms"):
        known = published(f"data/{quantity}").drop_duplicates("data").set_index("data").value
        table[f"{quantity} published"] = table.data.map(known)
    return table


def bound(runs: DataFrame) -> DataFrame:
    """One row per network and estimator, and one for all networks together."""
    rows = []
    for estimator in ("mle", "twonn"):
        x, y = f"data/d_{estimator}", f"train/d_repr_{estimator}"
        if not {x, y} <= set(runs.columns):
            continue
        points = cells(trained_view(runs), [x, y])
        for model in [*networks_of(points), "all"]:
            mine = points if model == "all" else points[points.model == model]
            if mine.empty:
                continue
            hits = torch.tensor((mine[y] <= mine[x]).to_numpy())
            estimate = fraction(mine, hits)
            row = {"model": model, "estimator": estimator, "points": len(mine)}
            row |= {"data sets": mine.data.nunique()}
            rows.append(row | columns_of(estimate, "share"))
    return DataFrame(rows)


OF_TASKS = (SHARPNESS, "test/loss", "test/accuracy")
SAME = ["data", "model", "n", "size", "channels"]
LABELS = ("finding", "group", "all")  # of the same images; a pair of classes has its own


def task_select(runs: DataFrame) -> DataFrame:
    """One row per network and pair of tasks that share data set, n and size; means over seeds."""
    usable = most_common_recipe(trained(runs).dropna(subset=list(OF_TASKS)))
    rows = []
    for names, part in usable.groupby([*SAME, "images"]):
        for first, second in combinations(tasks(part), 2):
            one, two = (part[part.task == task] for task in (first, second))
            row = dict(zip(SAME, names, strict=False)) | {"task 1": first, "task 2": second}
            for i, half in ((1, one), (2, two)):
                row[f"loss {i}"], row[f"accuracy {i}"] = half[list(OF_TASKS[1:])].mean()
                row |= {f"loss {i} published": _published(names, (first, second)[i - 1])}
            row["loss_ratio"] = row["loss 1"] / row["loss 2"]
            forecast = task_difficulty_ratio(_sharpness(one), _sharpness(two))
            row |= columns_of(forecast.ratio, "k_f_ratio")
            rows.append(row | {"harder": forecast.harder})
    if not rows:
        raise NotEnoughError("no network was trained for two tasks on the same images")
    return in_order(DataFrame(rows), ["model"])


def tasks(runs: DataFrame) -> list[str]:
    """Tasks that label the same images; `all` is `finding any` by another name, and counts once."""
    names = {name for name in runs.task if name.startswith(LABELS) and "label noise" not in name}
    return sorted(names - {"all"} if "finding any" in names else names)


def _sharpness(runs: DataFrame) -> Estimate:
    """K_F with its interval over new samples; unknown where a run recorded none."""
    mean = float(runs[SHARPNESS].mean())
    ends = [f"{SHARPNESS}_low", f"{SHARPNESS}_high"]
    if not set(ends) <= set(runs.columns) or runs[ends].isna().any(axis=None):
        return Estimate.unknown(mean)
    low, high = (float(runs[end].mean()) for end in ends)
    return Estimate(mean, low, high) if low < high else Estimate.unknown(mean)


def _published(names: tuple[str, str, int, int, int], task: str) -> float | None:
    task = "finding any" if task == "all" else task
    known = published("test/loss", data=names[0], model=names[1], n=names[2], task=task).value
    return known.iloc[0] if len(known) else None
