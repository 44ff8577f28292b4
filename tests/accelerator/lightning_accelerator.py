"""Lightning's view of the device: `accelerator=auto` finds it, as it would find a GPU."""

from typing import Any

import torch
from pytorch_lightning.accelerators import Accelerator, AcceleratorRegistry
from pytorch_lightning.strategies import SingleDeviceStrategy
from pytorch_lightning.trainer.connectors.accelerator_connector import _AcceleratorConnector

from tests.accelerator import device

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
    if NAME in AcceleratorRegistry:
        return
    AcceleratorRegistry.register(NAME, DeviceAccelerator)
    choose = _AcceleratorConnector._choose_strategy

    def strategy(connector: _AcceleratorConnector) -> Any:
        if connector._accelerator_flag != NAME or len(connector._parallel_devices) > 1:
            return choose(connector)
        return SingleDeviceStrategy(device=connector._parallel_devices[0])

    _AcceleratorConnector._choose_strategy = strategy
    _AcceleratorConnector._choose_auto_accelerator = staticmethod(lambda: NAME)
