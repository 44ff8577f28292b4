"""Gradients of random networks at random points, and how many of them to take per network."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_finite, check_type
from metrics.functional.factor import gram
from metrics.functional.geometry import Geometry
from metrics.functional.independent_images import check_independent_images
from metrics.functional.initialisation import Initialisation
from metrics.functional.input_gradients import Scalar, input_gradients
from metrics.functional.random_head import RandomHead, linear_head

MOST_HEADS = 8  # per point; then its forward pass is a tenth of the cost
MOST_ROWS = 64  # activations of 64 images through a ResNet-18 at 32 px take 0.7 GB


class RandomRows:
    """Gradient rows of random networks; arguments are those of `average_geometry`.

    The rows of network i depend on (seed, i) alone.
    """

    def __init__(
        self,
        build: Callable[[], nn.Module],
        shape: tuple[int, int, int],
        sigma: float,
        heads: int | None,
        scalar: Scalar,
        seed: int,
    ) -> None:
        self._law = Initialisation(build, seed)
        check_type("what build() returns", self._law.model, nn.Module)
        self.shape, self._sigma, self._heads = shape, sigma, heads
        self._scalar = scalar
        # probes have its device and dtype
        self._weight = next(self._law.model.parameters(), torch.zeros(()))
        with self._law.stream(-4):
            check_independent_images(self._law.model, self._weight.new_empty(2, *shape).normal_())
        layer = linear_head(self._law.model, self._weight.new_zeros(1, *shape))
        free = layer is not None and self._law.replayed
        if heads is not None and heads > 1 and not free:
            raise ValueError(
                f"heads={heads}, but the network does not end in one nn.Linear that can be redrawn "
                "on its own; use heads=1"
            )
        self._head = RandomHead(self._law, layer, scalar) if layer and free else None
        # two at first, so that a pilot can measure the correlation of heads that share a point
        self.heads_a_point = 2 if self._head is not None and heads is None else 1

    def draw(self, index: int, count: int) -> Tensor:
        """`count` rows (count, D) of network `index`, each with its own head if possible.

        `heads_a_point` rows in succession share a probe point.
        """
        points = count // math.gcd(count, self.heads_a_point)
        with self._law.stream(index):
            model = self._law.draw()
            x = self._sigma * self._weight.new_empty(points, *self.shape).normal_()
            if self._head is None or self._heads == 1:
                return input_gradients(model, x, self._scalar)
            heads = self._head.draw(min(self._heads or count, count))
            heads = heads.repeat(math.ceil(count / len(heads)), 1)[:count]
            return self._head.gradients(model, x, heads)

    def best_rows(self, pilot: list[Tensor]) -> int:
        """K = sqrt(cost of a network / cost of a row x (1 - rho) / rho), up to a power of two.

        rho is the correlation of two rows of a network, estimated from a pilot. The number of heads
        per point is chosen in the same way, with rho_x the correlation of its rows:
        sqrt(cost of a forward / of a backward pass x (1 - rho_x) / (rho_x - rho)).
        """
        rows = check_finite("the gradients of random networks", torch.cat(pilot))
        if not rows.any():
            Geometry.from_rows(rows[:1], self.shape).check_nonzero()  # raises an error with causes
        shared = self.heads_a_point
        rho = max(row_correlation([part[::shared] for part in pilot]), 1e-4)
        if shared > 1:
            rho_x = row_correlation([pair for part in pilot for pair in part.split(shared)])
            best = math.sqrt(max(1 - rho_x, 0.0) / max(rho_x - rho, 1e-4))
            self.heads_a_point = min(2 ** round(math.log2(max(best, 1))), MOST_HEADS)
        ratio = self._network_seconds() / self._row_seconds()
        best = math.sqrt(ratio * max(1 - rho, 0.0) / rho)
        return min(max(2 ** math.ceil(math.log2(max(best, 1))), 1), MOST_ROWS)

    def seconds(self, rows: int) -> float:
        """Estimated time of one CPU core for a network and its rows: up to four times too long."""
        return self._network_seconds() + rows * self._row_seconds()

    # Estimated from sizes, not timed, so that the same seed gives the same numbers. The optimum is
    # flat: a factor of two in these rates (seconds on one CPU core) costs a few per cent.
    def _network_seconds(self) -> float:
        model = self._law.model
        numbers = sum(parameter.numel() for parameter in model.parameters())
        return 5e-9 * numbers + 6e-5 * sum(1 for _ in model.modules())

    def _row_seconds(self) -> float:
        seconds = [math.prod(self.shape) ** 2 / 100e9]  # the update of half of D x D

        def count(module: nn.Module, _: object, output: Tensor) -> None:
            weight = module.weight
            if isinstance(weight, Tensor) and weight.ndim > 1:
                products = 4 * output.numel() * weight[0].numel()  # forward and backward
                seconds.append(products / (15e9 if weight.ndim > 2 else 100e9))

        layers = [m for m in self._law.model.modules() if hasattr(m, "weight")]
        hooks = [layer.register_forward_hook(count) for layer in layers]
        with torch.no_grad():
            self._law.model(self._weight.new_zeros(1, *self.shape))
        for hook in hooks:
            hook.remove()
        # the forward pass, half of the cost, is shared by the heads of a point
        return sum(seconds) * (1 + 1 / self.heads_a_point) / 2


def row_correlation(bodies: list[Tensor]) -> float:
    """rho: the share of the variance of g g^T that is common to the rows of one network.

    Example:
        >>> same = [row.expand(4, 8) for row in torch.eye(8)]  # all rows of a network alike
        >>> row_correlation(same)
        1.0
    """
    if len(bodies) < 2 or len(bodies[0]) < 2:
        return 1.0
    rows = torch.cat(bodies)
    squares = gram(rows, rows).square()
    network = torch.arange(len(bodies)).repeat_interleave(len(bodies[0])).to(rows.device)
    same = network[:, None] == network
    own = squares.diagonal().mean()
    across = squares[~same].mean()
    within = (squares[same].sum() - squares.diagonal().sum()) / (same.sum() - len(rows))
    return float((within - across) / (own - across))
