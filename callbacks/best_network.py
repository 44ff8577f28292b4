"""The best network so far, by a logged number, and which network a run tests at its end."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_only
from torch import Tensor

from callbacks.checkpoint_file import save
from callbacks.run_record import record_of
from callbacks.trained import callbacks_of

Mode = Literal["auto", "min", "max"]
MONITOR = "validation/loss"
SMALL_IS_GOOD = ("loss", "error", "penalty")
STATE = ("value", "epoch", "step", "weights")  # saved in a checkpoint


def direction(monitor: str, mode: Mode) -> Literal["min", "max"]:
    """Whether small or large values of a number are good.

    >>> direction("validation/loss", "auto"), direction("validation/auroc", "auto")
    ('min', 'max')
    """
    if mode != "auto":
        return mode
    return "min" if any(word in monitor for word in SMALL_IS_GOOD) else "max"


class BestNetwork(pl.Callback):
    """Keeps the weights of the epoch with the best value of a number; of equal values the first.

    Epochs in which the number `monitor` is not measured or not finite are ignored. Every checkpoint
    has the best weights too, so a resumed run has them; `best.ckpt` is a copy of them.
    """

    def __init__(self, folder: Path, monitor: str = MONITOR, mode: Mode = "auto") -> None:
        self.file = folder / "best.ckpt"
        self.monitor, self.mode = monitor, direction(monitor, mode)
        self.value: float | None = None
        self.epoch = self.step = 0
        self.weights: dict[str, Tensor] = {}
        self.measured = 0  # the last epoch in which the number was measured
        self._written = 0  # epoch of the network in best.ckpt

    def on_fit_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """In a resumed run best.ckpt may be of another epoch than the checkpoint."""
        self.write()

    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Compare, after the probes that log the number and before the checkpoint."""
        record, epoch = record_of(trainer.loggers), trainer.current_epoch + 1
        value = trainer.strategy.broadcast(record.rows.value(self.monitor, epoch))
        if epoch == 1 and value is None:
            logged = sorted(name for name in record.rows.names if not name.startswith("time/"))
            text = f"{self.monitor}: not measured in epoch 1; measured are {', '.join(logged)}"
            record.note(text)
        if value is None or not math.isfinite(value):
            return
        self.measured = epoch
        if self._is_better(value):
            self.value, self.epoch, self.step = value, epoch, trainer.global_step
            self.weights = {
                name: tensor.detach().to("cpu", copy=True)
                for name, tensor in pl_module.state_dict().items()
            }

    def _is_better(self, value: float) -> bool:
        if self.value is None:
            return True
        return value < self.value if self.mode == "min" else value > self.value

    @rank_zero_only
    def write(self) -> None:
        """Write best.ckpt, unless it has this network already."""
        if self.weights and self._written != self.epoch:
            facts = {"monitor": self.monitor, "mode": self.mode, "value": self.value}
            content = {"state_dict": self.weights, "epoch": self.epoch, "step": self.step, **facts}
            save(content, self.file)
            self._written = self.epoch

    def state_dict(self) -> dict[str, Any]:
        """The best network and its value."""
        return {name: getattr(self, name) for name in STATE}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore it."""
        for name in STATE:
            setattr(self, name, state_dict[name])


def best_of(trainer: pl.Trainer) -> BestNetwork | None:
    """The callback that keeps the best network; None if there is none."""
    found = (one for one in callbacks_of(trainer) if isinstance(one, BestNetwork))
    return next(found, None)


def use_selected(trainer: pl.Trainer, module: pl.LightningModule, select: str) -> dict[str, Any]:
    """After training, load the network to be tested into the module; returns facts for the record.

    `select` is `last` or `best`.
    """
    best, record = best_of(trainer), record_of(trainer.loggers)
    if best is None:
        return {}
    last = record.rows.progress
    facts = {"monitor": best.monitor, "mode": best.mode, "best_epoch": best.epoch}
    facts |= {"best_value": best.value, "network": "last", "epoch": last[0], "step": last[1]}
    if best.value is None:  # never measured
        return facts
    if select == "best":
        with torch.no_grad():
            module.load_state_dict(best.weights)
        record.selected = (best.epoch, best.step)
        facts |= {"network": "best", "epoch": best.epoch, "step": best.step}
    return facts


def weights_in(
    checkpoint: Mapping[str, Any], tested: Mapping[str, Any] | None
) -> dict[str, Tensor]:
    """The weights of the last network or of the best one; ValueError if no best one was kept.

    Args:
        checkpoint: content of last.ckpt, which has both.
        tested: entry `tested` of the record, as made by `use_selected`; None: the last network.
    """
    if not tested or tested["network"] == "last":
        return checkpoint["state_dict"]
    best = checkpoint["callbacks"].get(BestNetwork.__qualname__) or {}
    if not best.get("weights"):
        raise ValueError("no best network was kept; it needs data.validation or stop=early.")
    return best["weights"]


def moment_of(tested: Mapping[str, Any] | None) -> tuple[int, int] | None:
    """Epoch and step of the best network, if it is tested; None for the last."""
    if not tested or tested["network"] == "last":
        return None
    return int(tested["epoch"]), int(tested["step"])
