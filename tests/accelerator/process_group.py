"""Ranks with a device each: gloo in the place of NCCL, which takes tensors of the device alone."""

from datetime import timedelta
from typing import Any

import torch
from torch import Tensor
from torch import distributed as dist
from torch.utils._pytree import tree_leaves, tree_map_only

from tests.accelerator.device import NAME, DeviceTensor

BACKEND = "device_gloo"


class DeviceGroup(dist.ProcessGroup):
    """The collectives that Lightning, torch's DDP and the product call.

    gloo computes on what the tensors hold. Like NCCL it refuses tensors of the CPU, and every rank
    has a device of its own.
    """

    def __init__(self, store: dist.Store, rank: int, size: int, timeout: timedelta) -> None:
        super().__init__(rank, size)
        self.gloo = dist.ProcessGroupGloo(store, rank, size, timeout)

    def getBackendName(self) -> str:
        return BACKEND

    def _get_backend_name(self) -> str:
        return BACKEND

    def _get_backend(self, device: torch.device) -> dist.Backend:
        return self.gloo  # Lightning's `init_process_group` names the device

    @property
    def _device_types(self) -> list[torch.device]:
        return [torch.device(NAME)]

    def broadcast(self, tensors: list[Tensor], options: dist.BroadcastOptions) -> dist.Work:
        return self._call("broadcast", tensors, options)

    def allreduce(self, tensors: list[Tensor], options: dist.AllreduceOptions) -> dist.Work:
        return self._call("allreduce", tensors, options)

    def allgather(self, parts: Any, tensors: list[Tensor], options: Any = None) -> dist.Work:
        return self._call("allgather", parts, tensors, *([options] if options else []))

    def all_gather_single(self, whole: Tensor, part: Tensor, options: Any = None) -> dist.Work:
        parts = list(whole.view(-1).split(part.numel()))
        return self._call("allgather", [parts], [part.reshape(-1)])

    _allgather_base = all_gather_single  # its name in earlier versions of torch

    def barrier(self, opts: dist.BarrierOptions) -> dist.Work:
        return self.gloo.barrier(opts)

    def _call(self, name: str, *arguments: Any) -> dist.Work:
        leaves = [leaf for leaf in tree_leaves(arguments) if isinstance(leaf, Tensor)]
        own = torch.device(NAME, torch.gpu.current_device())
        for tensor in leaves:
            if tensor.device != own:
                raise RuntimeError(f"{name} of {own}: no backend for a tensor of {tensor.device}")
        inner = tree_map_only(DeviceTensor, lambda tensor: tensor.inner, arguments)
        getattr(self.gloo, name)(*inner).wait()
        done = torch.futures.Future()
        done.set_result(arguments[0])  # DDP goes on with what is in it
        return torch._C._distributed_c10d._create_work_from_future(done)


def register() -> None:
    """Make it the default for tensors of the device; again: nothing happens."""
    if BACKEND in dist.Backend.backend_list:
        return
    dist.Backend.register_backend(BACKEND, DeviceGroup, devices=[NAME])
    # Objects are sent as tensors of "gpu", which torch takes for gpu:0 with a backend in Python.
    dist.distributed_c10d._get_object_coll_device = lambda group=None: torch.device(
        NAME, torch.gpu.current_device()
    )
