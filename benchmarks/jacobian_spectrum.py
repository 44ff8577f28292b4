"""Point-Jacobian spectra of 10 logits against one Jacobian per image.

The peer is the published code: `torch.autograd.functional.jacobian` of one image at a time, then
`svdvals`. It is timed on some of the images and scaled up. Networks as in Zhang et al. 2017.

The bound is the FLOPs of one backward pass per logit (counted by torch) at the rate of a float32
product of 1,024 x 1,024 matrices in the same run; the ratio is then the share of it that we reach.
For LeNet the library's kernels for the gradients of its two convolutions are timed alone too.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.harness import Row, compare
from lightning_modules.networks.lenet import LeNet
from lightning_modules.networks.mlp import MLP
from lightning_modules.networks.resnet import ResNet
from lightning_modules.networks.small_alexnet import SmallAlexNet
from lightning_modules.networks.small_inception import SmallInception
from lightning_modules.networks.vit import ViT
from metrics.functional.jacobian_spectrum import jacobian_spectrum


def one_at_a_time(model: nn.Module, x: Tensor) -> Tensor:
    """As the published code; (images, 10)."""
    values = []
    for image in x.split(1):
        jacobian = torch.autograd.functional.jacobian(model, image)
        values.append(torch.linalg.svdvals(jacobian.reshape(10, -1)))
    return torch.stack(values)


def products(count: int = 10) -> None:
    """Matrix products, to measure the rate of this machine."""
    matrix = torch.randn(1024, 1024)
    for _ in range(count):
        matrix @ matrix


def backward_flops(model: nn.Module, image: Tensor) -> int:
    """FLOPs of one backward pass from a logit to one image."""
    leaf = image.clone().requires_grad_()
    logits = model(leaf)
    with FlopCounterMode(display=False) as counter:
        torch.autograd.grad(logits[0, 0], leaf)
    return counter.get_total_flops()


def convolutions_alone(model: nn.Module, x: Tensor) -> Callable[[], None]:
    """Input gradients of all convolutions, once per logit, 16 images at a time, nothing else."""
    calls: list[tuple[nn.Conv2d, Tensor, Tensor]] = []
    layers = [layer for layer in model.modules() if isinstance(layer, nn.Conv2d)]
    hooks = [
        layer.register_forward_hook(lambda one, seen, output: calls.append((one, seen[0], output)))
        for layer in layers
    ]
    with torch.no_grad():
        for images in x.split(16):
            model(images)
    for hook in hooks:
        hook.remove()

    def backward() -> None:
        for layer, images, output in calls * 10:
            geometry = layer.stride, layer.padding, layer.dilation, False, (0, 0), layer.groups
            wanted = True, False, False  # for the input; not for weight and bias
            torch.ops.aten.convolution_backward(
                output, images, layer.weight, None, *geometry, wanted
            )

    return backward


def shares() -> Iterator[Row]:
    """The share of the bound that we reach, on colour images of 32 pixels."""
    for name, model, count, limit in [
        ("LeNet", LeNet(3, 32, 10), 256, "gradients for 3 and 6 channels fill vectors of 16 badly"),
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
        if name == "LeNet":
            (alone,) = compare(convolutions_alone(model, x), repeats=5)
            note = f"with these kernels at most {bound / alone:.2f} of the bound"
            yield Row(
                f"{name}, {count} images", ours, "kernels of its convolutions", alone, None, note
            )


def run() -> Iterator[Row]:
    """MLP, small AlexNet, small Inception on 3 x 28 x 28 images; then shares of the bound."""
    cases = [
        (
            "MLP 3x512",
            MLP(3, 28, 10, (512, 512, 512)),
            1024,
            64,
            15,
            torch.contiguous_format,
        ),
        ("small AlexNet", SmallAlexNet(3, 28, 10), 64, 16, 1.8, torch.contiguous_format),
        ("small Inception", SmallInception(3, 28, 10), 32, 8, 1.8, torch.channels_last),
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
        found = jacobian_spectrum(model, ours)[:part]
        expected = one_at_a_time(model, x[:part]).double()
        error = float(((found - expected).abs() / expected[:, :1]).max())
        note = f"{count / taken:.0f} images/s; error {error:.0e} of the largest value"
        peer *= count / part
        yield Row(f"{name}, {count} images", taken, "one Jacobian per image", peer, goal, note)
    yield from shares()
