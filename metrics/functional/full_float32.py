"""Products and convolutions in full float32 on GPUs."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


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
    convolutions = torch.backends.cudnn.allow_tf32
    products = torch.get_float32_matmul_precision()
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = convolutions
        torch.set_float32_matmul_precision(products)
