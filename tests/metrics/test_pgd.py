import pytest
import torch
from torch import nn

from metrics.functional.example_loss import cross_entropy
from metrics.functional.pgd import pgd
from tests.metrics.test_attack_penalty import conv_net, images
from tests.parity import agree


def distance_to_boundary(net, x):
    """Closed form for a linear two-class net: margin / dual norm of the difference of rows."""
    margin = (net(x)[:, 0] - net(x)[:, 1]).detach().abs()
    difference = (net.weight[0] - net.weight[1]).detach()
    return {"l2": margin / difference.norm(), "linf": margin / difference.abs().sum()}


@pytest.mark.parametrize("norm", ["l2", "linf"])
def test_breaks_a_linear_net_just_beyond_its_exact_radius_and_not_before(norm):
    torch.manual_seed(0)
    net = nn.Linear(20, 2).double()
    x = 0.4 + 0.2 * torch.rand(8, 20, dtype=torch.float64)
    y = net(x).argmax(1)
    radii = distance_to_boundary(net, x)[norm]
    for i in range(len(x)):
        r = float(radii[i])
        for eps, broken in ((0.999 * r, False), (1.001 * r, True)):
            attacked = pgd(net, x[i : i + 1], y[i : i + 1], eps, norm, steps=20)
            if attacked.min() > 0 and attacked.max() < 1:  # the box did not help
                assert bool(net(attacked).argmax(1) != y[i]) == broken


@pytest.mark.parametrize("norm", ["l2", "linf"])
@pytest.mark.parametrize("eps", [1e-3, 36 / 255, 1.0])
def test_stays_in_the_ball_and_in_the_box(norm, eps):
    net, (x, y) = conv_net(), images()
    attacked = pgd(net, x, y, eps, norm, steps=7, step_size=eps, restarts=3)
    shift = (attacked.double() - x.double()).flatten(1)
    length = shift.norm(dim=1) if norm == "l2" else shift.abs().amax(1)
    assert length.max() <= eps
    assert attacked.min() >= 0
    assert attacked.max() <= 1
    assert length.max() > 0.5 * eps or eps == 1.0


@pytest.mark.parametrize("norm", ["l2", "linf"])
def test_more_steps_and_restarts_never_weaken_it(norm):
    net, (x, y) = conv_net().eval(), images()
    net(x)

    def strength(**kwargs):
        with torch.no_grad():
            logits = net(pgd(net, x, y, 0.2, norm, step_size=0.1, **kwargs))
            return cross_entropy(logits, y), logits.argmax(1) != y

    few, more = strength(steps=3), strength(steps=3, restarts=4)
    assert (more[1] >= few[1]).all()
    still = few[1] == more[1]
    assert (more[0][still] >= few[0][still] - 1e-6).all()


def test_seed_decides_the_random_starts():
    net, (x, y) = conv_net(), images(3)
    first, again, other = (
        pgd(net, x, y, 0.1, steps=1, restarts=2, seed=seed, keep="last") for seed in (0, 0, 1)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parity
@pytest.mark.parametrize(("norm", "name"), [("l2", "L2PGD"), ("linf", "LinfPGD")])
def test_agrees_with_foolbox(norm, name):
    foolbox = pytest.importorskip("foolbox")
    net, (x, y) = conv_net(dtype=torch.float64).eval(), images(dtype=torch.float64)
    model = foolbox.PyTorchModel(net, bounds=(0, 1), device="cpu")
    attack = getattr(foolbox.attacks, name)(steps=10, abs_stepsize=0.05, random_start=False)
    theirs = attack.run(model, x, y, epsilon=0.2)
    ours = pgd(net, x, y, 0.2, norm, steps=10, step_size=0.05, keep="last")
    agree(f"pgd {norm}", f"foolbox.{name}", ours, theirs, 1e-6, "sums in another order")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"norm": "l1"}, "l2"),
        ({"keep": "first"}, "best"),
        ({"eps": -1}, "eps=-1 must be a finite number, at least 0"),
        ({"steps": 0}, "at least 1"),
        ({"restarts": 0}, "at least 1"),
        ({"x": torch.full((2, 2), torch.nan)}, "x has NaN"),
    ],
)
def test_traps(change, message):
    given = {"model": nn.Linear(2, 2), "x": torch.rand(2, 2), "y": torch.tensor([0, 1]), "eps": 0.1}
    with pytest.raises(ValueError, match=message):
        pgd(**(given | change))
