import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.first_linear import first_linear
from metrics.functional.jacobian_spectrum import helmert, jacobian_spectrum
from metrics.functional.log_spectrum import log_spectrum
from metrics.functional.point_jacobian import jacobian_rows
from metrics.functional.single_image_statistics import single_image_statistics
from metrics.functional.singular_values import singular_values
from metrics.log_spectrum import LogSpectrum
from tests.metrics.contract import check_contract
from tests.parity import agree


def mlp(inputs=48, hidden=20, classes=4, bias=True, seed=0, dtype=torch.float64):
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Flatten(), nn.Linear(inputs, hidden, bias), nn.ReLU(), nn.Linear(hidden, hidden, bias),
        nn.ReLU(), nn.Linear(hidden, classes, bias),
    ).to(dtype)  # fmt: skip


def conv_net(seed=0, bias=True, dtype=torch.float64):
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Conv2d(3, 5, 3, bias=bias), nn.BatchNorm2d(5, affine=bias), nn.ReLU(), nn.MaxPool2d(2),
        nn.Dropout(0.5), nn.Flatten(), nn.Linear(20, 4, bias=bias),
    )  # fmt: skip
    net[1].running_mean.uniform_(-0.2, 0.2)
    net[1].running_var.uniform_(0.5, 2)
    return net.to(dtype)


def flat(layer):
    return nn.Sequential(nn.Flatten(), layer).double()


def images(n=6, size=6, seed=1, dtype=torch.float64):
    return torch.randn(n, 3, size, size, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def reference(net, x):
    """One `functional.jacobian` and one decomposition per image, as published."""
    rows = []
    for image in x.split(1):
        J = torch.autograd.functional.jacobian(net, image)
        rows.append(torch.linalg.svdvals(J.reshape(J.shape[1], -1)))
    return torch.stack(rows)


def jacobian(net, x):
    leaf = x.detach().requires_grad_()
    with evaluation_mode(net):
        return jacobian_rows(net(leaf), leaf, batched=False)


def test_linear_map_has_the_spectrum_of_its_weight_everywhere():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.Linear(108, 4).double())
    spectrum = jacobian_spectrum(net, images())
    expected = torch.linalg.svdvals(net[1].weight).expand(6, 4)
    torch.testing.assert_close(spectrum, expected)
    centred = jacobian_spectrum(net, images(), gauge="centred")
    weight = net[1].weight - net[1].weight.mean(0)
    torch.testing.assert_close(centred, torch.linalg.svdvals(weight)[:3].expand(6, 3))


def test_bias_free_relu_net_is_its_own_tangent():
    net, x = mlp(bias=False), images(size=4)
    J = jacobian(net, x)
    torch.testing.assert_close((J @ x.flatten(1)[..., None])[..., 0], net(x))
    torch.testing.assert_close(jacobian(net, 3.7 * x), J)
    W1, W2, W3 = (layer.weight for layer in net if isinstance(layer, nn.Linear))
    first = x.flatten(1) @ W1.T
    second = first.relu() @ W2.T
    closed = torch.einsum(
        "ch,bh,hk,bk,kd->bcd", W3, (second > 0).double(), W2, (first > 0).double(), W1
    )
    torch.testing.assert_close(J, closed)


@pytest.mark.parity
@pytest.mark.parametrize(
    ("name", "net", "count", "size"),
    [
        ("MLP, through its first layer", mlp(), 24, 4),
        ("MLP", mlp(), 8, 4),
        ("convolutional net", conv_net(), 8, 6),
    ],
)
def test_agrees_with_one_jacobian_per_image(name, net, count, size):
    net.eval()
    x = images(count, size)
    ours = jacobian_spectrum(net, x, chunk=3)
    theirs = reference(net, x).detach()
    agree(
        f"jacobian_spectrum ({name})",
        "torch.autograd.functional.jacobian",
        ours,
        theirs,
        1e-9,
        "values from the Gram matrix",
    )


def test_all_strategies_give_the_same_numbers():
    net, x = mlp(), images(25, 4)  # 25 images for 20 units: through the first layer's factor
    leaf = x.clone().requires_grad_()
    logits = net(leaf)
    loop, batched = (singular_values(jacobian_rows(logits, leaf, b)) for b in (False, True))
    torch.testing.assert_close(loop, batched)
    assert first_linear(net, x) is net[1]
    torch.testing.assert_close(jacobian_spectrum(net, x), loop)
    torch.testing.assert_close(
        jacobian_spectrum(net.float(), x.float()), loop, rtol=1e-4, atol=1e-6
    )


def test_mean_log_spectrum_is_half_the_mean_log_determinant():
    net, x = conv_net(), images()
    J = jacobian(net, x)
    expected = torch.logdet(J @ J.mT).mean() / (2 * 4)
    result = log_spectrum(jacobian_spectrum(net, x))
    assert result.mean == pytest.approx(float(expected), rel=1e-9)


@settings(max_examples=15, deadline=None)
@given(a=st.floats(0.01, 100), b=st.floats(0.01, 100), seed=st.integers(0, 1000))
def test_scale_and_rotation_rules(a, b, seed):
    net, x = mlp(bias=False, seed=seed), images(3, 4, seed)
    base = log_spectrum(jacobian_spectrum(net, x)).mean
    scaled = mlp(bias=False, seed=seed)
    scaled[5].weight.data.mul_(a)
    louder = log_spectrum(jacobian_spectrum(scaled, x)).mean
    assert louder == pytest.approx(base + math.log(a), abs=1e-9)
    larger = mlp(bias=False, seed=seed)
    larger[1].weight.data.div_(b)  # the same function of b times larger images
    assert log_spectrum(jacobian_spectrum(larger, b * x)).mean == pytest.approx(
        base - math.log(b), abs=1e-9
    )
    turn = torch.linalg.qr(torch.randn(4, 4, dtype=torch.float64)).Q
    turned = nn.Sequential(*net, nn.Linear(4, 4).double())
    turned[-1].weight.data.copy_(turn)
    torch.testing.assert_close(jacobian_spectrum(turned, x), jacobian_spectrum(net, x))


def test_batch_of_one_statistics_are_those_of_training_on_one_image():
    net, x = conv_net(), images()
    net[4].p = 0.0  # no dropout, so that the published way, train mode, is comparable
    ours = jacobian_spectrum(net, x, mode="train_b1", chunk=4)
    net.train()
    torch.testing.assert_close(ours, reference(net, x).detach())


def test_batch_of_one_statistics_make_the_net_blind_to_scale():
    net, x = conv_net(bias=False), images()
    net[1].eps = 0.0
    direction = x.flatten(1)[..., None]
    assert (jacobian(net, x) @ direction).abs().max() > 0.1
    with single_image_statistics(net):
        assert (jacobian(net, x) @ direction).abs().max() < 1e-12


@pytest.mark.parametrize("mode", ["eval", "train_b1"])
def test_leaves_the_network_and_the_random_numbers_alone(mode):
    net, x = conv_net().train(), images()
    state = {name: value.clone() for name, value in net.state_dict().items()}
    generator = torch.get_rng_state()
    jacobian_spectrum(net, x, mode=mode)
    assert all(module.training for module in net.modules())
    assert all(parameter.grad is None for parameter in net.parameters())
    assert "forward" not in net[1].__dict__
    assert torch.equal(generator, torch.get_rng_state())
    for name, value in net.state_dict().items():
        assert torch.equal(value, state[name]), name


def test_helmert_rows_are_orthonormal_and_see_no_common_shift():
    H = helmert(7)
    torch.testing.assert_close(H @ H.T, torch.eye(6, dtype=torch.float64))
    assert (H.sum(1)).abs().max() < 1e-14


def train(net, x, y, steps, weight_decay=0.0):
    optimiser = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=weight_decay)
    for _ in range(steps):
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimiser.step()


def test_sgd_never_learns_the_gauge_direction_which_becomes_the_left_mode():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(200, 60, generator=generator, dtype=torch.float64)
    y = torch.randint(5, (200,), generator=generator)
    net = mlp(60, 64, 5, bias=False)
    before = net[5].weight.sum(0).detach().clone()
    train(net, x, y, 150)
    torch.testing.assert_close(net[5].weight.sum(0).detach(), before, rtol=0, atol=1e-12)
    J = jacobian(net, x)
    U = torch.linalg.svd(J, full_matrices=False).U
    gauge = torch.full((5,), 5**-0.5, dtype=torch.float64)
    assert (U[:, :, -1] @ gauge).abs().median() > 0.95
    spectrum = jacobian_spectrum(net, x)
    pooled = log_spectrum(spectrum)
    assert pooled.split.left_mass == pytest.approx(1 / 5, abs=0.005)
    centred = log_spectrum(jacobian_spectrum(net, x, gauge="centred"))
    assert centred.split.trough is None
    assert centred.mean > pooled.mean
    decayed = mlp(60, 64, 5, bias=False)
    train(decayed, x, y, 150, weight_decay=0.01)
    assert decayed[5].weight.sum(0).norm() < 0.5 * before.norm()


def test_one_logit_and_more_logits_than_pixels():
    x = torch.rand(2, 3)
    assert jacobian_spectrum(nn.Linear(3, 1), x).shape == (2, 1)
    assert jacobian_spectrum(nn.Linear(3, 5), x).shape == (2, 3)
    constant = nn.Linear(3, 2)
    constant.weight.data.zero_()
    assert not jacobian_spectrum(constant, x).any()


def test_contract():
    values = jacobian_spectrum(conv_net(), images(12))
    check_contract(LogSpectrum, [(part,) for part in values.split(3)])


def test_zeros_are_counted_and_left_out():
    result = log_spectrum(torch.tensor([[math.e, 0.0], [math.e**3, math.e]]))
    assert result.zeros == 1
    assert result.mean == pytest.approx(5 / 3)
    assert result.standard_error == pytest.approx(0.5)  # of the image means 1 and 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": torch.zeros(0, 3, 6, 6).double()}, "at least one"),
        ({"x": torch.full((1, 3, 6, 6), math.nan).double()}, "finite"),
        ({"gauge": "mean"}, "centred"),
        ({"mode": "train"}, "train_b1"),
        ({"chunk": 0}, "chunk"),
        ({"model": flat(nn.Linear(108, 1)), "gauge": "centred"}, "2 logits"),
        ({"model": nn.BatchNorm2d(3, track_running_stats=False).double()}, "train_b1"),
        ({"model": flat(nn.BatchNorm1d(108)), "mode": "train_b1"}, "eval"),
    ],
)  # fmt: skip
def test_traps(change, message):
    with pytest.raises(ValueError, match=message):
        jacobian_spectrum(**({"model": conv_net(), "x": images(2)} | change))


def test_traps_of_the_pooled_spectrum():
    for bad in (
        torch.zeros(2, 3),
        torch.tensor([[-1.0]]),
        torch.tensor([[math.nan]]),
        torch.ones(3),
    ):
        with pytest.raises(ValueError, match="singular values"):
            log_spectrum(bad)
    with pytest.raises(ValueError, match="0 examples"):
        LogSpectrum().result()
