"""Gaussian data with a network's geometry as covariance, or reversed (Movahedi et al., Fig. 3)."""

from dataclasses import dataclass

from datamodules.directions import Eigenbasis, Shape, read_eigenbasis
from datamodules.errors import DataError
from datamodules.law import Drawn
from datamodules.laws.sampling import alternating, as_split, normal
from datamodules.split import Split


@dataclass
class Gaussian:
    """x ~ N(0, G / ||G||_2) with labels that do not depend on x.

    flip(G) has the eigenvectors of G with its eigenvalues in reverse order: the same trace and
    norm, so the same E|x|^2 = tr G / ||G||_2.

    Reading it: only memorising fits these labels. If the data vary along G's weak directions
    (flip), the network's geometry hardly changes and the fit is slow. Test accuracy is chance.
    """

    # G as its eigenvalues and eigenvectors: an .npz file or a callable
    geometry: str | Eigenbasis | None = None
    flip: bool = False  # reverse the order of the eigenvalues; needs all D of them

    def draw(self, n: int, test_n: int, shape: Shape, seed: int) -> Drawn:
        """Both splits, as x = V diag(sqrt(lambda / lambda_1)) z."""
        values, vectors = read_eigenbasis(self.geometry, shape)
        if values[0] <= 0 or values[-1] < -1e-6 * values[0]:
            raise DataError(
                f"geometry: eigenvalues from {values[0]:.3g} to {values[-1]:.3g}; a covariance has "
                "none below zero and one above."
            )
        if self.flip and len(values) < len(vectors):
            raise DataError(
                f"data.law.flip=true needs all {len(vectors)} eigenvectors, and the geometry has "
                f"{len(values)}; estimate it from more gradients than dimensions."
            )
        deviation = (values / values[0]).clamp_min(0).sqrt()
        factor = (vectors * (deviation.flip(0) if self.flip else deviation)).T.float()  # (R, D)

        def part(count: int, name: str) -> Split:
            z = normal(count, len(factor), seed, name, "gaussian")
            return as_split(z @ factor, alternating(count), shape)

        return Drawn(part(n, "train"), part(test_n, "test"))
