"""Lightning's view of the device: `accelerator=auto` finds it, as it would find a GPU."""

from typing import Any

import torch
from pytorch_lightning.accelerators import Accelerator, AcceleratorRegistry
from pytorch_lightning.plugins.precision import MixedPrecision, Precision
from pytorch_lightning.strategies import DDPStrategy, SingleDeviceStrategy
from pytorch_lightning.trainer.connectors.accelerator_connector import _AcceleratorConnector

from tests.accelerator import device, process_group

NAME = "python_device"


class DeviceAccelerator(Accelerator):
    """One or more devices of `device.py`."""

    def setup_device(self, device: torch.device) -> None:
        torch.gpu.set_device(device)

    def get_device_stats(self, device: Any) -> dict[str, Any]:
        return {}

    def teardown(self) -> None: ...

    @staticmethod
    def parse_devices(devices: Any) -> list[int]:
        return list(range(device.DEVICES if devices in (-1, "auto") else int(devices)))

    @staticmethod
    def get_parallel_devices(devices: list[int]) -> list[torch.device]:
        return [torch.device(device.NAME, index) for index in devices]

    @staticmethod
    def auto_device_count() -> int:
        return device.DEVICES

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    def name() -> str:
        return NAME


def register() -> None:
    """Make Lightning choose the device where it may choose; again: nothing happens."""
    device.register()
    process_group.register()
    if NAME in AcceleratorRegistry:
        return
    AcceleratorRegistry.register(NAME, DeviceAccelerator)
    choose = _AcceleratorConnector._choose_strategy
    choose_precision = _AcceleratorConnector._check_and_init_precision

    def strategy(connector: _AcceleratorConnector) -> Any:
        if connector._accelerator_flag != NAME or len(connector._parallel_devices) > 1:
            return choose(connector)
        return SingleDeviceStrategy(device=connector._parallel_devices[0])

    def precision(connector: _AcceleratorConnector) -> Precision:
        flag = connector._precision_flag
        if connector._accelerator_flag != NAME or flag not in ("16-mixed", "bf16-mixed"):
            return choose_precision(connector)
        return MixedPrecision(flag, device.NAME)  # Lightning would take CUDA's

    _AcceleratorConnector._choose_strategy = strategy
    _AcceleratorConnector._check_and_init_precision = precision
    _AcceleratorConnector._choose_auto_accelerator = staticmethod(lambda: NAME)
    _AcceleratorConnector._choose_gpu_accelerator_backend = staticmethod(lambda: NAME)
    # With a device id, DDP opens a CUDA stream. The module is on its device already: pass none.
    DDPStrategy.determine_ddp_device_ids = lambda _: None
