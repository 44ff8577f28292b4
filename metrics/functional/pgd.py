"""Projected gradient descent: a strong, cheap attack, and a check of certificates."""

import math
from typing import Literal

import torch
from torch import Tensor, nn

from metrics.functional.checks import check_choice, check_number, check_whole
from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.example_loss import ExampleLoss, cross_entropy, hits
from metrics.functional.loss_gradient import check_attack, loss_gradient

Norm = Literal["l2", "linf"]
Keep = Literal["best", "last"]


def _lengths(v: Tensor) -> Tensor:
    """Euclidean length of each example, in float64: 1e5 squares in float32 lose 1e-5."""
    lengths = torch.linalg.vector_norm(v.flatten(1), dim=1, dtype=torch.float64)
    return lengths.reshape(-1, *[1] * (v.ndim - 1))


def _unit(v: Tensor) -> Tensor:
    lengths = _lengths(v)
    return v * torch.where(lengths > 0, 1 / lengths, 0).to(v.dtype)


def project(x: Tensor, centre: Tensor, eps: float, norm: Norm) -> Tensor:
    """The nearest images to x in the ball around `centre`, then in [0, 1].

    Clipping to [0, 1] does not leave the ball: the centre is in [0, 1], so clipping moves every
    coordinate towards it. The ball is shrunk by the rounding of pixels, at most a quarter of the
    machine epsilon each, so that no result is outside: an attack that exceeds eps by 1e-8 must not
    appear to break a certificate.
    """
    rounding = torch.finfo(x.dtype).eps
    spread = 1.0 if norm == "linf" else math.sqrt(x[0].numel())
    eps = max(0.0, eps * (1 - 4 * rounding) - spread * rounding / 4)
    if norm == "linf":
        return torch.clamp(x, centre - eps, centre + eps).clamp_(0, 1)
    shift = x - centre
    shrink = (eps / _lengths(shift).clamp_min(torch.finfo(torch.float64).tiny)).clamp_max(1)
    return (centre + shift * shrink.to(x.dtype)).clamp_(0, 1)


def _random_start(x: Tensor, eps: float, norm: Norm, generator: torch.Generator) -> Tensor:
    """Uniform in the ball; drawn on the generator's device, so the same for all devices."""
    if norm == "linf":
        noise = 2 * torch.rand(x.shape, generator=generator, dtype=x.dtype) - 1
    else:
        noise = _unit(torch.randn(x.shape, generator=generator, dtype=x.dtype))
        radius = torch.rand(len(x), generator=generator, dtype=torch.float64)
        radius = radius ** (1 / x[0].numel())
        noise = noise * radius.to(x.dtype).reshape(-1, *[1] * (x.ndim - 1))
    return project(x + eps * noise.to(x.device), x, eps, norm)


def pgd(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    eps: float,
    norm: Norm = "linf",
    steps: int = 40,
    step_size: float | None = None,
    restarts: int = 1,
    seed: int = 0,
    loss: ExampleLoss = cross_entropy,
    keep: Keep = "best",
) -> Tensor:
    """Attacked images by projected gradient ascent (Madry et al. 2018) in an L2 or Linf ball.

        x <- P(x + a * g),    g = sign(grad) for Linf, grad / ||grad||_2 for L2

    The first run starts at the image itself, the others at random points of the ball. With
    `keep="best"` each example keeps its worst iterate: a misclassified one before a right one, then
    the one of highest loss, so more steps or restarts never make the attack weaker.

    Reading it: an attack gives an upper bound of the robust accuracy and a certificate a lower one;
    an example that is certified at eps and yet broken here proves the certificate wrong.

    Arguments are those of `fgsm`. `steps` are taken in each of `restarts` runs; their length a is
    2.5 eps / steps by default, which can cross the ball. The result is within eps of x and within
    [0, 1].

    Example:
        >>> net = nn.Linear(2, 2, bias=False)
        >>> _ = net.weight.data.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        >>> image, label = torch.tensor([[0.5, 0.5]]), torch.tensor([0])
        >>> pgd(net, image, label, eps=0.1, norm="l2", restarts=2)
        tensor([[0.4293, 0.5707]])
    """
    check_choice("norm", norm, Norm)
    check_choice("keep", keep, Keep)
    eps = check_number("eps", eps, least=0)
    for name, count in (("steps", steps), ("restarts", restarts)):
        check_whole(name, count, least=1)
    y = check_attack(model, x, y)
    length = 2.5 * eps / steps
    if step_size is not None:
        length = check_number("step_size", step_size, above=0)
    steepest = torch.sign if norm == "linf" else _unit
    generator = torch.Generator().manual_seed(seed)
    worst = x.clone()
    worst_loss = torch.full((len(x),), -torch.inf, dtype=torch.float64, device=x.device)
    worst_hit = torch.ones_like(y, dtype=torch.bool)

    def keep_worst(images: Tensor, logits: Tensor, losses: Tensor) -> None:
        right = hits(logits, y)
        worse = (worst_hit & ~right) | ((worst_hit == right) & (losses > worst_loss))
        worst[worse] = images[worse]
        worst_loss[worse] = losses[worse]
        worst_hit[worse] = right[worse]

    for restart in range(restarts):
        attacked = _random_start(x, eps, norm, generator) if restart else x
        for _ in range(steps):
            found = loss_gradient(model, attacked, y, loss)
            keep_worst(attacked, found.logits, found.loss)
            attacked = project(attacked + length * steepest(found.direction), x, eps, norm)
        if keep == "best":
            with torch.no_grad(), evaluation_mode(model):
                logits = model(attacked).double()
                keep_worst(attacked, logits, loss(logits, y))
    return worst if keep == "best" else attacked
