"""No layer stretches any distance, whatever its weights are; its exact singular values say so."""

import copy
import pickle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from .layers import LAYERS, jacobian, norm, redraw

KINDS = ["random", "orthogonal", "rank one", "equal"]
ROUNDING = 1e-6  # of the layer's own float32


@pytest.fixture(params=LAYERS)
def name(request):
    return request.param


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_singular_value_is_at_most_1(name, kind, scale):
    make, shape = LAYERS[name]
    layer = redraw(make(), kind, scale, seed=1)
    assert norm(jacobian(layer, shape)) <= 1 + ROUNDING


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(LAYERS)), st.sampled_from(KINDS), st.integers(0, 999), st.floats(-3, 3)
)
def test_no_weights_break_the_bound(name, kind, seed, power):
    make, shape = LAYERS[name]
    layer = redraw(make(), kind, 10**power, seed)
    assert norm(jacobian(layer, shape, seed)) <= 1 + ROUNDING


def test_pairs_of_points_come_no_further_apart(name):
    make, shape = LAYERS[name]
    layer = redraw(make(), "random", 1.0, seed=2).double()
    x, y = torch.randn(2, 50, *shape, generator=torch.Generator().manual_seed(0)).double()
    before, after = (x - y).flatten(1).norm(dim=1), (layer(x) - layer(y)).flatten(1).norm(dim=1)
    assert (after <= before).all()


def test_it_uses_what_the_bound_allows(name):
    """As drawn, or for weights that meet the bound, the norm is 1: no layer just shrinks."""
    make, shape = LAYERS[name]
    layer = make()
    if not name.startswith("aol"):
        kind = "rank one" if "cpl" in name else "orthogonal"
        layer = redraw(layer, kind, 1.0, seed=0)
    assert norm(jacobian(layer, shape)) > (0.4 if "narrow" in name else 0.98)


# --- nothing stale ---------------------------------------------------------------------------


def changed_in_place(layer):
    layer.weight.data.mul_(0.3)  # `.data` is not seen by version counters
    return layer


def loaded(layer):
    state = {key: 0.3 * value for key, value in layer.state_dict().items()}
    layer.load_state_dict(state)
    return layer


def assigned(layer):
    layer.load_state_dict({k: 0.3 * v for k, v in layer.state_dict().items()}, assign=True)
    return layer


def replaced(layer):
    layer.weight = nn.Parameter(layer.weight.detach() * 0.3)
    return layer


def copied_and_trained(layer):
    twin = copy.deepcopy(layer)
    twin.weight.data.add_(1.0)
    return twin


def pickled_and_trained(layer):
    twin = pickle.loads(pickle.dumps(layer))
    twin.weight.data.add_(1.0)
    return twin


def stepped(layer):
    with torch.enable_grad():
        layer(torch.ones(1, *layer.shape)).square().sum().backward()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    return layer


def in_double(layer):
    return layer.double()


CHANGES = [
    changed_in_place,
    loaded,
    assigned,
    replaced,
    copied_and_trained,
    pickled_and_trained,
    stepped,
    in_double,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_kept_bound_never_outlives_its_weights(name, change):
    make, shape = LAYERS[name]
    layer = redraw(make(), "random", 1.0, seed=3).eval()
    layer.shape = shape
    x = torch.randn(2, *shape, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        before = layer(x)  # fills the memory
        other = change(layer)
        x = x.to(other.weight.dtype)
        fresh = make().to(other.weight.dtype)
        fresh.load_state_dict(other.state_dict())
        torch.testing.assert_close(other(x), fresh(x), rtol=0, atol=0)
        if "copied" in change.__name__:
            torch.testing.assert_close(layer(x), before, rtol=0, atol=0)


def test_a_moved_layer_asks_nothing_of_the_device_it_left(name):
    make, shape = LAYERS[name]
    layer = make()
    with torch.no_grad():
        layer(torch.zeros(1, *shape))
        moved = layer.to("meta")(torch.zeros(1, *shape, device="meta"))
    assert moved.device.type == "meta"


def test_modes_and_gradients_change_nothing(name):
    make, shape = LAYERS[name]
    layer = redraw(make(), "random", 1.0, seed=4)
    x = torch.randn(2, *shape, generator=torch.Generator().manual_seed(0))
    learning = layer(x)
    with torch.inference_mode():
        torch.testing.assert_close(layer.eval()(x), learning, rtol=1e-5, atol=1e-5)
    layer.requires_grad_(False)  # the memory, filled in inference mode, must serve an attack
    attacked = x.requires_grad_()
    layer(attacked).square().sum().backward()
    assert attacked.grad.abs().sum() > 0


def test_what_certifies_is_computed_in_float64(name):
    """So that no backend's shortened float32 (TF32, bfloat16) reaches it."""
    layer = redraw(LAYERS[name][0](), "random", 1.0, seed=7)
    seen = []
    cache = layer.cache

    def spied(law, *weights, **options):
        def spy(*tensors, **more):
            seen.extend(t.dtype for t in tensors)
            return law(*tensors, **more)

        return cache(spy, *weights, **options)

    layer.cache = spied
    with torch.no_grad():
        assert layer(torch.zeros(1, *LAYERS[name][1])).dtype == torch.float32
    assert set(seen) == {torch.float64}


def test_a_copy_in_float64_uses_the_value_that_is_known(name):
    layer = redraw(LAYERS[name][0](), "random", 1.0, seed=7)
    x = torch.randn(2, *LAYERS[name][1], generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        expected = copy.deepcopy(layer).double()(x.double())
        layer(x)
        precise = copy.deepcopy(layer).double()
        cache = precise.cache
        precise.cache = lambda _, *weights, **options: cache(None, *weights, **options)
        assert torch.equal(precise(x.double()), expected)
        precise.weight[0] += 1e-9  # a change that float32 has no digits for
        with pytest.raises(TypeError):
            precise(x.double())


def test_states_hold_parameters_only(name):
    layer = LAYERS[name][0]()
    with torch.no_grad():
        layer(torch.zeros(1, *LAYERS[name][1]))
    assert set(layer.state_dict()) == {key for key, _ in layer.named_parameters()}


def test_mixed_precision_does_not_reach_the_bound(name):
    make, shape = LAYERS[name]
    layer = redraw(make(), "random", 1.0, seed=5)
    seen = []
    cache = layer.cache
    layer.cache = lambda *args, **options: seen.append(cache(*args, **options)) or seen[-1]
    x = torch.randn(1, *shape)
    layer(x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        layer(x)
        with torch.no_grad():
            layer(x)
    torch.testing.assert_close(seen[0], seen[1], rtol=0, atol=0)
    torch.testing.assert_close(seen[0], seen[2], rtol=1e-5, atol=0)
    assert seen[1].dtype == seen[2].dtype == torch.float32


def test_the_gradient_of_the_rescaling_is_part_of_the_gradient(name):
    make, shape = LAYERS[name]
    layer = redraw(make(), "random", 1.0, seed=6).double()
    x = torch.randn(2, *shape, dtype=torch.double, generator=torch.Generator().manual_seed(0))
    parameters = {key: p.detach().requires_grad_() for key, p in layer.named_parameters()}

    def value(*tensors):
        given = dict(zip(parameters, tensors, strict=True))
        return torch.func.functional_call(layer, given, (x,)).square().sum()

    assert torch.autograd.gradcheck(value, tuple(parameters.values()), fast_mode=True)
