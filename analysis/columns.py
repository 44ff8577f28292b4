"""Columns that follow from those in the records."""

from pandas import DataFrame

# Runs that agree in these see the same images with the same labels.
IMAGES = ["data", "n", "seed", "size", "channels", "task", "images", "protocol", "standin"]
ISIC = "ISIC"  # the third domain: medical images in colour, looked at apart from the others


def derive(table: DataFrame) -> DataFrame:
    """ISIC as a domain of its own, one column per representation dimension, shared properties.

    A run without the `dataset_properties` probe takes `data/*` from a run on the same images, so
    that properties measured once (`model=none`) serve all trainings.
    """
    table = table.copy()
    table.loc[table.data == "isic", "domain"] = ISIC
    for quantity in ("train/d_repr_mle", "train/d_repr_twonn"):
        if (column := layer_column(list(table.columns), quantity)) is not None:
            table[quantity] = table[column]
    properties = [name for name in table.columns if name.startswith("data/")]
    if properties:
        shared = table.groupby(IMAGES, dropna=False)[properties].transform("first")
        table[properties] = table[properties].fillna(shared)
    return table


def layer_column(columns: list[str], quantity: str) -> str | None:
    """The layer that stands for the representation: `penultimate`, else the published code's.

    >>> layer_column(["train/d_repr_mle/layer1", "train/d_repr_mle/reference"], "train/d_repr_mle")
    'train/d_repr_mle/reference'
    """
    layers = [name for name in columns if name.startswith(f"{quantity}/")]
    for layer in ("penultimate", "reference"):
        if f"{quantity}/{layer}" in layers:
            return f"{quantity}/{layer}"
    return layers[-1] if layers else None
