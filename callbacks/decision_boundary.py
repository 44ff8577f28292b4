"""Decision boundaries on the plane that determines the labels."""

import numpy as np
import torch
from torch import Tensor

from callbacks.evaluation import predictions
from callbacks.points import fixed_points
from callbacks.probe import Probe
from callbacks.ranks import collect
from callbacks.schedules import Schedule
from callbacks.subject import Measurement, Subject


class DecisionBoundary(Probe):
    """The scores of every member on a grid of the plane spanned by the law's two directions.

    Saves `boundary/scores` (members, side, side), f_1 - f_0 at a u1 + b u2 with a along the last
    axis, averaged over the off-plane parts of some test examples (with zeros off the plane, inputs
    are far from the data: an MLP's circle then shrinks by a third); `boundary/reach`, the largest
    |a| and |b|; `boundary/points` (P, 3), coordinates and label of some test examples;
    `boundary/accuracy` (members,) on the test set. Logs `boundary/accuracy_spread`, the standard
    deviation of that over members, and `boundary/agreement`: the share of the plane on which all
    members agree.

    Reading it: drawn over one another, the zero lines of the scores show the effect of the
    initialisation. A circle between the two circles of the data: the network uses the plane. Lines
    across it: it uses one direction only. No zero line: it uses the other dimensions (Movahedi et
    al. 2025, Fig. 1).

    Args:
        side: points of the grid per side.
        draws: test examples whose off-plane parts are averaged over; 0: zeros off the plane.
        points: test examples saved to be drawn.
    """

    name = "decision_boundary"

    def __init__(
        self, side: int = 61, draws: int = 8, points: int = 300, schedule: Schedule | str = "end"
    ) -> None:
        super().__init__(schedule)
        self.side, self.draws, self.points = side, draws, points

    def measure(self, subject: Subject) -> Measurement:
        """Score the grid and the test set with every member."""
        u = getattr(subject.data, "directions", None)
        if u is None or len(u) < 2:
            raise ValueError(
                "the data have no plane: a boundary is drawn for data=plane, whose labels depend "
                "on two directions"
            )
        test, plane = subject.data.test, u[:2].float()
        chosen = fixed_points(len(test), self.points, subject.seed)
        at = test.images(chosen).flatten(1).float() @ plane.T  # (P, 2)
        reach = 1.3 * float(at.abs().max())
        scores = torch.stack([self._scores(member, plane, reach) for member in subject.members()])
        found = [predictions(member, test) for member in subject.members()]
        accuracy = torch.stack([(a.prediction == a.label).double().mean() for a in found]).cpu()
        same = (scores > 0).float().mean(0)
        scalars = {"boundary/agreement": float(((same == 0) | (same == 1)).double().mean())}
        if len(accuracy) > 1:
            scalars["boundary/accuracy_spread"] = float(accuracy.std())
        if subject.rank:
            return Measurement(scalars)
        arrays = {
            "boundary/scores": scores.numpy(),
            "boundary/reach": np.array([reach]),
            "boundary/points": torch.cat([at, test.y[chosen, None]], 1).numpy(),
            "boundary/accuracy": accuracy.numpy(),
        }
        return Measurement(scalars, arrays)

    def _scores(self, subject: Subject, plane: Tensor, reach: float) -> Tensor:
        """(side, side) mean of f_1 - f_0, or of f for a single logit."""
        network = subject.network
        line = torch.linspace(-reach, reach, self.side)
        grid = torch.cartesian_prod(line, line).flip(1)  # b down, a across
        images, test = grid @ plane, subject.data.test
        elsewhere = test.images(fixed_points(len(test), self.draws, subject.seed)).flatten(1)
        elsewhere = elsewhere - elsewhere @ plane.T @ plane if self.draws else images[:1] * 0

        @torch.no_grad()
        def part(index: Tensor) -> dict[str, Tensor]:
            total = torch.zeros(len(index), device=subject.device)
            for off in elsewhere:
                x = (images[index] + off).reshape(-1, *subject.data.spec.shape)
                scores = network(x.to(subject.device, subject.dtype)).reshape(len(index), -1)
                total += scores[:, -1] - (scores[:, 0] if scores.shape[1] > 1 else 0)
            return {"score": total / len(elsewhere)}

        score = collect(part, len(images), subject)["score"]
        return score.float().cpu().reshape(self.side, self.side)
