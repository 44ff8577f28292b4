"""FGSM penalty at four attack sizes on ResNet-18.

The peers: the published code, with one clean pass, one backward pass through all parameters and one
attacked pass per size; and foolbox, which also computes one gradient per size.
"""

from collections.abc import Iterator

import foolbox
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks.harness import Row, compare
from lightning_modules.networks.resnet import ResNet
from metrics.functional.attack_penalty import attack_penalty

EPS = (1 / 255, 2 / 255, 4 / 255, 8 / 255)


def gradient_per_size(model: nn.Module, x: Tensor, y: Tensor) -> None:
    """As the published code: everything is repeated for each size, with parameter gradients."""
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
    model = ResNet(3, 224, 10).eval()  # its average pooling accepts any size
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
