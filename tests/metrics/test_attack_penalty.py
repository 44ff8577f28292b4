import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from metrics.attack_penalty import AttackPenalty
from metrics.functional.attack_examples import attack_examples
from metrics.functional.attack_penalty import attack_penalty
from metrics.functional.example_loss import binary_cross_entropy, cross_entropy
from metrics.functional.fgsm import fgsm
from tests.metrics.contract import check_contract
from tests.parity import agree

EPS = (1 / 255, 2 / 255, 4 / 255, 8 / 255)


def linear(weight):
    net = nn.Linear(len(weight[0]), len(weight), bias=False)
    net.weight.data.copy_(torch.tensor(weight))
    return net


def conv_net(seed=0, dtype=torch.float32, classes=4):
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout(0.5),
        nn.AvgPool2d(4), nn.Flatten(), nn.Linear(24, classes),
    )  # fmt: skip
    net[1].running_var.uniform_(0.5, 2)
    return net.to(dtype)


def images(n=10, seed=1, dtype=torch.float32, classes=4):
    generator = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 3, 8, 8, generator=generator, dtype=dtype)
    return x, torch.randint(classes, (n,), generator=generator)


def test_linear_binary_logit_moves_by_eps_times_the_l1_norm():
    net = linear([[0.5, -2.0, 1.0]])
    x = torch.full((2, 3), 0.5)
    attacked = fgsm(net, x, torch.tensor([1, 0]), 0.1, binary_cross_entropy)
    shift = (net(attacked) - net(x)).flatten()
    torch.testing.assert_close(shift, torch.tensor([-0.35, 0.35]))


def test_penalty_of_a_linear_binary_net_is_known_in_closed_form():
    net, x, y = linear([[3.0, -1.0]]), torch.tensor([[0.5, 0.5], [0.6, 0.2]]), torch.tensor([1, 1])
    result = attack_penalty(net, x, y, (0.1, 0.3), binary_cross_entropy)
    logits = [1.0, 1.6]
    for i, eps in enumerate((0.1, 0.3)):
        expected = sum(
            math.log1p(math.exp(-(z - 4 * eps))) - math.log1p(math.exp(-z)) for z in logits
        )
        assert float(result.loss_penalty[i]) == pytest.approx(expected / 2, rel=1e-6)
    # At 0.3 the second image's pixel 0.2 may still rise by 0.3; logits fall to -0.2 and 0.4.
    assert result.accuracy_penalty.tolist() == [0, 0.5]


def test_attack_is_clipped_to_pixels_and_stays_within_eps():
    net, (x, y) = conv_net(), images()
    attacked = fgsm(net, x, y, EPS)
    assert attacked.shape == (4, *x.shape)
    assert attacked.min() >= 0
    assert attacked.max() <= 1
    for i, eps in enumerate(EPS):
        assert (attacked[i] - x).abs().max() <= eps + 1e-7
        torch.testing.assert_close(attacked[i], fgsm(net, x, y, eps), rtol=0, atol=0)


def test_leaves_the_network_and_the_random_numbers_alone():
    net, (x, y) = conv_net().train(), images()
    state = {name: value.clone() for name, value in net.state_dict().items()}
    generator = torch.get_rng_state()
    attack_penalty(net, x, y, EPS, chunk=3)
    assert all(module.training for module in net.modules())
    assert all(parameter.grad is None for parameter in net.parameters())
    assert torch.equal(generator, torch.get_rng_state())
    for name, value in net.state_dict().items():
        assert torch.equal(value, state[name]), name


@pytest.mark.parametrize("chunk", [1, 3, 100])
def test_means_are_over_examples_whatever_the_chunks(chunk):
    net, (x, y) = conv_net(dtype=torch.float64), images(dtype=torch.float64)
    result = attack_penalty(net, x, y, EPS, chunk=chunk)
    with torch.no_grad():
        net.eval()
        losses = cross_entropy(net(x), y).mean()
        attacked = torch.stack([cross_entropy(net(a), y).mean() for a in fgsm(net, x, y, EPS)])
    torch.testing.assert_close(result.clean_loss, losses)
    torch.testing.assert_close(result.loss_penalty, attacked - losses)
    assert list(result.scalars()) == [
        "fgsm_zero_gradients",
        *(f"fgsm_{what}_penalty@{k}" for k in (1, 2, 4, 8) for what in ("loss", "accuracy")),
    ]


def test_confident_networks_are_attacked_all_the_same():
    # A margin of 300 underflows float32 softmax: a plain float32 gradient would be exactly 0.
    net, x, y = linear([[600.0, 0.0], [0.0, 600.0]]), torch.tensor([[0.9, 0.4]]), torch.tensor([0])
    leaf = x.clone().requires_grad_()
    naive = torch.autograd.grad(nn.functional.cross_entropy(net(leaf), y), leaf)[0]
    assert (naive == 0).all()
    result = attack_penalty(net, x, y, 0.3)
    assert result.zero_gradients == 0
    assert float(result.accuracy_penalty[0]) == 1


def test_cross_entropy_and_its_gradient_are_torchs_where_torch_is_right():
    logits = torch.randn(6, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    logits.requires_grad_()
    y = torch.tensor([0, 1, 2, 3, 4, 0])
    ours, theirs = (
        cross_entropy(logits, y),
        nn.functional.cross_entropy(logits, y, reduction="none"),
    )
    torch.testing.assert_close(ours, theirs)
    gradients = [torch.autograd.grad(loss.sum(), logits)[0] for loss in (ours, theirs)]
    torch.testing.assert_close(*gradients)


def test_gradient_of_a_confident_example_sums_to_zero_over_the_classes():
    logits = torch.tensor([[60.0, 0.0, 1.0]], dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(cross_entropy(logits, torch.tensor([0])).sum(), logits)
    expected = torch.tensor([[-1 - math.e, 1.0, math.e]], dtype=torch.float64) * math.exp(-60)
    torch.testing.assert_close(gradient, expected, rtol=1e-9, atol=0)


def test_examples_without_gradient_are_counted():
    net = nn.Sequential(nn.ReLU(), linear([[1.0, 0.0], [0.0, 1.0]]))
    result = attack_penalty(net, torch.zeros(3, 2), torch.tensor([0, 1, 0]), 0.1)
    assert result.zero_gradients == 3
    assert result.scalars()["fgsm_zero_gradients"] == 3


def test_eps_zero_costs_nothing():
    net, (x, y) = conv_net(), images()
    result = attack_penalty(net, x, y, 0.0)
    assert float(result.loss_penalty) == pytest.approx(0, abs=1e-6)
    assert float(result.accuracy_penalty) == 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), scale=st.floats(0.01, 100))
def test_attack_ignores_order_and_the_scale_of_two_class_logits(seed, scale):
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(2, 5, generator=generator, dtype=torch.float64)
    x = torch.rand(6, 5, generator=generator, dtype=torch.float64)
    y = torch.randint(2, (6,), generator=generator)
    order = torch.randperm(6, generator=generator)
    net, scaled = nn.Linear(5, 2, bias=False).double(), nn.Linear(5, 2, bias=False).double()
    net.weight.data.copy_(weight)
    scaled.weight.data.copy_(scale * weight)
    attacked = fgsm(net, x, y, 0.05)
    assert torch.equal(attacked[order], fgsm(net, x[order], y[order], 0.05))
    assert torch.equal(attacked, fgsm(scaled, x, y, 0.05))


@pytest.mark.parity
@pytest.mark.parametrize("eps", EPS)
def test_agrees_with_foolbox(eps):
    foolbox = pytest.importorskip("foolbox")
    net, (x, y) = conv_net(dtype=torch.float64).eval(), images(dtype=torch.float64)
    model = foolbox.PyTorchModel(net, bounds=(0, 1), device="cpu")
    theirs = foolbox.attacks.LinfFastGradientAttack().run(model, x, y, epsilon=eps)
    ours = fgsm(net, x, y, eps)
    agree("fgsm", "foolbox.LinfFastGradientAttack", ours, theirs, 1e-12, "same sign step")


def test_contract():
    net, (x, y) = conv_net(), images(12)
    batches = [
        attack_examples(net, a, b, EPS).columns()
        for a, b in zip(x.split(3), y.split(3), strict=True)
    ]
    check_contract(lambda: AttackPenalty(EPS), batches)
    metric = AttackPenalty(EPS)
    for batch in batches:
        metric.update(*batch)
    assert metric.result().scalars() == pytest.approx(attack_penalty(net, x, y, EPS).scalars())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": torch.full((2, 2), math.nan)}, "x has NaN"),
        ({"x": torch.full((2, 2), 1.5)}, "first layer"),
        ({"x": torch.zeros(2, 2, dtype=torch.uint8)}, "x is torch.uint8"),
        ({"x": torch.zeros(0, 2), "y": torch.zeros(0)}, "at least one"),
        ({"y": torch.tensor([0])}, r"y has shape \(1,\); it must be \(2,\)"),
        ({"eps": 2}, "2/255"),
        ({"eps": ()}, "eps"),
        ({"eps": -0.1}, "eps"),
        ({"loss": nn.functional.cross_entropy}, "reduction='none'"),
        ({"model": linear([[math.inf, 1.0], [1.0, 1.0]])}, "not finite"),
        ({"model": nn.Linear(2, 1)}, "binary_cross_entropy"),
        ({"chunk": 0}, "chunk"),
    ],
)
def test_traps(change, message):
    given_ = {
        "model": nn.Linear(2, 2),
        "x": torch.rand(2, 2),
        "y": torch.tensor([0, 1]),
        "eps": 0.1,
    }
    with pytest.raises(ValueError, match=message):
        attack_penalty(**(given_ | change))


def test_detached_model_is_refused():
    class Detached(nn.Linear):
        def forward(self, x):
            return super().forward(x).detach()

    with pytest.raises(ValueError, match="no gradient"):
        fgsm(Detached(2, 2), torch.rand(1, 2), torch.tensor([0]), 0.1)


def test_metric_refuses_other_columns_and_no_data():
    metric = AttackPenalty(EPS)
    with pytest.raises(ValueError, match="one column"):
        metric.update(*(torch.zeros(shape) for shape in ((2,), (2,), (2, 3), (2, 3), (2,))))
    with pytest.raises(ValueError, match="0 examples"):
        metric.result()
