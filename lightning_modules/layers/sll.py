"""Semidefinite-programming-based Lipschitz layer."""

import torch
from torch import Tensor, nn

from lightning_modules.layers.absolute_gram import absolute_gram
from lightning_modules.layers.residual import ResidualLayer


def sll_steps(weight: Tensor, log_q: Tensor) -> Tensor:
    """The step of each hidden unit: T_i = 2 / sum_j |W W^T|_ij q_j / q_i.

    W is (hidden, in) or (hidden, in, k, k). The parameter is log q, so that the ratio needs no
    epsilon: one added to q_i alone would make T too large and the layer more than 1-Lipschitz.

    >>> sll_steps(torch.eye(2), torch.tensor([0.0, 5.0]))
    tensor([2.0000, 2.0000])
    """
    ratio = (log_q - log_q[:, None]).exp()  # q_j / q_i
    return 2 / ((absolute_gram(weight) * ratio).sum(1) + 1e-6)


class SLLLayer(ResidualLayer):
    """A residual layer with a separate step for each hidden unit or channel.

        y = x - W^T T ReLU(W x + b),    T_i = 2 / sum_j |W W^T|_ij q_j / q_i

    (Araujo et al. 2023), q > 0 learned.

    Reading it: 1-Lipschitz for any W, b and q, and for images of any size, by Gershgorin's circles
    instead of a norm. CPL is the case in which all T_i are 2 / ||W||^2.

    >>> layer = SLLLayer(2)
    >>> _ = layer.weight.data.copy_(torch.eye(2))
    >>> layer(torch.tensor([[3.0, -1.0]])).round(decimals=3)   # x - 2 ReLU(x) = -|x|
    tensor([[-3., -1.]], grad_fn=<...>)
    """

    def __init__(self, width: int, kernel_size: int | None = None) -> None:
        super().__init__(width, kernel_size)
        self.log_q = nn.Parameter(torch.zeros(width))

    def reset_parameters(self) -> None:
        """Draw the weight from torch's distribution; the bias is 0, all q are 1."""
        super().reset_parameters()
        nn.init.zeros_(self.log_q)

    def steps(self, size: tuple[int, ...]) -> Tensor:
        """Return the step of each unit, (width, 1, 1) for images."""
        return self.cache(sll_steps, self.weight, self.log_q).view(-1, *[1] * len(size))
