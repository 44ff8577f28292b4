"""Change of a network's input-space geometry during training."""

import math
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from callbacks.geometry_cache import geometry_cache
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect, on_first
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject
from metrics.functional.geometry import Geometry, covariance_of
from metrics.functional.geometry_correlation import split_half_error
from metrics.functional.gsg_correlation import GSGCorrelation
from metrics.functional.initial_groups import GROUPS, initial_groups
from metrics.functional.input_gradients import Scalar, input_gradients
from metrics.functional.point_pairs import pair_norm, pair_velocity
from records.cautions import NOISE
from records.seeds import seed_for

BATCH = 32  # images per backward pass: 0.4 GB for a ResNet-18 at 224 px
MOST_ROWS = 1024  # gradients of G^t; their eigenvalues take 0.2 s, those of 3072 rows 5 s
FACTOR_BYTES = 1.5e8  # of each of S, G_F, G_F S G_F and G^t: 249 rows at 224 x 224 x 3


class GeometricVelocity(Probe):
    """G^t of a network or an ensemble, its velocity, and its correlation with S and G_F S G_F.

    Logs `geometry/velocity` (1 - Corr(G^t, G^{t-1}), from the second measurement on),
    `geometry/corr_s` (with S, the uncentred covariance of the training images), `geometry/corr_gsg`
    (with G_F S G_F, G_F of random networks, with a 95 % interval over these: `_low`, `_high`),
    unless the error of G_F is above 0.5, and `geometry/g_f_error`, the split-half error of G_F; of
    an ensemble also `geometry/error`, that of G^t over members. Saves the eigenvalues of G^t at the
    points (Movahedi et al. 2025, Sec. 3).

    Reading it: see `metrics.functional.geometry_correlation`. The velocity is per interval between
    two measurements: an epoch at the default schedule. Correlations are for the mean over all x,
    estimated from pairs of different points (`metrics.functional.point_pairs`), and for the
    networks of this run; to estimate the mean over trainings, use an ensemble (`model.members=25`).

    Args:
        points: where gradients are taken: "noise", N(0, sigma^2 I), or training images.
        count: number of points for every member of an ensemble; fewer if G^t would exceed 1024
            rows or 150 MB.
        sigma: standard deviation of noise points, also for G_F.
        space: of the inputs: "pixels", or "normalised", after the network's first layer, as in
            the paper: there S does not contain the common mean of images in [0, 1].
        scalar: f as f_1 - f_0, one logit, or the mean of logits; "auto" is f_1 - f_0 for two
            outputs, otherwise logit 0. Cross-entropy does not train the mean.
        images: number of training images for S, chosen by seed; fewer if they exceed 150 MB.
        models: largest number of random networks for G_F; None: about ten seconds of one core, once
            per architecture.
        error: of G_F, at which no more networks are drawn; None draws all.
        cache: `paths.cache`; None estimates G_F in every run.
        schedule: before training and after every epoch by default.
    """

    name = "geometric_velocity"

    def __init__(
        self,
        points: Literal["noise", "train"] = "noise",
        count: int = 24,
        sigma: float = 1.0,
        space: Literal["pixels", "normalised"] = "pixels",
        scalar: Literal["auto", "difference", "logit", "mean"] = "auto",
        images: int = 128,
        models: int | None = None,
        error: float | None = 0.1,
        cache: Path | None = None,
        schedule: Schedule | str = "every",
    ) -> None:
        super().__init__(schedule)
        self.points, self.count, self.sigma, self.scalar = points, count, sigma, scalar
        self.space, self.images, self.models, self.target = space, images, models, error
        self.cache = None if cache is None else Path(cache).expanduser() / "geometry"
        self.before: tuple[int, Tensor] | None = None  # epoch and gradients last measured
        self.covariance: Geometry | None = None  # S, which training does not change
        self.gsg: GSGCorrelation | None = None  # correlation with G_F S G_F, neither
        self.error = math.nan  # of G_F

    def measure(self, subject: Subject) -> Measurement:
        """Gather the gradients of all members at all points, then compare on rank 0."""
        if self.space == "normalised":
            subject = subject.behind_normalisation()
        x = self._points(subject)
        scalar = self._scalar(subject, x)
        members = [self._gradients(network, x, scalar, subject) for network in subject.networks]
        rows, shape = torch.cat(members), tuple(x.shape[1:])
        scalars = on_first(lambda: self._compare(subject, rows, shape, scalar), subject)
        if len(members) > 1:
            halves = [Geometry.from_rows(torch.cat(members[i::2]), x.shape[1:]) for i in (0, 1)]
            scalars["geometry/error"] = split_half_error(*halves)
        self.before = (subject.epoch, rows)
        if subject.rank:
            return Measurement(scalars)
        now = Geometry.from_rows(rows, shape)
        return Measurement(scalars, {"geometry/eigenvalues": now.eigenvalues.numpy()})

    def _points(self, subject: Subject) -> Tensor:
        """The same points at every epoch, on every rank, for every member."""
        split, shape = subject.data.train, subject.data.spec.shape
        rows = min(MOST_ROWS, most_rows(shape))
        count = max(1, min(self.count, rows // len(subject.networks)))
        if self.points == "train":
            return subject.images(split, fixed_points(len(split), count, subject.seed))
        generator = torch.Generator().manual_seed(seed_for(subject.seed, "geometry points"))
        points = self.sigma * torch.randn(count, *shape, generator=generator)
        return points.to(subject.device, subject.dtype)

    def _scalar(self, subject: Subject, x: Tensor) -> Scalar:
        if self.scalar != "auto":
            return self.scalar
        with torch.no_grad():
            outputs = subject.network(x[:1]).numel()
        return "difference" if outputs == 2 else "logit"

    def _gradients(self, network: nn.Module, x: Tensor, scalar: Scalar, subject: Subject) -> Tensor:
        def part(index: Tensor) -> dict[str, Tensor]:
            return {"rows": input_gradients(network, x[index], scalar, check=self.unchecked)}

        return collect(part, len(x), subject, BATCH)["rows"].float().cpu()  # as S's rows

    def _compare(
        self, subject: Subject, rows: Tensor, shape: tuple[int, ...], scalar: Scalar
    ) -> dict[str, float]:
        now = Geometry.from_rows(rows, shape).check_nonzero()
        points = len(rows) // len(subject.networks)
        norm = pair_norm(rows, points)
        if self.covariance is None:
            self._prepare(subject, (shape[0], shape[1], shape[2]), scalar)
        assert self.covariance is not None
        scalars = {
            "geometry/corr_s": now.inner(self.covariance) / (norm * self.covariance.norm),
            "geometry/g_f_error": self.error,
        }
        found = self.gsg.estimate(rows, norm) if self.gsg is not None else None
        if found is not None:
            named = {"": found.value, "_low": found.low, "_high": found.high}
            scalars |= {f"geometry/corr_gsg{part}": value for part, value in named.items()}
        # After an early stop the last epoch is measured twice, and the best network is of an
        # earlier epoch: their velocity is logged already.
        if self.before is not None and self.before[0] < subject.epoch:
            scalars["geometry/velocity"] = pair_velocity(rows, self.before[1], points)
        return scalars

    def _prepare(self, subject: Subject, shape: tuple[int, int, int], scalar: Scalar) -> None:
        """Compute S, and G_F S G_F if the error of G_F is small enough."""
        rows, split = most_rows(shape), subject.data.train
        chosen = fixed_points(len(split), min(self.images, rows), subject.seed)
        images = subject.images_in_memory(split, chosen)
        cache = geometry_cache(self.cache, self.name, shape)
        initial = initial_groups(
            subject.network, shape, self.models, rows, self.sigma, scalar, cache, self.target
        )
        self.error = initial.error
        if self.error <= NOISE:
            few = images[: max(1, rows // GROUPS)]  # the product with them is made for each group
            self.gsg = GSGCorrelation(initial.applied(few.flatten(1)))
        self.covariance = covariance_of(images)

    def state_dict(self) -> dict[str, Any]:
        """The last measurement, from which the next velocity is computed."""
        return {} if self.before is None else {"epoch": self.before[0], "gradients": self.before[1]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the last measurement, if there is one."""
        if "gradients" in state_dict:
            self.before = (state_dict["epoch"], state_dict["gradients"])


def most_rows(shape: tuple[int, int, int]) -> int:
    """Largest number of rows of this shape that a factor may have."""
    return int(FACTOR_BYTES / 4 / math.prod(shape))
