import pytest
import torch
from torch import nn

from lightning_modules.networks.resnet import ResNet

from .counting import count


@pytest.mark.parametrize(
    ("depth", "published"), [(18, 11_689_512), (34, 21_797_672), (50, 25_557_032)]
)
def test_published_parameter_counts_on_imagenet(depth, published):
    assert count(ResNet, 3, 224, 1000, depth=depth) == published


@pytest.mark.parametrize(
    ("channels", "outputs", "batch", "none"),
    [
        (1, 1, 11_168_193, 11_158_593),
        (1, 2, 11_168_706, 11_159_106),
        (3, 2, 11_169_858, 11_160_258),
        (3, 10, 11_173_962, 11_164_362),
    ],
)
def test_published_parameter_counts_with_the_small_stem(channels, outputs, batch, none):
    assert count(ResNet, channels, 32, outputs, stem="small") == batch
    assert count(ResNet, channels, 32, outputs, stem="small", norm="none") == none


@pytest.mark.parametrize(
    ("depth", "stem", "size", "shape"),
    [
        (18, "imagenet", 64, (1, 512, 2, 2)),
        (50, "imagenet", 64, (1, 2048, 2, 2)),
        (18, "small", 32, (1, 512, 4, 4)),
        (18, "imagenet", 8, (1, 512, 1, 1)),
    ],
)
def test_maps_of_the_last_stage(depth, stem, size, shape):
    network = ResNet(1, size, 2, depth=depth, stem=stem).eval()
    shapes = []
    network.layer4.register_forward_hook(lambda *call: shapes.append(call[2].shape))
    network(torch.rand(1, 1, size, size))
    assert shapes == [shape]


def test_at_224_the_published_maps_are_7_by_7():
    with torch.device("meta"):
        network = ResNet(3, 224, 2)
        maps = nn.Sequential(network.stem, network.layer1, network.layer2, network.layer3)
        assert network.layer4(maps(torch.empty(2, 3, 224, 224))).shape == (2, 512, 7, 7)


def test_a_bottleneck_adds_its_branch_to_the_shortcut():
    torch.manual_seed(0)
    first, second = ResNet(1, 32, 2, depth=50).eval().layer2[:2]
    x = torch.randn(2, 256, 4, 4)
    y = first(x)
    torch.testing.assert_close(y, (first.branch(x) + first.shortcut(x)).relu())
    assert y.shape == (2, 512, 2, 2)
    torch.testing.assert_close(second(y), (second.branch(y) + y).relu())
    assert first.branch[3].stride == (2, 2)  # in the 3x3 convolution, not in the first 1x1


@pytest.mark.parametrize("depth", [18, 50])
def test_norm_none_and_gelu_reach_every_block(depth):
    with torch.device("meta"):
        kinds = [type(m) for m in ResNet(1, 32, 2, depth, norm="none", activation="gelu").modules()]
    assert nn.BatchNorm2d not in kinds
    assert nn.ReLU not in kinds
    # the stem, and in each block one after each convolution
    assert kinds.count(nn.GELU) == {18: 1 + 8 * 2, 50: 1 + 16 * 3}[depth]


def test_without_norm_the_relu_gradient_does_not_depend_on_the_scale_of_x():
    torch.manual_seed(0)
    network = ResNet(1, 16, 1, stem="small", norm="none")
    x = torch.randn(1, 1, 16, 16)
    gradients = []
    for scale in (1.0, 1024.0):  # a power of two, so that float32 gives the same bits
        y = (scale * x).requires_grad_()
        gradients.append(torch.autograd.grad(network(y).sum(), y)[0])
    torch.testing.assert_close(*gradients, rtol=1e-6, atol=0)


def test_batch_norm_at_the_start_is_the_identity_in_eval():
    torch.manual_seed(0)
    batch, none = ResNet(1, 16, 2, stem="small").eval(), ResNet(1, 16, 2, stem="small", norm="none")
    weights = [p for p in batch.parameters() if p.dim() > 1] + [batch.head.bias]
    with torch.no_grad():
        for mine, theirs in zip(none.parameters(), weights, strict=True):
            mine.copy_(theirs)
    x = torch.rand(2, 1, 16, 16)
    torch.testing.assert_close(batch(x), none(x), rtol=1e-3, atol=1e-4)  # eps of 1e-5 in 20 layers


@pytest.mark.parametrize(
    ("init", "variance"), [("kaiming", 2 / (9 * 256)), ("default", 1 / (3 * 9 * 256))]
)
def test_the_law_of_the_convolutions(init, variance):
    torch.manual_seed(0)
    network = ResNet(1, 32, 2, init=init)
    convolution = network.layer3[1].branch[0]  # 256 to 256 channels, 589824 weights
    for _ in range(2):
        assert convolution.weight.var().item() == pytest.approx(variance, rel=0.02)
        network.reset_parameters()


def test_an_unknown_depth_is_refused():
    with pytest.raises(ValueError, match="18, 34, 50"):
        ResNet(3, 32, 2, depth=20)


def test_blocks_may_have_another_activation_than_the_stem():
    kinds = [type(m) for m in ResNet(1, 8, 2, activation="gelu", block_activation="relu").modules()]
    assert kinds.count(nn.GELU) == 1
    assert kinds.count(nn.ReLU) == 8 * 2
