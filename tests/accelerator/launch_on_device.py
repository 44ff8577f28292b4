"""`launch.py` with the device, as a rank of `trainer=ddp` runs it: python <this file> settings.

The last line that it prints says where operators ran and how often `SyncBatchNorm` normalised.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import launch
from tests.accelerator import batch_norm_kernels, device, lightning_accelerator

if __name__ == "__main__":
    lightning_accelerator.register()
    code = launch.main()
    where, times = ", ".join(sorted(device.USED)), batch_norm_kernels.CALLS["elements"]
    print(f"computed on {where}; SyncBatchNorm normalised {times} times", flush=True)
    sys.exit(code)
