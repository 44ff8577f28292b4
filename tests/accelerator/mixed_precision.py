"""Mixed precision on the device: which operators compute in 16 bits, and which in 32, as on CUDA.

The lists are those of torch's documentation, "CUDA Ops that can autocast", as far as operators
with these names exist.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_map_only

NAME = "gpu"  # the device type
KEY = "AutocastPrivateUse1"
LOWER = (
    *(
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose2d.input",
        "linear",
        "matmul",
        "mm",
        "mv",
        "addmm",
    ),
    *("addmv", "bmm", "baddbmm", "addbmm", "chain_matmul", "scaled_dot_product_attention"),
)
FLOAT32 = (
    *("acos", "asin", "cosh", "erfinv", "exp", "expm1", "log", "log10", "log1p", "log2"),
    *("reciprocal", "rsqrt", "sinh", "tan", "softplus", "layer_norm", "group_norm", "cdist"),
    *("cosine_similarity", "nll_loss", "nll_loss2d", "cross_entropy_loss", "mse_loss", "l1_loss"),
    *("smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits", "kl_div", "logsumexp"),
    *("pow.Tensor_Scalar", "pow.Tensor_Tensor", "prod", "softmax.int", "log_softmax.int"),
    *("cumsum", "cumprod", "sum", "sum.dim_IntList", "norm.Scalar", "linalg_vector_norm"),
)


def _kernel(name: str, dtype: torch.dtype | None) -> Callable[..., Any]:
    """An operator whose floating arguments on the device are cast first; None: autocast's dtype."""
    base, _, overload = name.partition(".")
    operator = getattr(getattr(torch.ops.aten, base), overload or "default")
    key = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, KEY))

    def call(*args: Any, **kwargs: Any) -> Any:
        target = torch.get_autocast_dtype(NAME) if dtype is None else dtype

        def cast(tensor: Tensor) -> Tensor:
            eligible = tensor.is_floating_point() and tensor.dtype != torch.float64
            return tensor.to(target) if eligible and tensor.device.type == NAME else tensor

        with torch._C._ExcludeDispatchKeyGuard(key):
            args, kwargs = tree_map_only(Tensor, cast, (args, kwargs))
            return operator(*args, **kwargs)

    return call


def register() -> list[torch.library.Library]:
    """Make `torch.autocast("gpu")` work; the libraries end with what is returned."""
    others = torch.library.Library("_", "IMPL", KEY)
    others.fallback(torch.library.fallthrough_kernel)
    own = torch.library.Library("aten", "IMPL", KEY)
    for names, dtype in ((LOWER, None), (FLOAT32, torch.float32)):
        for name in names:
            own.impl(name, _kernel(name, dtype))
    return [others, own]
