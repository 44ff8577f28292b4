"""Test accuracy against image size.

Reading it: the paper finds little change from 32 to 512 px on medical images. Where accuracy
rises with size, the finding is in detail that smaller images lose, and results at one size do not
carry over to another. Bars are 95 % intervals, where there are three seeds.
"""

from matplotlib.figure import Figure
from pandas import DataFrame

from analysis.exhibits import NotEnoughError
from analysis.grid import most_common_recipe, trained
from analysis.lines import lines_by_data
from analysis.names import model_name
from analysis.over_seeds import over_seeds, seeds_note

source = "Konz & Mazurowski 2024, Fig. 12"
requires = ("test/accuracy",)
experiment = "konz2024/resolution"
SAME = ["model", "data", "n", "channels", "task", "images"]


def draw(runs: DataFrame) -> tuple[Figure, DataFrame]:
    """Accuracy at every size of the network that was swept most, at each data set's largest n."""
    runs = most_common_recipe(trained(runs).dropna(subset=["test/accuracy"]))
    swept = runs[runs.groupby(SAME)["size"].transform("nunique") > 1]
    if swept.empty:
        raise NotEnoughError("no network was trained on the same images at two sizes")
    model = swept.groupby("model").size().idxmax()
    swept = swept[swept.model == model]
    swept = swept[swept.n == swept.groupby("data").n.transform("max")]
    table = over_seeds(swept, ["data", "domain", "standin", "size"], "test/accuracy")
    names = {"mean": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}
    table = table.rename(columns=names)
    sizes = ", ".join(str(n) for n in sorted(swept.n.unique()))
    label = f"test accuracy, {model_name(model)}, n = {sizes}; {seeds_note(table.runs)}"
    return lines_by_data(table, "size", {"accuracy": label}, "image size (px)"), swept
