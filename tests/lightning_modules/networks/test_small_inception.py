import pytest
import torch

from lightning_modules.networks.small_inception import SmallInception

from .counting import count


@pytest.mark.parametrize(
    ("variant", "channels", "published"),
    [
        ("zhang", 3, 1_649_402),
        ("zhang", 1, 1_647_674),
        ("repo", 3, 1_814_106),
        ("repo", 1, 1_812_378),
    ],
)
def test_published_parameter_counts(variant, channels, published):
    assert count(SmallInception, channels, 28, 10, variant=variant) == published


@pytest.mark.parametrize(("variant", "sides"), [("zhang", [28, 14, 7]), ("repo", [26, 12, 5])])
def test_published_maps_at_28_pixels(variant, sides):
    x = torch.empty(1, 3, 28, 28, device="meta")
    with torch.device("meta"):
        network = SmallInception(3, 28, 10, variant=variant).eval()
    x = network.stem(x)
    shapes = [x.shape[1:]]
    for block in network.blocks:
        x = block(x)
        shapes.append(x.shape[1:])
    assert [s[0] for s in shapes] == [96, 64, 80, 160, 160, 160, 160, 144, 240, 336, 336]
    assert list(dict.fromkeys(s[1] for s in shapes)) == sides


@pytest.mark.parametrize(("variant", "width"), [("zhang", 336), ("repo", 16464)])
def test_features(variant, width):
    network = SmallInception(1, 28, 2, variant=variant).eval()
    assert network.features(torch.rand(1, 1, 28, 28)).shape == (1, width)


def test_only_the_repo_learns_scale_and_shift():
    with torch.device("meta"):
        zhang, repo = (
            dict(SmallInception(1, 28, 2, variant=variant).named_parameters())
            for variant in ("zhang", "repo")
        )
    assert "stem.1.weight" in repo.keys() - zhang.keys()


def test_too_small_images_are_refused():
    with pytest.raises(ValueError, match=r"size=8.*at least 9.*variant=zhang"):
        SmallInception(1, 8, 2, variant="repo")
