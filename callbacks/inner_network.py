"""Networks without their first layer, and images as they leave it."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from callbacks.subject import Subject


@dataclass(frozen=True)
class InnerSubject(Subject):
    """A subject whose networks begin behind their normalisation, and whose images do too."""

    normalise: nn.Module | None = None

    def images(self, split: Any, index: Any = None) -> Tensor:
        """Images of a split, normalised."""
        images = super().images(split, index)
        with torch.no_grad():
            return images if self.normalise is None else self.normalise(images)


def behind_normalisation(subject: Subject) -> InnerSubject:
    """The subject in the space its networks compute in; as it is where they normalise nothing.

    There geometries and covariances are free of the images' common mean and of the channels' units.
    """
    assert subject.network is not None
    parts = {name: getattr(subject, name) for name in Subject.__dataclass_fields__}
    inner = [getattr(network, "network", network) for network in subject.networks]
    parts |= {"network": inner[0], "others": tuple(inner[1:])}
    return InnerSubject(**parts, normalise=getattr(subject.network, "normalize", None))
