"""A network with its normalisation in front."""

from torch import Tensor, nn

from lightning_modules.networks.network import Network
from lightning_modules.networks.normalize import Normalize


class Pipeline(nn.Module):
    """Pixels in [0, 1] to scores: network(normalize(x)).

    Gradients, attacks and certificates taken through it are in pixel units for every normalisation.

    >>> from lightning_modules.networks.mlp import MLP
    >>> pipeline = Pipeline(Normalize("none"), MLP(in_channels=1, size=8, outputs=2))
    >>> pipeline.head
    Linear(in_features=100, out_features=2, bias=True)
    """

    def __init__(self, normalize: Normalize, network: Network) -> None:
        super().__init__()
        self.normalize = normalize
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        """Return the scores, of shape (B, outputs)."""
        return self.network(self.normalize(x))

    def reset_parameters(self) -> None:
        """Redraw the network's parameters in place."""
        self.network.reset_parameters()

    @property
    def head(self) -> nn.Module:
        """The network's last layer."""
        return self.network.head

    @property
    def lipschitz(self) -> float | None:
        """Bound on the L2 Lipschitz constant from pixels to scores, where both parts have one."""
        before, after = self.normalize.lipschitz, getattr(self.network, "lipschitz", None)
        return None if before is None or after is None else before * after

    @property
    def symmetries(self) -> tuple[str, ...]:
        """The network's; if pixels are shifted first, without symmetries that change signs."""
        own = self.network.symmetries
        moves = ("d4", "flips", "transpose")
        return own if self.normalize.kind == "none" else tuple(set(own) & set(moves))

    @property
    def patch(self) -> int | None:
        """The network's side of a patch."""
        return self.network.patch
