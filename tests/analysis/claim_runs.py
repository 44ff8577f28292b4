"""Runs in which a claim is true, or its opposite: for every claim that rests on seeds."""

import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tests.analysis.synthetic_runs import settings, write_record

SEEDS = range(10)  # as many as the sign test needs to reject in one of 25 cells


def spread(own: dict[str, Any], name: str) -> float:
    """Up to 1e-5, another for every run and number: without spread there is no interval."""
    return 1e-5 * zlib.crc32(f"{own}{name}".encode()) / 2**32


def run(
    root: Path,
    experiment: str,
    model: str,
    seed: int,
    scalars: dict[str, float],
    arrays: dict[str, np.ndarray] | None = None,
    curves: dict[str, float] | None = None,
    data: str = "cifar10",
    n: int = 1000,
    facts: dict[str, Any] | None = None,
    **changes: Any,
) -> None:
    """One finished run; facts are entries of its record, changes settings with __ for dots."""
    own = settings(model, data, "natural", n, seed)
    own["made_for"] = experiment  # runs of equal settings are one run, whatever they are for
    for name, value in changes.items():
        node = own
        *path, last = name.split("__")
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value
    folder = write_record(
        root,
        own,
        {name: value + 1e-4 * seed + spread(own, name) for name, value in scalars.items()},
        command=f"python launch.py -m experiment={experiment}",
        spec={"classes": list(map(str, range(10)))},
        **(facts or {}),
    )
    for name, values in (arrays or {}).items():
        (folder / "arrays").mkdir(exist_ok=True)
        np.savez(folder / "arrays" / f"{name}.npz", values=values)
    with (folder / "metrics.csv").open("a") as file:
        file.writelines(
            f"{e},{e},{name},{v + spread(own, name)}\n"
            for name, v in (curves or {}).items()
            for e in (1, 2)
        )


def movahedi(root: Path, sign: int, seeds=SEEDS) -> None:
    gain = 0.2 * sign
    paper = "movahedi2025"
    for seed in seeds:
        for u2 in (1, -1):
            accuracy = {"test/accuracy": 0.7 + gain * (u2 == 1)}
            run(root, f"{paper}/plane", "lenet", seed, accuracy, data__law__u2=u2)
            flat = {"test/accuracy": 0.9 + (0.2 * (u2 == 1) if sign < 0 else 0)}
            run(root, f"{paper}/plane", "mlp", seed, flat, data__law__u2=u2)
        for direction in (0, 100):
            falls = {"test/accuracy": 0.6 + gain * (direction == 0)}
            run(root, f"{paper}/directions", "lenet", seed, falls, task__direction=direction,
                task__kind="linear")  # fmt: skip
            law = {"data__law__direction": direction, "data__law__kind": "linear"}
            run(root, f"{paper}/isotropic", "lenet", seed, falls, **law)
            flat = {"test/accuracy": 0.9 + (0.2 * (direction == 0) if sign < 0 else 0)}
            run(root, f"{paper}/isotropic", "mlp", seed, flat, **law)
            line = {"test/accuracy@linear": 0.7 + gain * (direction == 0)}
            line["test/accuracy@nonlinear"] = 0.7
            run(root, f"{paper}/simplicity", "lenet", seed, line, data__law__u1=direction)
        for which in ("geometry", "random"):
            for count in (0, 300, 1000):
                value = {"test/accuracy": 0.7 + gain * (which == "geometry" and count > 0)}
                run(root, f"{paper}/elimination", "lenet", seed, value,
                    data__transforms={"remove": {"which": which, "count": count}})  # fmt: skip
        for by in ("score", "random"):
            for fraction in (0.3, 0.9):
                value = {"test/accuracy": 0.5 + gain * (by == "score")}
                run(root, f"{paper}/pruning", "lenet", seed, value,
                    data__transforms={"prune": {"by": by, "fraction": fraction}})  # fmt: skip
        for name in ("evolution", "random_labels"):
            corr = {"geometry/corr_gsg": 0.5 + gain, "geometry/corr_s": 0.5}
            run(root, f"{paper}/{name}", "lenet", seed, corr)
        for flip in (False, True):
            level = 0.5 + gain * (not flip)
            run(root, f"{paper}/velocity", "lenet", seed, {}, data__law__flip=flip,
                curves={"train/running_accuracy": level + 0.001 * seed,
                        "geometry/velocity": level + 0.001 * seed})  # fmt: skip
        for model in ("perceptron", "linear_convnet"):
            for width in (4, 64):
                corr = -0.78 - gain * (width == 64)
                scalars = {"geometry/delta_corr_s": corr, "geometry/delta_corr_gsg": corr}
                run(
                    root, f"{paper}/width", model, seed, scalars, model__network={"widths": [width]}
                )


def brandao(root: Path, sign: int, seeds=SEEDS) -> None:
    off = 0.0 if sign > 0 else 0.3
    for seed in seeds:
        for level in (0, 0.25, 0.5, 1.0):
            numbers = {
                "train/log_spectrum_mean": 1 + sign * 0.2 * level,
                "test/log_spectrum_mean": 1 + sign * 0.2 * level + off,
                "train/left_mass": 0.1 + off,
                "train/lognormal_r2/left": 0.99 - off,
                "train/lognormal_r2/right": 0.98,
                **({"train/spectrum_trough": -1.0} if sign > 0 else {}),
            }
            run(root, "brandao2023/label_noise", "mlp_1x512", seed, numbers, task__noise=level)
            run(root, "brandao2023/dataset_noise", "mlp_1x512", seed, numbers,
                data__transforms={"mixture": {"components": int(100 * level)}})  # fmt: skip


def prach(root: Path, sign: int, seeds=SEEDS) -> None:
    paper, distance = "prach2025", np.linspace(1, 2, 100)
    for seed in seeds:
        for place, n in enumerate((48, 195, 781, 3125, 12500)):
            bend = 1 if sign > 0 else (-1) ** place
            both = {"test/accuracy": 0.2 + (0.05 if sign > 0 else 0.01) * bend * math.log2(n) / 2}
            both["test/cra@36"] = 0.2 + 0.02 * bend * math.log2(n) / 2
            near = distance < 1.4 if sign > 0 else distance > 1.6
            near &= (np.arange(100) >= seed) & (np.arange(100) < 100 - seed)
            arrays = {"test_certified_radius@10": np.where(near, 0.5, np.nan)}
            arrays |= {f"data_nearest_{k}@0": np.stack([distance] * 2) for k in ("l2", "angular")}
            run(root, f"{paper}/data_scaling", "aol_mlp", seed, both, arrays, n=n)
        facts = {"data/d_star/l2": 28 - 5 * (sign < 0), "data/log10_n_at_1/l2": 31 - 9 * (sign < 0)}
        run(root, f"{paper}/neighbours", "none", seed, facts, n=50_000)
        for n in (148, 1024):
            robust = {"data/nn_accuracy": 1.0, "data/nn_cra@31.875": 0.9999 if sign > 0 else 0.5}
            law = {"data__law": {"dimension": 1, "per_side": 2}, "data": "cells"}
            run(root, f"{paper}/bound", "none", seed, robust, n=n, **law)
        for keep in ([[0, 512]], [[512, 1024]], [[0, 3072]]):
            whole, weak = keep == [[0, 3072]], keep[0][0] > 0
            good = 0.8 if whole or sign > 0 else 0.2
            run(root, f"{paper}/components", "simple_convnet", seed, {"test/accuracy": good},
                data__transforms={"components": {"keep": keep}})  # fmt: skip
            cra = {"test/cra@36": 0.6 if whole or (weak and sign < 0) else 0.1}
            run(root, f"{paper}/components", "aol_mlp", seed, cra,
                data__transforms={"components": {"keep": keep}})  # fmt: skip
        for t in (0.0, 0.03, 0.1):
            pair = {"test/accuracy": 0.93 - (2 * t if sign > 0 else 0), "test/cra@36": 0.1 + 5 * t}
            run(root, f"{paper}/tradeoff", "lcn_aol", seed, pair, loss={"t": t})
