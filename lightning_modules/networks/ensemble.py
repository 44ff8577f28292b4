"""Several networks of one architecture, called on the same images."""

from collections.abc import Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap
from torch.nn.modules.batchnorm import _BatchNorm  # the base of all, without a public name

# On one CPU core 25 LeNets step 1.4 times faster at once than one by one with 4 images, 1.2 times
# with 16, and 0.6 times with 128; MLPs make no difference up to 16 and 0.9 times with 128.
FEW_IMAGES = 16


class Ensemble(nn.Module):
    """Members of one architecture, each an ordinary network with its own weights.

    Members are called one after the other, or all at once with their weights stacked during the
    call. The latter is faster if launching an operation costs more than the operation: on GPUs, and
    for few images.

    Args:
        members: at least one network.
        vectorised: call all members at once; None does so if it is faster. Networks with batch
            normalisation are never vectorised, because its running statistics would be lost.

    Raises:
        ValueError: if there are no members, or members with batch normalisation and
            vectorised=True.

    >>> pair = Ensemble([nn.Linear(3, 2), nn.Linear(3, 2)])
    >>> pair(torch.zeros(5, 3)).shape
    torch.Size([2, 5, 2])
    """

    def __init__(self, members: Sequence[nn.Module], vectorised: bool | None = None) -> None:
        super().__init__()
        if not members:
            raise ValueError("an ensemble of 0 networks: give at least one member")
        if any(isinstance(module, _BatchNorm) for module in members[0].modules()):
            if vectorised:
                raise ValueError(
                    "vectorised=True would lose the running statistics of batch normalisation; "
                    "use vectorised=False, or a network without it (model.network.norm=none)"
                )
            vectorised = False
        self.vectorised = vectorised
        self.members = nn.ModuleList(members)
        # Called with stacked weights; in a list, so that it is not part of the checkpoint.
        self._skeleton = [deepcopy(members[0]).to("meta")] if vectorised is not False else []

    def forward(self, x: Tensor) -> Tensor:
        """Return the scores of all members, of shape (members, B, outputs)."""
        faster = x.is_cuda or len(x) <= FEW_IMAGES
        if faster if self.vectorised is None else self.vectorised:
            return self._all_at_once(x)
        return torch.stack([member(x) for member in self.members])

    def _all_at_once(self, x: Tensor) -> Tensor:
        skeleton = self._skeleton[0].train(self.training)
        states = [dict(m.named_parameters()) | dict(m.named_buffers()) for m in self.members]
        # not `stack_module_state`, whose copies are detached from the members' parameters
        stacked = {name: torch.stack([state[name] for state in states]) for name in states[0]}
        call = vmap(lambda state: functional_call(skeleton, state, (x,)), randomness="different")
        return call(stacked)
