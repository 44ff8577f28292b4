"""Check inputs of measurements; errors name the value, the limit and what to do."""

import math
import operator
from collections.abc import Sequence
from typing import Any, get_args

import torch
from torch import Tensor, nn

LARGEST_LOG = 745.0  # absolute log of the smallest positive float64; of the largest it is 710


def check_tensor(name: str, value: Any) -> Tensor:
    """`value`, a tensor of real numbers.

    Example:
        >>> check_tensor("x", [1.0, 2.0])
        Traceback (most recent call last):
        TypeError: x is a list; pass a torch.Tensor, as torch.as_tensor(x)
    """
    if not isinstance(value, Tensor):
        kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
        raise TypeError(f"{name} is a {kind}; pass a torch.Tensor, as torch.as_tensor({name})")
    if value.dtype == torch.bool or value.is_complex():
        way = f"{name}.long()" if value.dtype == torch.bool else "its real and imaginary parts"
        raise ValueError(f"{name} is {value.dtype}; pass real numbers, as {way}")
    return value


def check_points(name: str, x: Any, shape: Sequence[int] | None = None) -> Tensor:
    """`x` as (points >= 1, ...) finite real numbers, each point of `shape` if not None.

    Example:
        >>> check_points("x", torch.zeros(3))
        Traceback (most recent call last):
        ValueError: x has shape (3,); it must be (points, ...), with at least one point and value
    """
    x = check_tensor(name, x)
    if x.ndim < 2 or x.numel() == 0:
        raise ValueError(
            f"{name} has shape {tuple(x.shape)}; it must be (points, ...), with at least one point "
            "and value"
        )
    if shape is not None and tuple(x.shape[1:]) != tuple(shape):
        raise ValueError(
            f"the points of {name} are {tuple(x.shape[1:])}; they must be {tuple(shape)}"
        )
    return check_finite(name, x)


def check_finite(name: str, x: Tensor) -> Tensor:
    """`x` without NaN and infinity; the message names the first row that has one."""
    low, high = torch.stack(torch.aminmax(x.detach())).tolist()  # one transfer from a device
    if not (math.isfinite(low) and math.isfinite(high)):
        bad = next(i for i, row in enumerate(x) if not row.isfinite().all())
        raise ValueError(f"{name} has NaN or infinite values, first in row {bad}; leave it out")
    return x


def check_column(name: str, values: Any, count: int | None = None) -> Tensor:
    """`values` as a (count,) tensor of real numbers, NaN allowed.

    Example:
        >>> check_column("y", torch.zeros(3, 1), 3)
        Traceback (most recent call last):
        ValueError: y has shape (3, 1); it must be (3,), one number for each point
    """
    values = check_tensor(name, values)
    if values.ndim != 1 or count not in (None, len(values)):
        need = "(points,)" if count is None else f"({count},)"
        raise ValueError(
            f"{name} has shape {tuple(values.shape)}; it must be {need}, one number for each point"
        )
    return values


def check_labels(name: str, y: Any, count: int, classes: int | None = None) -> Tensor:
    """`y` as (count,) int64 class numbers, in 0..classes-1 if `classes` is not None.

    Example:
        >>> check_labels("y", torch.tensor([0.0, 0.5]), 2)
        Traceback (most recent call last):
        ValueError: y has the label 0.5 in row 1; labels are whole numbers
        >>> check_labels("y", torch.tensor([0, 3]), 2, classes=3)
        Traceback (most recent call last):
        ValueError: y has labels from 0 to 3, but there are 3 classes; labels lie in 0..2
    """
    y = check_column(name, y, count)
    if y.is_floating_point():
        broken = ~(y == y.round()) | y.isinf()  # NaN equals nothing
        if broken.any():
            row = int(broken.nonzero()[0, 0])
            raise ValueError(
                f"{name} has the label {float(y[row]):g} in row {row}; labels are whole numbers"
            )
    if count and classes is not None and (y.min() < 0 or y.max() >= classes):
        raise ValueError(
            f"{name} has labels from {int(y.min())} to {int(y.max())}, but there are {classes} "
            f"classes; labels lie in 0..{classes - 1}"
        )
    return y.long()


def check_choice(name: str, value: str, choices: Any) -> None:
    """ValueError unless `value` is one of the words of the `Literal` type `choices`.

    Example:
        >>> from typing import Literal
        >>> check_choice("norm", "l3", Literal["l2", "linf"])
        Traceback (most recent call last):
        ValueError: norm='l3'; use one of 'l2', 'linf'
    """
    words = get_args(choices)
    if value not in words:
        raise ValueError(f"{name}={value!r}; use one of {', '.join(map(repr, words))}")


def check_whole(name: str, value: Any, least: int) -> int:
    """`value` as an int, `least` or more.

    Example:
        >>> check_whole("k", 5.5, 1)
        Traceback (most recent call last):
        ValueError: k=5.5 must be a whole number, at least 1
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool | Tensor) or number < least:
        raise ValueError(f"{name}={_shown(value)} must be a whole number, at least {least}")
    return number


def check_number(
    name: str, value: Any, above: float | None = None, least: float = -math.inf, why: str = ""
) -> float:
    """`value` as a finite float, `least` or more, or above `above`.

    Example:
        >>> check_number("radius", -1, least=0)
        Traceback (most recent call last):
        ValueError: radius=-1 must be a finite number, at least 0
        >>> check_number("sigma", "2", above=0, why="it is the noise that smooths")
        Traceback (most recent call last):
        ValueError: sigma='2' must be a finite number, above 0: it is the noise that smooths
    """
    low = f", above {above:g}" if above is not None else f", at least {least:g}"
    limit = "" if above is None and least == -math.inf else low
    number = math.nan
    is_array = getattr(value, "ndim", 0) > 0
    if hasattr(value, "__float__") and not isinstance(value, bool) and not is_array:
        number = float(value)
    if not (math.isfinite(number) and number >= least and (above is None or number > above)):
        raise ValueError(
            f"{name}={_shown(value)} must be a finite number{limit}{why and ': ' + why}"
        )
    return number


def check_numbers(name: str, values: Any, least: float = 0.0) -> Tensor:
    """One number or several as (count >= 1,) float64, each finite and at least `least`.

    Example:
        >>> check_numbers("radius", [0, 1]).tolist()
        [0.0, 1.0]
    """
    several = values.reshape(-1).tolist() if isinstance(values, Tensor) else values
    several = list(several) if isinstance(several, Sequence) else [several]
    if not several or isinstance(values, str):
        raise ValueError(f"{name}={_shown(values)} must be one number or several")
    numbers = [check_number(name, value, least=least) for value in several]
    return torch.tensor(numbers, dtype=torch.float64)


def check_type(name: str, value: Any, kind: type) -> None:
    """TypeError unless `value` is a `kind`.

    Example:
        >>> check_type("model", (1, 2), nn.Module)
        Traceback (most recent call last):
        TypeError: model is a tuple; pass a Module
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} is a {type(value).__name__}; pass a {kind.__name__}")


def check_network(model: Any, x: Tensor, name: str = "x") -> None:
    """A network, and floating-point images of the precision of its parameters.

    Example:
        >>> check_network(nn.Linear(2, 1), torch.zeros(1, 2, dtype=torch.float64))
        Traceback (most recent call last):
        ValueError: x is torch.float64 and the network torch.float32; pass x.to(torch.float32) ...
    """
    check_type("model", model, nn.Module)
    if not x.is_floating_point():
        raise ValueError(f"{name} is {x.dtype}; gradients need floats: pass {name}.float() / 255")
    weight = next((p for p in model.parameters() if p.is_floating_point()), None)
    if weight is not None and weight.dtype != x.dtype:
        raise ValueError(
            f"{name} is {x.dtype} and the network {weight.dtype}; pass {name}.to({weight.dtype}) "
            f"or convert the network"
        )


def check_logs(name: str, logs: Any, least: int) -> Tensor:
    """`logs` as one (values,) float64 vector of logarithms, `least` or more of them.

    Example:
        >>> check_logs("log_sigma", torch.tensor([1e3]), 1)
        Traceback (most recent call last):
        ValueError: log_sigma reaches 1000; logarithms of float64 lie within -745..745: take ...
    """
    values = check_tensor(name, logs).detach().flatten().double()
    if len(values) < least:
        raise ValueError(f"{len(values)} values in {name}, but at least {least} are needed")
    if not values.isfinite().all():
        raise ValueError(f"{name} is not finite: drop and count values of 0 before the logarithm")
    size = float(values.abs().max())
    if size > LARGEST_LOG:
        raise ValueError(
            f"{name} reaches {size:g}; logarithms of float64 lie within -745..745: take the "
            "logarithm first"
        )
    return values


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
