"""Every public function refuses every kind of bad input with a sentence of its own."""

import math
import traceback
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import metrics
import metrics.functional as functional
from metrics.functional import Geometry, fit_lognormal, fit_scaling_law, neighbours

ROOT = Path(metrics.__file__).parent
X = torch.rand(30, 1, 3, 3, generator=torch.Generator().manual_seed(0))
Y = torch.arange(30) % 2
COLUMN = torch.linspace(1, 2, 30)
G = Geometry.from_rows(X[:5])
COUNTS = torch.tensor([[90, 10], [20, 80]])


def network() -> nn.Module:
    return nn.Sequential(nn.Flatten(), nn.Linear(9, 2))


# A call that works, by function; `kind` of an argument says which values spoil it.
CALLS = {
    "alignment_score": {"x": X, "geometry": G},
    "attack_penalty": {"model": network(), "x": X, "y": Y, "eps": 0.1, "chunk": 8},
    "average_geometry": {"build": network, "input_shape": (1, 3, 3), "models": 4, "sigma": 0.1},
    "certified_accuracy": {"scores": X[:, 0, 0, :2], "y": Y, "radius": 0.1, "lipschitz": 1.0},
    "compare_fits": {
        "x": COLUMN,
        "first": fit_lognormal(COLUMN),
        "second": fit_lognormal(COLUMN**2),
    },
    "covariance_of": {"x": X},
    "description_length": {"n": 10, "dimension": 4, "x_digits": 3, "y_digits": 1},
    "fgsm": {"model": network(), "x": X, "y": Y, "eps": 0.1},
    "fit_lognormal": {"sigma": COLUMN, "bootstrap": 2},
    "fit_mixture": {"log_sigma": COLUMN},
    "fit_power_law": {"sigma": COLUMN, "x_min": 1.0, "bootstrap": 2},
    "fit_scaling_law": {"loss": COLUMN, "n": COLUMN, "dimension": COLUMN},
    "generalized_directions": {"geometry": G, "covariance": G, "regularisation": 0.1},
    "geometric_velocity": {"a": G, "b": G},
    "geometry_correlation": {"a": G, "b": G},
    "geometry_evolution": {"models": [network()], "probes": X, "x": X, "targets": COLUMN},
    "geometry_of": {"model": network(), "probes": X},
    "intrinsic_dimension": {"x": X, "k": 5, "discard": 0.1},
    "jacobian_spectrum": {"model": network(), "x": X, "chunk": 8},
    "label_sharpness": {"x": X, "y": Y, "value_range": 1.0, "draws": 2, "sample": 10},
    "likelihood_ratio": {"a": fit_scaling_law(COLUMN, COLUMN, COLUMN), "b": None},
    "mle_dimension": {"neighbours": neighbours(X, 25), "k": 5},
    "nearest_neighbour_certificate": {"x": X, "y": Y, "train_x": X, "train_y": Y, "p": 2.0},
    "neighbour_scaling": {"train": X, "test": X[20:25], "sizes": [2, 20]},
    "neighbours": {"x": X, "k": 5, "block": 8},
    "pgd": {"model": network(), "x": X, "y": Y, "eps": 0.1, "steps": 2, "restarts": 1},
    "required_samples": {"target_loss": 0.1, "intercept": 1.0, "dimension": 9.0, "draws": 200},
    "smoothed_certificate": {"counts": COUNTS, "y": Y[:2], "sigma": 0.1, "alpha": 0.01},
    "smoothed_estimate": {"counts": COUNTS, "y": Y[:2], "sigma": 0.1, "clip": 0.1},
    "split_spectrum": {"log_sigma": COLUMN, "bins": 64, "prominence": 0.1},
    "task_difficulty_ratio": {"sharpness_1": 2.0, "sharpness_2": 1.0},
    "twonn_dimension": {"neighbours": neighbours(X, 5), "discard": 0.1},
}
CALLS["likelihood_ratio"]["b"] = fit_scaling_law(COLUMN, COLUMN + COLUMN**2, COLUMN**2)

NUMBERS = {"bool": True, "minus one": -1, "NaN": math.nan, "text": "2", "tuple": (2, 3, "x")}
NOT_TENSORS = {"numpy": np.zeros((30, 1, 3, 3)), "tuple": ((0.5, 0.5), (1.0, 1.0)), "none": None}
BAD = {
    "images": NOT_TENSORS
    | {
        "bool": X > 0.5,
        "flat": X.flatten(),
        "empty": X[:0],
        "NaN": X * math.nan,
        "infinite": X / 0,
    },
    "labels": NOT_TENSORS
    | {
        "bool": Y > 0,
        "column": Y[:, None],
        "fractions": Y / 2,
        "NaN": Y * math.nan,
        "short": Y[:1],
    },
    "column": NOT_TENSORS | {"bool": COLUMN > 1.5, "matrix": COLUMN[:, None], "short": COLUMN[:1]},
    "values": NOT_TENSORS | {"bool": COLUMN > 1.5, "NaN": COLUMN * math.nan, "empty": COLUMN[:0]},
    "whole": NUMBERS | {"fraction": 5.5},
    "number": NUMBERS | {"infinite": math.inf, "numpy": np.ones(2)},
    "norm": NUMBERS | {"numpy": np.ones(2)},  # infinity is a norm
    "signed": {"bool": True, "NaN": math.nan, "text": "2"},
    "object": {"tuple": (1, 2), "tensor": X[:0], "none": None},
    "sizes": {"fractions": [5.5, 30], "text": "ab", "falling": [30, 5], "number": 5},
    "shape": {"flat": (9,), "fractions": (1, 3, 3.5), "text": "133", "number": 9},
}
KINDS = {
    "images": ("x", "probes", "train", "test", "train_x"),
    "labels": ("y", "train_y"),
    "column": ("loss", "n", "dimension", "targets"),
    "values": ("sigma", "log_sigma", "counts", "scores"),
    "whole": (
        *("k", "chunk", "models", "bootstrap", "draws", "sample", "block"),
        *("steps", "restarts", "bins", "x_digits", "y_digits"),
    ),
    "object": (
        "geometry",
        "covariance",
        "model",
        "neighbours",
        "a",
        "b",
        "first",
        "second",
        "build",
    ),
    "sizes": ("sizes",),
    "shape": ("input_shape",),
    "signed": ("intercept",),
}
SPECIAL = {  # one name, another kind
    ("compare_fits", "x"): "values",
    ("nearest_neighbour_certificate", "p"): "norm",
    ("description_length", "n"): "whole",
    ("description_length", "dimension"): "whole",
    ("geometry_evolution", "models"): "object",
    ("required_samples", "dimension"): "number",
    ("average_geometry", "sigma"): "number",
    ("smoothed_certificate", "sigma"): "number",
    ("smoothed_estimate", "sigma"): "number",
}


def kind_of(function: str, argument: str) -> str:
    named = (kind for kind, names in KINDS.items() if argument in names)
    return SPECIAL.get((function, argument)) or next(named, "number")


def call(function: str, arguments: dict[str, object]) -> object:
    renamed = {"y" if name == "targets" else name: value for name, value in arguments.items()}
    return getattr(functional, function)(**renamed)


CASES = [
    pytest.param(function, argument, value, id=f"{function}-{argument}-{name}")
    for function, arguments in CALLS.items()
    for argument in arguments
    for name, value in BAD[kind_of(function, argument)].items()
    if not (argument == "targets" and value is None)  # stands for zeros
]


def test_every_public_function_is_here():
    public = {name for name in functional.__all__ if not name[0].isupper()}
    assert public == set(CALLS)


@pytest.mark.parametrize("function", CALLS)
def test_the_calls_work(function):
    assert call(function, CALLS[function]) is not None


@pytest.mark.parametrize(("function", "argument", "value"), CASES)
def test_bad_input_is_refused_with_a_sentence(function, argument, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(function, CALLS[function] | {argument: value})
    where = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert Path(where.filename).is_relative_to(ROOT), f"{where.filename}: {caught.value}"
    assert "raise" in (where.line or ""), f"not raised on purpose: {caught.value}"
    assert len(str(caught.value).split()) >= 4


class Answers(nn.Module):
    """A network that gives what it should not."""

    def __init__(self, change):
        super().__init__()
        self.network, self.change = network(), change

    def forward(self, x):
        return self.change(self.network(x))


NETWORKS = {
    "float64": (lambda: network().double(), "x is torch.float32 and the network torch.float64"),
    "other size": (lambda: nn.Sequential(nn.Flatten(), nn.Linear(8, 2)), "cannot take"),
    "tuple": (lambda: Answers(lambda z: (z, z)), "returns tuple for"),
    "one number": (lambda: Answers(lambda z: z.sum()), r"returns \(\) for"),
    "no gradient": (lambda: Answers(lambda z: z.detach()), "no gradient"),
}
WITH_NETWORK = ["attack_penalty", "fgsm", "pgd", "geometry_of", "jacobian_spectrum"]


@pytest.mark.parametrize("function", WITH_NETWORK)
@pytest.mark.parametrize(("make", "message"), NETWORKS.values(), ids=NETWORKS)
def test_a_network_that_does_not_fit_is_named(function, make, message):
    with pytest.raises(ValueError, match=message):
        call(function, CALLS[function] | {"model": make()})


@pytest.mark.parametrize("function", ["attack_penalty", "fgsm", "pgd"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": Answers(lambda z: z[:, 0])}, "cross-entropy needs at least 2 classes"),
        ({"y": Y + 1}, "labels lie in 0..1"),
        ({"y": Y - 1}, "labels lie in 0..1"),
        ({"x": 255 * X}, "units of"),
        ({"x": 1e200 * X.double(), "model": network().double()}, "units of"),
    ],
    ids=["logits of one class", "label above", "label below", "grey levels", "huge"],
)
def test_an_attack_that_means_nothing_is_refused(function, change, message):
    with pytest.raises(ValueError, match=message):
        call(function, CALLS[function] | change)
