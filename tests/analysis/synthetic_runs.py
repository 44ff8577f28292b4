"""Run folders drawn from a known law, as `launch.py` would have left them."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from records.key import key_of

A = 7.5  # level of the law
SLOPE = 2e4  # loss penalty per K_F, at eps = 1/255
MEDICAL = {"brats": (11.0, 2.0e-4), "dbc": (16.8, 3.1e-4), "oai": (8.6, 3.4e-4)}
NATURAL = {"mnist": (9.3, 1.6e-4), "cifar10": (16.3, 0.6e-4), "svhn": (12.5, 1.0e-4)}


def settings(model: str, data: str, domain: str, n: int, seed: int, **data_settings: Any) -> dict:
    channels = 3 if data in ("cifar10", "svhn", "isic") else 1
    return {
        "model": {"name": model},
        "data": {"name": data, "domain": domain, "size": 32, "channels": channels} | data_settings,
        "task": {"_target_": "datamodules.tasks.default.default", "kind": "all", "noise": 0.0},
        "n": n,
        "seed": seed,
        "epochs": 20,
    }


def write_record(root: Path, settings: dict, scalars: dict | None = None, **facts: Any) -> Path:
    """One `record.json`, of a finished run unless the facts say otherwise."""
    key = key_of(settings | {"protocol": facts.get("protocol", "corrected")})
    record = {
        "key": key,
        "status": "done",
        "settings": settings,
        "scalars": scalars or {},
        "started": "2026-01-01T00:00:00+00:00",
        "finished": "2026-01-01T00:01:00+00:00",
        "standin": False,
        "protocol": "corrected",
        "preset": "cpu",
        "command": "python launch.py -m model=a,b data=c,d n=1,2 preset=cpu 'name=a b'",
        **facts,
    }
    folder = root / key
    folder.mkdir(parents=True)
    (folder / "record.json").write_text(json.dumps(record))
    rows = [f"0,0,{name},{value}" for name, value in record["scalars"].items()]
    (folder / "metrics.csv").write_text("\n".join(["epoch,step,name,value", *rows]) + "\n")
    return folder


def law(n: int, d: float, k_f: float) -> float:
    """Loss by law A."""
    return math.exp(A - math.log(n) / d + math.log(k_f))


def scalars(n: int, d: float, k_f: float, noise: float = 0.0) -> dict[str, float]:
    """What a run on such data would have measured; `noise` shifts log L."""
    numbers = {
        "data/d_mle": d,
        "data/d_mle_low": 0.95 * d,
        "data/d_mle_high": 1.05 * d,
        "data/d_twonn": 1.1 * d,
        "data/k_f": k_f,
        "data/k_f_low": 0.9 * k_f,
        "data/k_f_high": 1.1 * k_f,
        "data/k_f_rms": 255 * 32 * k_f,
        "test/loss": law(n, d, k_f) * math.exp(noise),
        "test/accuracy": 0.95 - 0.01 * d,
        "train/d_repr_mle/penultimate": 0.6 * d,
        "train/d_repr_twonn/penultimate": 0.7 * d,
    }
    for level in (1, 2, 4, 8):
        numbers[f"test/fgsm_loss_penalty@{level}"] = level * SLOPE * k_f * math.exp(noise / 3)
        numbers[f"test/fgsm_accuracy_penalty@{level}"] = min(0.9, level * SLOPE * k_f / 40)
    return numbers


def write_grid(
    root: Path,
    models: tuple[str, ...] = ("resnet18", "vgg13"),
    sizes: tuple[int, ...] = (500, 1000, 1750),
    scatter: float = 0.1,
    seeds: int = 2,
    seed: int = 0,
    sets: dict[str, dict[str, tuple[float, float]]] | None = None,
    **facts: Any,
) -> None:
    """The main grid: medical sets with one seed, natural ones with several class pairs."""
    random = np.random.default_rng(seed)
    for domain, members in (sets or {"medical": MEDICAL, "natural": NATURAL}).items():
        for data, (d, k_f) in members.items():
            for pair in range(seeds if domain == "natural" else 1):
                sharper = k_f * math.exp(0.1 * random.normal())
                for n in sizes:
                    for model in models:
                        noise = scatter * random.normal()
                        write_record(
                            root,
                            settings(model, data, domain, n, pair),
                            scalars(n, d * (n / 1000) ** -0.05, sharper, noise),
                            **facts,
                        )
