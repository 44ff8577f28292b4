"""The GPUs of this machine, found without importing torch."""

import os
import platform
from collections.abc import Iterable
from pathlib import Path

from records.provenance import versions

NVIDIA = Path("/proc/driver/nvidia/gpus")
OTHERS = (Path("/dev/kfd"), Path("/dev/dxg"))  # AMD; any GPU inside Windows' Linux
NEEDS_GPU = ("gpu", "cuda", "mps")


def visible_gpus() -> list[str]:
    """Names of the NVIDIA GPUs that this process may use.

    Those in `CUDA_VISIBLE_DEVICES` if it is set, else all that NVIDIA's driver lists.
    """
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [name.strip() for name in named.split(",") if name.strip() not in ("", "-1")]
    return [str(i) for i in range(len(list(NVIDIA.iterdir())))] if NVIDIA.is_dir() else []


def gpu_problem(accelerators: Iterable[str]) -> str:
    """Why a GPU that `trainer.accelerator` requests cannot be used; empty if it can or may be."""
    requested = [name for name in accelerators if name in NEEDS_GPU]
    if not requested:
        return ""
    setting = f"`trainer.accelerator={requested[0]}`"
    way_out = "leave out trainer=..., or use trainer=cpu."
    if platform.system() == "Darwin" or "mps" in requested:
        return f"{setting}: Apple's GPUs have no float64, which measurements need; {way_out}"
    torch = versions()["torch"]
    if torch.endswith("+cpu"):
        return f"{setting}: the installed torch {torch} is built for CPUs; {way_out}"
    if visible_gpus() or any(path.exists() for path in OTHERS):
        return ""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    why = "no NVIDIA driver lists any" if hidden is None else f"CUDA_VISIBLE_DEVICES={hidden!r}"
    return f"{setting}: no GPU is visible here ({why}); {way_out}"
