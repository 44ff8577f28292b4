"""Repeat failed measurements of a finished run without training."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytorch_lightning as pl

from callbacks.best_network import weights_in
from callbacks.checkpoint_file import load
from callbacks.probe import Probe
from callbacks.run_record import progress_of

Failure = Mapping[str, Any]  # entry of the record: probe, epoch, last, note


def measurable(failures: Iterable[Failure], probes: Iterable[Probe]) -> list[Failure]:
    """The failed measurements that can be repeated: networks are not saved during training."""
    known = {probe.name: probe for probe in probes}
    return [
        one
        for one in failures
        if one["probe"] in known
        and (one["last"] or one["epoch"] == 0 or not known[one["probe"]].needs_network)
    ]


class MeasureAgain(pl.Callback):
    """Repeats measurements in the test stage of a trainer that has not trained.

    Args:
        failures: measurements to repeat.
        early: probes for the untrained network and the data.
        late: new copies of them for the trained network, which get their state in the checkpoint.
        checkpoint: file with the trained network.
        tested: which network of the checkpoint, as in the record; None: the last.
    """

    def __init__(
        self,
        failures: Sequence[Failure],
        early: Sequence[Probe],
        late: Sequence[Probe],
        checkpoint: Path,
        tested: Mapping[str, Any] | None = None,
    ) -> None:
        self.failures = failures
        self.early = {probe.name: probe for probe in early}
        self.late = {probe.name: probe for probe in late}
        self.checkpoint, self.tested = checkpoint, tested

    def on_test_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        """Measure the untrained network, then the trained one."""
        for one in self.failures:
            if not one["last"]:
                self.early[one["probe"]].measure_at(trainer, pl_module, one["epoch"], 0, last=False)
        final = [one for one in self.failures if one["last"]]
        if not final:
            return
        state = load(self.checkpoint)
        pl_module.load_state_dict(weights_in(state, self.tested))
        step = progress_of(trainer)[1]
        for one in final:
            probe = self.late[one["probe"]]
            if own := state["callbacks"].get(probe.state_key):
                probe.load_state_dict(own)
            probe.measure_at(trainer, pl_module, one["epoch"], step, last=True)
