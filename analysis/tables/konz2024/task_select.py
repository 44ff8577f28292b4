"""Which of two tasks on the same images is harder, predicted by label sharpness.

Reading it: Eq. 27 expects L1/L2 ~ K_F1/K_F2. The forecast holds where `loss_ratio` lies in the
interval of `k_f_ratio`, which is over new samples of images; `harder` is the task of the larger
K_F, not known where that interval has 1 in it or a K_F has no interval. In the paper the forecast
is 1.45 (1.19 to 1.76) and measured ratios are 0.57 to 2.0, above 1 for four networks of six.
"""

from itertools import combinations

from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import most_common_recipe, trained
from analysis.laws import SHARPNESS
from analysis.names import MODELS, ordered
from analysis.published import published
from metrics.functional.estimate import Estimate
from metrics.functional.task_difficulty import task_difficulty_ratio

source = "Konz & Mazurowski 2024, Table 3"
requires = (SHARPNESS, "test/loss", "test/accuracy")
experiment = "konz2024/task_selection"
SAME = ["data", "model", "n", "size", "channels"]
LABELS = ("finding", "group", "all")  # of the same images; a pair of classes has its own


def build(runs: DataFrame) -> DataFrame:
    """One row per network and pair of tasks that share data set, n and size; means over seeds."""
    usable = most_common_recipe(trained(runs).dropna(subset=list(requires)))
    order = {model: place for place, model in enumerate(ordered(usable.model, MODELS))}
    rows = []
    for names, part in usable.groupby([*SAME, "images"]):
        for first, second in combinations(tasks(part), 2):
            one, two = (part[part.task == task] for task in (first, second))
            row = dict(zip(SAME, names, strict=False)) | {"task 1": first, "task 2": second}
            for i, half in ((1, one), (2, two)):
                row[f"loss {i}"], row[f"accuracy {i}"] = half[list(requires[1:])].mean()
                row |= {f"loss {i} published": _published(names, (first, second)[i - 1])}
            row["loss_ratio"] = row["loss 1"] / row["loss 2"]
            forecast = task_difficulty_ratio(_sharpness(one), _sharpness(two))
            ends = forecast.ratio
            row |= {"k_f_ratio": ends.value, "k_f_ratio_low": ends.low, "k_f_ratio_high": ends.high}
            rows.append(row | {"harder": forecast.harder})
    if not rows:
        raise NotEnoughError("no network was trained for two tasks on the same images")
    table = DataFrame(rows)
    return table.sort_values("model", key=lambda names: names.map(order)).reset_index(drop=True)


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
