import pytest
import torch

from lightning_modules.networks.small_alexnet import SmallAlexNet

from .counting import count


@pytest.mark.parametrize(
    ("variant", "channels", "published"),
    [
        ("zhang", 3, 1_387_786),
        ("zhang", 1, 1_384_586),
        ("repo", 3, 1_582_922),
        ("repo", 1, 1_578_122),
    ],
)
def test_published_parameter_counts(variant, channels, published):
    assert count(SmallAlexNet, channels, 28, 10, variant=variant) == published


@pytest.mark.parametrize(("variant", "maps"), [("zhang", (64, 7, 7)), ("repo", (256, 3, 3))])
def test_published_maps_at_28_pixels(variant, maps):
    network = SmallAlexNet(3, 28, 10, variant=variant)
    assert network.convolutions(torch.rand(1, 3, 28, 28)).shape == (1, *maps)


@pytest.mark.parametrize(("variant", "size"), [("zhang", 8), ("repo", 9), ("repo", 45)])
def test_other_sizes(variant, size):
    network = SmallAlexNet(1, size, 2, variant=variant)
    assert network(torch.rand(1, 1, size, size)).shape == (1, 2)


def test_too_small_images_are_refused():
    with pytest.raises(ValueError, match=r"size=8.*at least 9.*variant=zhang"):
        SmallAlexNet(1, 8, 2, variant="repo")
