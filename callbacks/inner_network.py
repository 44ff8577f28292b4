"""Networks without their normalisation layer, and normalised images."""

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from callbacks.subject import Subject
from datamodules.split import Split


@dataclass(frozen=True)
class InnerSubject(Subject):
    """A subject whose networks are without their normalisation and whose images are normalised."""

    normalise: nn.Module | None = None

    def images(self, split: Split, index: Tensor | slice | None = None) -> Tensor:
        """Images of a split, normalised."""
        images = super().images(split, index)
        with torch.no_grad():
            return images if self.normalise is None else self.normalise(images)

    def images_in_memory(self, split: Split, index: Tensor) -> Tensor:
        """The same in main memory."""
        images = super().images_in_memory(split, index)
        with torch.no_grad():
            return images if self.normalise is None else deepcopy(self.normalise).cpu()(images)


def behind_normalisation(subject: Subject) -> InnerSubject:
    """The subject in normalised space; the same if the networks do not normalise.

    There geometries and covariances depend neither on the common mean of the images nor on the
    units of the channels.
    """
    assert subject.network is not None
    parts = {name: getattr(subject, name) for name in Subject.__dataclass_fields__}
    inner = [getattr(network, "network", network) for network in subject.networks]
    parts |= {"network": inner[0], "others": tuple(inner[1:])}
    return InnerSubject(**parts, normalise=getattr(subject.network, "normalize", None))
