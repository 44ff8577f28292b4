"""Which of two tasks on the same images is harder."""

from itertools import combinations

import numpy as np
from pandas import DataFrame, Series, concat

from analysis.claim import Cell, Evidence
from analysis.claim_cells import by_level
from analysis.exhibits import NotEnoughError, need_columns
from analysis.papers.konz2024.tables.properties import SAME, tasks
from analysis.printing.names import cell_name
from analysis.statistics.grid import most_common_recipe, trained
from analysis.statistics.laws import SHARPNESS

COLUMNS = [SHARPNESS, "test/loss"]


def sharper_is_harder(runs: DataFrame) -> Evidence:
    """Loss of the task of larger K_F over that of the other, by seed, in every pair of tasks."""
    need_columns(runs, COLUMNS)
    view = most_common_recipe(trained(runs).dropna(subset=COLUMNS))
    cells: dict[str, Cell] = {}
    compared = []  # of sets with two tasks: the others decide nothing
    for names, part in view.groupby([*SAME, "images"]):
        for pair in combinations(tasks(part), 2):
            mine = part[part.task.isin(pair)]
            sharper, other = mine.groupby("task")[SHARPNESS].mean().sort_values().index[::-1]
            values = _log_ratio(mine, sharper, other)
            if len(values):
                compared.append(mine)
                name = f"{cell_name(names[:4], SAME)}, {sharper} / {other}"
                if name in cells:  # seen in another way
                    name += f", {cell_name(names[4:])}"
                cells[name] = Cell.of_seeds(values.tolist()).exp()
    if not cells:
        raise NotEnoughError("no network was trained for two tasks on the same images")
    return Evidence(cells, "seed", concat(compared).drop_duplicates("key"))


def _log_ratio(part: DataFrame, first: str, second: str) -> Series:
    """Log of the ratio of two losses, by seed; without losses of 0."""
    loss = by_level(part, "task", "test/loss")
    return np.log(loss[loss > 0]).pipe(lambda logs: logs[first] - logs[second]).dropna()
