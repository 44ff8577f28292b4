"""A finished run in Python: its network, its data and its record."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from omegaconf import OmegaConf

from conf.run_plan import array_files
from launchers.past_config import (
    NotARunError,
    check_present,
    folders_beside,
    past_settings,
    read_run,
)
from records.checkpoints import find_checkpoint
from records.reader import Record
from records.run_folder import RunFolder

if TYPE_CHECKING:
    from torch import nn

    from datamodules.base import TensorDataModule
    from lightning_modules.classifier import Classifier


@dataclass(frozen=True)
class LoadedRun:
    """Result of `load_run`; network and data are loaded at their first use."""

    folder: Path
    record: Record  # record.json
    settings: dict[str, Any]  # of the run, with the present folders
    which: Literal["tested", "last", "best"]

    @cached_property
    def network(self) -> "nn.Module":
        """Pixels in [0, 1] to scores, in eval mode; of an ensemble the first member.

        It needs no data. Raises `NotARunError` if the run is not finished, or has no checkpoint.
        """
        return self.module.members[0].eval()

    @cached_property
    def module(self) -> "Classifier":
        """The LightningModule: all members, the loss, the optimiser."""
        from callbacks.best_network import weights_in
        from callbacks.checkpoint_file import load
        from datamodules.spec import DataSpec
        from lightning_modules.build import build_classifier

        if "spec" not in self.record:  # written at the end
            status = RunFolder(self.folder).with_present_status(self.record)["status"]
            raise NotARunError(
                f"{self.folder}: its status is `{status}`, and networks of finished runs only are "
                "loaded: rerun its command first."
            )
        checkpoint = find_checkpoint(self.folder / "checkpoints")
        if checkpoint is None:
            raise NotARunError(f"{self.folder}: there is no checkpoint of a network.")
        spec = DataSpec.of(self.record["spec"])
        model = {**self.settings["model"], "weights": None}  # those of the checkpoint are loaded
        module = build_classifier(OmegaConf.create({**self.settings, "model": model}), spec)
        which = self.record.get("tested") if self.which == "tested" else {"network": self.which}
        module.load_state_dict(weights_in(load(checkpoint), which))
        return module

    @cached_property
    def data(self) -> "TensorDataModule":
        """The images and labels, as split for the run: `data.train`, `data.test`, `data.spec`.

        They are read again, from `settings["data"]["root"]`. Raises `NotARunError` if they are
        missing or have changed. Changes are not noticed if the run also depends on weights or array
        files and the set has more than 10,000 files.
        """
        from datamodules.build import build_data
        from datamodules.errors import DataError

        try:
            data = build_data(OmegaConf.create(self.settings))
        except DataError:
            check_present(self.settings["data"].get("root"), "load_run(..., root=<folder>)")
            raise
        if self._is_changed(data.fingerprint):
            raise NotARunError(f"{self.folder}: its data are not those that it was trained on.")
        return data

    def _is_changed(self, fingerprint: str | None) -> bool:
        """Whether images with this fingerprint are not those of the run."""
        from launchers.identities import Identities

        trained_on = self.record.get("data_fingerprint")
        if fingerprint is None or trained_on in (None, fingerprint):
            return False
        if not any(array_files(self.record["settings"])):
            return True
        # the recorded digest is of images and array files: the whole set is compared instead
        whole = self.record.get("data_set_fingerprint")
        now = Identities().of_images(self.settings)
        return whole is not None and (now is None or now.whole != whole)


def load_run(
    folder: str | Path,
    which: Literal["tested", "last", "best"] = "tested",
    root: str | Path | None = None,
    **paths: str,
) -> LoadedRun:
    """The network, data and record of a run.

    Args:
        folder: of the run: `runs/<name>/<key>`.
        which: the network that was tested at the end of the run, or the last, or the best one.
        root: where the images are now, if `data.root` of the run was moved.
        paths: `data` and `cache`, if they are not beside the folder `runs`.

    Raises NotARunError if there is no such run, or `root` is set for data that have no folder.
    """
    place = Path(folder).expanduser()
    record = read_run(place)
    moved = None if root is None else str(root)
    settings = past_settings(record, folders_beside(place) | paths, moved)
    return LoadedRun(place, record, settings, which)
