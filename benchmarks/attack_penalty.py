"""FGSM penalty at four sizes on ResNet-18.

The peers: one clean pass, one backward pass through all parameters and one attacked pass per size
(the published code's way), and foolbox, which also takes one gradient per size.
"""

from collections.abc import Iterator

import foolbox
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks.harness import Row, compare
from metrics.functional.attack_penalty import attack_penalty

EPS = (1 / 255, 2 / 255, 4 / 255, 8 / 255)


class Block(nn.Module):
    """Two 3 x 3 convolutions around a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        plain = stride == 1 and inputs == outputs
        shortcut = [nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)]
        self.shortcut = nn.Identity() if plain else nn.Sequential(*shortcut)

    def forward(self, x: Tensor) -> Tensor:
        """Body plus shortcut."""
        return (self.body(x) + self.shortcut(x)).relu()


def resnet18(classes: int = 10) -> nn.Sequential:
    """ResNet-18 with the 7 x 7 stem of the original, 11.2 M parameters."""
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    stem.append(nn.MaxPool2d(3, 2, 1))
    widths = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
    blocks = [Block(*width) for i, o, s in widths for width in ((i, o, s), (o, o, 1))]
    return nn.Sequential(
        *stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes)
    )


def gradient_per_size(model: nn.Module, x: Tensor, y: Tensor) -> None:
    """The published code's way: everything repeated for each size, with parameter gradients."""
    for eps in EPS:
        model.zero_grad()
        leaf = x.clone().requires_grad_()
        loss = cross_entropy(model(leaf), y)
        loss.backward()
        attacked = (leaf + eps * leaf.grad.sign()).clamp(0, 1).detach()
        with torch.no_grad():
            cross_entropy(model(attacked), y)


def run() -> Iterator[Row]:
    """32 and 224 pixels."""
    torch.manual_seed(0)
    model = resnet18().eval()
    fool = foolbox.PyTorchModel(model, bounds=(0, 1), device="cpu")
    attack = foolbox.attacks.LinfFastGradientAttack()
    for size, count in ((32, 64), (224, 4)):
        x, y = torch.rand(count, 3, size, size), torch.randint(10, (count,))
        last = x.contiguous(memory_format=torch.channels_last)
        ours, ours_last, published, foolbox_way = compare(
            lambda x=x, y=y: attack_penalty(model, x, y, EPS),
            lambda x=last, y=y: attack_penalty(model, x, y, EPS),
            lambda x=x, y=y: gradient_per_size(model, x, y),
            lambda x=x, y=y: attack(fool, x, y, epsilons=EPS),
        )
        case = f"{count} images of {size} px, 4 sizes"
        yield Row(case, ours, "one gradient per size, parameters too", published, 2.5)
        yield Row(case, ours, "foolbox", foolbox_way, 2.4, "foolbox returns no losses")
        yield Row(f"{case}, channels_last", ours_last, "one gradient per size", published)
