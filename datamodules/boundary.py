"""Decision boundaries along one direction: linear, quadratic, sinusoidal (Movahedi et al., 4.2)."""

import math
from typing import Literal

import numpy as np
import torch
from torch import Tensor

Kind = Literal["linear", "quadratic", "sinusoidal"]


def response(kind: Kind, v: Tensor, frequency: float = math.pi) -> Tensor:
    """The value to compare with the bias: v, v^2 or sin(frequency v), with v = x^T u.

    >>> response("quadratic", torch.tensor([-2.0, 1.0])).tolist()
    [4.0, 1.0]
    """
    if kind == "linear":
        return v
    if kind == "quadratic":
        return v.square()
    return torch.sin(frequency * v)


def median_bias(values: Tensor) -> float:
    """The bias b = -median(values); of an even number, the middle of the two middle ones.

    >>> median_bias(torch.tensor([1.0, 2.0, 4.0, 9.0]))
    -3.0
    """
    return -float(np.median(values.double().cpu().numpy()))


def side(values: Tensor, bias: float) -> Tensor:
    """The label: 1 where value + b > 0, else 0.

    Reading it: with the median's b, exactly half of an even number of distinct values are 1.

    >>> side(torch.tensor([1.0, 2.0, 4.0, 9.0]), bias=-3.0).tolist()
    [0, 0, 1, 1]
    """
    return (values + bias > 0).long()
