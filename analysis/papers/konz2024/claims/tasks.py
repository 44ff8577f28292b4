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
            values = _log_ratio(part, pair)
            if len(values):
                compared.append(part[part.task.isin(pair)])
                name = f"{cell_name(names[:3], SAME)}, {' / '.join(pair)}"
                cells[name] = Cell.of_seeds(values.tolist()).exp()
    if not cells:
        raise NotEnoughError("no network was trained for two tasks on the same images")
    return Evidence(cells, "seed", concat(compared).drop_duplicates("key"))


def _log_ratio(part: DataFrame, pair: tuple[str, str]) -> Series:
    loss, sharpness = (by_level(part, "task", name) for name in reversed(COLUMNS))
    larger, smaller = sorted(pair, key=lambda task: -sharpness[task].mean())
    return (
        (np.log(loss[larger]) - np.log(loss[smaller])).replace([-np.inf, np.inf], np.nan).dropna()
    )
