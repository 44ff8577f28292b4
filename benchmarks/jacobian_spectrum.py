"""Point-Jacobian spectra of 10 logits against one Jacobian per image.

The peer is the published way: `torch.autograd.functional.jacobian` of one image at a time, then
`svdvals`. It is timed on a part of the images and scaled up. Networks as in Zhang et al. 2017.

The bound is the FLOPs of one backward pass per logit (counted by torch) at the rate of a float32
product of 1,024 x 1,024 matrices in the same run; the ratio is then the share of it that we reach.
"""

from collections.abc import Iterator
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.harness import Row, compare
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.resnet import ResNet
from lightning_modules.networks.small_inception import SmallInception
from lightning_modules.networks.vit import ViT
from metrics.functional.jacobian_spectrum import jacobian_spectrum


def mlp() -> nn.Sequential:
    """2352-512-512-512-10, 1,735,178 parameters."""
    widths = (2352, 512, 512, 512)
    layers = [nn.Flatten()]
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(512, 10))


def small_alexnet() -> nn.Sequential:
    """Two 5 x 5 convolutions with local response normalisation, 1,387,786 parameters."""
    layers = []
    for inputs in (3, 64):
        layers += [nn.Conv2d(inputs, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        layers.append(nn.LocalResponseNorm(5))
    head = [nn.Linear(3136, 384), nn.ReLU(), nn.Linear(384, 192), nn.ReLU(), nn.Linear(192, 10)]
    return nn.Sequential(*layers, nn.Flatten(), *head)


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation without weights, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2),
        nn.BatchNorm2d(outputs, affine=False),
        nn.ReLU(),
    )


class Parallel(nn.ModuleList):
    """Branches side by side, joined along the channels."""

    def forward(self, x: Tensor) -> Tensor:
        """Concatenate the branches' outputs."""
        return torch.cat([branch(x) for branch in self], 1)


def small_inception() -> nn.Sequential:
    """Ten inception and downsampling blocks, 1,649,402 parameters."""
    layers, width = [convolution(3, 96, 3)], 96
    plan = [
        (32, 32),
        (32, 48),
        80,
        (112, 48),
        (96, 64),
        (80, 80),
        (48, 96),
        96,
        (176, 160),
        (176, 160),
    ]
    for block in plan:
        if isinstance(block, tuple):
            a, b = block
            layers.append(Parallel([convolution(width, a, 1), convolution(width, b, 3)]))
            width = a + b
        else:
            layers.append(Parallel([convolution(width, block, 3, 2), nn.MaxPool2d(3, 2, 1)]))
            width += block
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))


def one_at_a_time(model: nn.Module, x: Tensor) -> Tensor:
    """The published way, (images, 10)."""
    values = []
    for image in x.split(1):
        jacobian = torch.autograd.functional.jacobian(model, image)
        values.append(torch.linalg.svdvals(jacobian.reshape(10, -1)))
    return torch.stack(values)


def products(count: int = 10) -> None:
    """Products that show the rate of this machine."""
    matrix = torch.randn(1024, 1024)
    for _ in range(count):
        matrix @ matrix


def backward_flops(model: nn.Module, image: Tensor) -> int:
    """Of one backward pass from a logit to one image."""
    leaf = image.clone().requires_grad_()
    logits = model(leaf)
    with FlopCounterMode(display=False) as counter:
        torch.autograd.grad(logits[0, 0], leaf)
    return counter.get_total_flops()


def shares() -> Iterator[Row]:
    """The part of the bound that we reach, on colour images of 32 pixels."""
    for name, model, count, limit in [
        ("LeNet", LeNet(3, 32, 10), 256, "convolutions of 3 and 6 channels fill vectors of 16"),
        ("ResNet-18", ResNet(3, 32, 10, stem="small"), 8, ""),
        ("small Inception", SmallInception(3, 32, 10), 16, ""),
        ("ViT", ViT(3, 32, 10), 32, "attention and normalisation between the products"),
    ]:
        model.eval().to(memory_format=torch.channels_last)
        x = torch.randn(count, 3, 32, 32).contiguous(memory_format=torch.channels_last)
        ours, ten = compare(lambda m=model, x=x: jacobian_spectrum(m, x), products, repeats=5)
        rate = 10 * 2 * 1024**3 / ten
        bound = 10 * count * backward_flops(model, x[:1]) / rate
        note = f"{count / ours:.0f} images/s; products run at {rate / 1e9:.0f} GFLOP/s"
        note += f"; {limit}" if limit else ""
        yield Row(f"{name}, {count} images", ours, "bound: 10 backward passes", bound, 0.5, note)


def run() -> Iterator[Row]:
    """MLP, small AlexNet, small Inception on 3 x 28 x 28 images; then shares of the bound."""
    cases = [
        ("MLP 3x512", mlp(), 1024, 64, 15, torch.contiguous_format),
        ("small AlexNet", small_alexnet(), 64, 16, 1.8, torch.contiguous_format),
        ("small Inception", small_inception(), 32, 8, 1.8, torch.channels_last),
    ]
    for name, model, count, part, goal, layout in cases:
        model.eval()
        generator = torch.Generator().manual_seed(0)
        x = torch.randn(count, 3, 28, 28, generator=generator)
        ours = x.contiguous(memory_format=layout)
        taken, peer = compare(
            lambda model=model, x=ours: jacobian_spectrum(model, x),
            lambda model=model, x=x[:part]: one_at_a_time(model, x),
        )
        found = jacobian_spectrum(model, ours).singular_values[:part]
        expected = one_at_a_time(model, x[:part]).double()
        error = float(((found - expected).abs() / expected[:, :1]).max())
        note = f"{count / taken:.0f} images/s; error {error:.0e} of the largest value"
        peer *= count / part
        yield Row(f"{name}, {count} images", taken, "one Jacobian per image", peer, goal, note)
    yield from shares()
