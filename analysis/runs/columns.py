"""Columns derived from those in the records."""

from pandas import DataFrame

# Runs that agree in these see the same images with the same labels.
IMAGES = [
    *("data", "data_fingerprint", "n", "draw", "size", "channels", "task", "images", "protocol"),
    "standin",
]
ISIC = "ISIC"  # the third domain: medical images in colour, looked at apart from the others


def derive(table: DataFrame) -> DataFrame:
    """ISIC as a domain of its own, one column per representation dimension, shared properties.

    A run without the `dataset_properties` probe takes `data/*` from a run on the same images, so
    that properties measured once (`model=none`) serve all trainings.
    """
    table = table.copy()
    counts = table.groupby(["data", "domain"]).size().sort_values(kind="stable")
    domains = dict(counts.index.tolist()) | {"isic": ISIC}
    table["domain"] = table.data.map(domains)  # of a data set, not of a run: the commonest
    for quantity in ("train/d_repr_mle", "train/d_repr_twonn"):
        for column in layer_columns(list(table.columns), quantity):
            known = table[quantity] if quantity in table else table[column]
            table[quantity] = known.fillna(table[column])
    properties = [name for name in table.columns if name.startswith("data/")]
    if properties:
        shared = table.groupby(IMAGES, dropna=False)[properties].transform("first")
        table[properties] = table[properties].fillna(shared)
    return table


def layer_columns(columns: list[str], quantity: str) -> list[str]:
    """The layers taken as the representation: `penultimate`, else the published code's.

    A run has the first of them that it measured: protocols read different layers.

    >>> layers = ["layer1", "konz2024", "penultimate"]
    >>> layer_columns([f"train/d_repr_mle/{layer}" for layer in layers], "train/d_repr_mle")
    ['train/d_repr_mle/penultimate', 'train/d_repr_mle/konz2024']
    """
    layers = [name for name in columns if name.startswith(f"{quantity}/")]
    wanted = [f"{quantity}/{layer}" for layer in ("penultimate", "konz2024")]
    return [name for name in wanted if name in layers] or layers[-1:]
