"""A second device in Python: `gpu:0` to `gpu:2`, which compute on the CPU and refuse to be mixed.

`register()` turns torch's private backend into the device type `gpu`. A tensor there holds a CPU
tensor; every operation unwraps, checks that all tensors are on one device as CUDA does, computes on
the CPU, and wraps. So numbers equal the CPU's, and a forgotten `.to(device)` raises.
"""

from typing import Any

import torch
from torch import Tensor
from torch.utils._mode_utils import no_dispatch
from torch.utils._pytree import tree_leaves, tree_map_only
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from tests.accelerator import generators, mixed_precision, transfers
from tests.accelerator.batch_norm_kernels import KERNELS

NAME = "gpu"
DEVICES = 3
CPU = torch.device("cpu")
aten = torch.ops.aten

# Copies between devices. Indices may be on the CPU where the indexed tensor is on a device.
COPIES = {aten.copy_.default, aten._to_copy.default}
READS = {aten._local_scalar_dense.default, aten.equal.default, aten.is_nonzero.default}
INDEXED = {aten.index.Tensor, aten.index_put_.default, aten.index_put.default}
INDEXED |= {aten._index_put_impl_.default, aten._unsafe_index.Tensor}
# Lazy conjugates: operators do not see their mark in here.
PHYSICAL = {
    aten._conj.default: aten.conj_physical.default,
    aten._neg_view.default: aten.neg.default,
}
# Elsewhere CUDA takes CPU tensors without dimensions for numbers.
NO_NUMBERS = {aten.cat.default, aten.stack.default}


USED: set[str] = set()  # devices of this process with results


class DeviceTensor(Tensor):
    """A tensor on `gpu:0`, `gpu:1` or `gpu:2`; `inner` has its values on the CPU."""

    inner: Tensor

    @staticmethod
    def __new__(cls, inner: Tensor, device: torch.device) -> "DeviceTensor":
        outer = Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            layout=inner.layout,
            device=device,
        )
        outer.inner = inner
        return outer

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return compute(func, args, kwargs or {})

    def numpy(self, *, force: bool = False):
        if not force:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() first"
            )
        return self.cpu().numpy(force=True)

    def __array__(self, dtype=None):
        return self.numpy()

    def tolist(self):
        return self.cpu().tolist()

    def untyped_storage(self):
        return self.inner.untyped_storage()

    def data_ptr(self) -> int:
        return self.inner.data_ptr()

    def __repr__(self, *, tensor_contents=None):
        return repr(self.inner.detach().requires_grad_(self.requires_grad))  # as examples print it

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = _like(self, self.detach().clone(), memo)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        if transfers.SAVING:  # a file: whoever loads it chooses the device by `map_location`
            transfers.count(self.device, CPU, self.numel() * self.element_size())
            return self.inner.detach().__reduce_ex__(protocol)
        return restore, (self.inner.detach(), str(self.device), self.requires_grad)


def _like(old: DeviceTensor, new: Tensor, memo: dict[int, Any]) -> Tensor:
    new.requires_grad_(old.requires_grad)
    if getattr(old, "_is_param", False):
        new._is_param = True
    if old.is_leaf and old.grad is not None:
        new.grad = old.grad.__deepcopy__(memo)
    return new


def restore(inner: Tensor, device: str, learns: bool) -> Tensor:
    """A tensor from another process, on the device that it was on there."""
    return DeviceTensor(inner, torch.device(device)).requires_grad_(learns)


def compute(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operator on the CPU, and give its results the device of its arguments."""
    leaves = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    source = _device_of(func, args, leaves)
    target = kwargs.get("device")
    target = source if target is None else _with_index(torch.device(target))
    if func is aten.copy_.default:
        target = args[0].device
        source = args[1].device
    if func in READS:
        transfers.count(source, CPU, 1)
    elif target != source and leaves:
        moved = args[1] if func is aten.copy_.default else leaves[0]
        transfers.count(source, target, moved.numel() * moved.element_size())
    elif source.type == NAME and _has_unknown_size(func, leaves):
        transfers.count(source, CPU, 1)  # the host waits for the number of results
    func = PHYSICAL.get(func, func)
    inner_args, inner_kwargs = tree_map_only(DeviceTensor, lambda t: t.inner, (args, kwargs))
    if "device" in inner_kwargs:
        inner_kwargs["device"] = CPU
    with generators.drawn_on(target, func, inner_kwargs):
        result = KERNELS.get(func, func)(*inner_args, **inner_kwargs)
    known = {id(t.inner if isinstance(t, DeviceTensor) else t): t for t in leaves}
    if func._schema.is_mutable:
        for leaf in leaves:
            _follow_shape(leaf)

    def wrap(tensor: Tensor) -> Tensor:
        if id(tensor) in known and func._schema.is_mutable:
            return known[id(tensor)]
        if target.type == "cpu":
            return tensor
        USED.add(str(target))
        wrapped = DeviceTensor(tensor, target)
        if is_view:
            _share_storage(wrapped, leaves[0])
        return wrapped

    is_view = bool(leaves) and any(r.alias_info for r in func._schema.returns)
    return tree_map_only(Tensor, wrap, result)


def _device_of(func: Any, args: tuple[Any, ...], leaves: list[Tensor]) -> torch.device:
    """The one device of an operator's tensors; an error where there are two."""
    if not leaves:
        return CPU
    checked = leaves
    if func in COPIES:
        return leaves[-1].device
    if func in INDEXED and leaves[0].device != CPU:
        checked = [t for t in leaves if t.device != CPU]
        values = args[2] if len(args) > 2 and isinstance(args[2], Tensor) else leaves[0]
        checked += [values] if values.dim() else []
    device = next((t.device for t in checked if t.device != CPU), CPU)
    for tensor in checked:
        number = tensor.device == CPU and not tensor.dim() and func not in NO_NUMBERS
        if tensor.device != device and not (number and not _is_changed(func, args, tensor)):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{device} and {tensor.device}! (when calling {func})"
            )
    return device


def _has_unknown_size(func: Any, leaves: list[Tensor]) -> bool:
    """Whether the number of results depends on values: `nonzero`, `unique`, `x[x > 0]`."""
    if func in INDEXED:
        return any(index.dtype in (torch.bool, torch.uint8) for index in leaves[1:])
    return torch.Tag.dynamic_output_shape in func.tags


def _is_changed(func: Any, args: tuple[Any, ...], tensor: Tensor) -> bool:
    return func._schema.is_mutable and bool(args) and args[0] is tensor


def _with_index(device: torch.device) -> torch.device:
    if device.type != NAME:
        return device
    index = torch.gpu.current_device() if device.index is None else device.index
    if index >= DEVICES:
        raise RuntimeError(f"{device}: there are {DEVICES} devices of this type")
    return torch.device(NAME, index)


def _follow_shape(tensor: Tensor) -> None:
    """After an operator that changed the shape of its argument."""
    if isinstance(tensor, DeviceTensor):
        inner = tensor.inner
        if (tensor.shape, tensor.stride()) != (inner.shape, inner.stride()):
            _share_storage(tensor, tensor)


def _share_storage(view: DeviceTensor, base: DeviceTensor) -> None:
    """Let torch know that a tensor is a view, else it adds gradients up in place of others."""
    inner = view.inner
    before = torch._C._meta_in_tls_dispatch_include()
    torch._C._set_meta_in_tls_dispatch_include(True)
    try:
        with no_dispatch():
            aten.set_.source_Storage_storage_offset(
                view,
                Tensor.untyped_storage(base),
                inner.storage_offset(),
                inner.shape,
                inner.stride(),
            )
    finally:
        torch._C._set_meta_in_tls_dispatch_include(before)


def _factories() -> list[str]:
    """Operators that make tensors from numbers on a device that is given."""
    names = []
    for name in torch._C._dispatch_get_all_op_names():
        if not name.startswith("aten::"):
            continue
        schema = torch._C._dispatch_find_schema_or_throw(*_split(name))
        text = str(torch._C._get_schema(*_split(name))) if schema else ""
        arguments = text.split("->")[0]
        if "Device? device" in arguments and "Tensor" not in arguments:
            names.append(name)
    return names


def _split(name: str) -> tuple[str, str]:
    base, _, overload = name.partition(".")
    return base, overload


def register() -> None:
    """Make the device type `gpu` known to torch in this process; again: nothing happens."""
    if hasattr(torch, NAME):
        return
    _setup_privateuseone_for_python_backend(NAME, generators.BackendModule(DEVICES))
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    torch.Generator = generators.Generator
    _differentiate_in_one_thread()
    transfers.watch_saving()
    library = torch.library.Library("aten", "IMPL")
    for name in _factories():
        base, overload = _split(name)
        func = getattr(getattr(aten, base.removeprefix("aten::")), overload or "default")
        library.impl(name, _factory(func), "PrivateUse1")
    library.impl("_copy_from", _copy_from, "PrivateUse1")  # `torch.tensor(..., device=)` uses it
    libraries = [library, *mixed_precision.register()]
    register.libraries = libraries  # type: ignore[attr-defined]  # deleted with their operators else


def _differentiate_in_one_thread() -> None:
    """autograd has threads for gpu:0 alone of a backend in Python; a thread's setting, it is lost
    inside `inference_mode`.
    """
    torch.autograd.set_multithreading_enabled(False)
    enter = torch.inference_mode.__enter__

    def enter_in_one_thread(mode: torch.inference_mode) -> None:
        enter(mode)
        torch._C._set_multithreading_enabled(False)

    torch.inference_mode.__enter__ = enter_in_one_thread


def _copy_from(source: Tensor, target: Tensor, non_blocking: bool = False) -> Tensor:
    return compute(aten.copy_.default, (target, source), {})


def _factory(func: Any) -> Any:
    def make(*args: Any, **kwargs: Any) -> Tensor:
        return compute(func, args, kwargs)

    return make
