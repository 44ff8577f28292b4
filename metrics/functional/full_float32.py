"""Products and convolutions in full float32."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

BACKENDS: Any = torch.backends  # torch's stub has only some of them
# The switches that a product or convolution obeys; on CPUs oneDNN's may round to bfloat16.
SWITCHES = (
    BACKENDS.cuda.matmul,
    BACKENDS.cudnn.conv,
    BACKENDS.cudnn.rnn,
    BACKENDS.mkldnn.matmul,
    BACKENDS.mkldnn.conv,
)


@contextmanager
def full_float32() -> Iterator[None]:
    """Float32 convolutions and matrix products without TF32 inside the block.

    On GPUs from the A100 on, torch rounds the inputs of convolutions to 10 bits by default, which
    changes scores by 1e-3. Those of matrix products it rounds after
    `torch.set_float32_matmul_precision("high")`, and from the start if
    `TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1` is set, as some containers do.

    >>> with full_float32():
    ...     torch.backends.cudnn.allow_tf32, torch.get_float32_matmul_precision()
    (False, 'highest')
    """
    convolutions = _unless_mixed(lambda: torch.backends.cudnn.allow_tf32)
    products = _unless_mixed(torch.get_float32_matmul_precision)
    before = [(switch, switch.fp32_precision) for switch in SWITCHES]
    _set_older(False, "highest")  # Lightning reads them, which is an error if they disagree
    for switch in SWITCHES:
        switch.fp32_precision = "ieee"
    try:
        yield
    finally:
        _set_older(convolutions, products)
        for switch, precision in before:
            switch.fp32_precision = precision


def _set_older(convolutions: bool | None, products: str | None) -> None:
    if convolutions is not None:
        torch.backends.cudnn.allow_tf32 = convolutions
    if products is not None:
        torch.set_float32_matmul_precision(products)


def _unless_mixed(read: Callable[[], Any]) -> Any:
    """None where `fp32_precision` was set too: torch then refuses to read the older switches."""
    try:
        return read()
    except RuntimeError:
        return None
