"""Intrinsic dimension and label sharpness over image sizes and channels."""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.papers.konz2024.bars import LABELS, property_bars
from analysis.papers.konz2024.lines import lines_by_data
from analysis.statistics.grid import main_view
from analysis.statistics.properties import dataset_properties, measured


def px32_props(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of all sets at 32 px."""
    runs = measured(runs)
    chosen = main_view(runs[runs["size"] == 32])
    if not set(chosen.data) & set(runs[runs["size"] > 32].data):
        raise NotEnoughError("no data set was measured at 32 px and at a larger size")
    return property_bars(dataset_properties(chosen, by=("size",))), chosen


def res_props(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of every data set at every size it was measured at."""
    runs = measured(runs)
    otherwise_equal = ["data", "channels", "task", "images"]
    view = main_view(runs, isic=True)[otherwise_equal].drop_duplicates()
    used = runs.merge(view, on=otherwise_equal)
    table = dataset_properties(used, by=("size",))
    table = table[table.groupby("data")["size"].transform("nunique") > 1]
    if table.empty:
        raise NotEnoughError("no data set was measured at two image sizes")
    return lines_by_data(table, "size", LABELS, "image size (px)"), used


COLOUR = {"cifar10", "svhn", "imagenet", "isic"}  # have three channels of their own


def rgb_props(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """D and K_F of all sets in three channels."""
    chosen = main_view(measured(runs[runs.channels == 3]))
    if set(chosen.data) <= COLOUR:
        raise NotEnoughError("no grey data set was measured in three channels")
    return property_bars(dataset_properties(chosen, by=("size",))), chosen
