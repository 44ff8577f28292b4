import pytest
import torch
from torch import nn

from metrics.functional.evaluation_mode import evaluation_mode
from metrics.functional.fgsm import fgsm
from metrics.functional.grad_enabled import grad_enabled
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.pgd import pgd

NET = nn.Sequential(nn.Flatten(), nn.Linear(12, 4), nn.ReLU(), nn.Linear(4, 3))
Y = torch.tensor([0, 1])


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad, torch.enable_grad])
def test_leaves_and_restores_the_callers_mode(mode):
    with mode():
        before = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        with grad_enabled():
            assert torch.is_grad_enabled()
            assert not torch.is_inference_mode_enabled()
        assert (torch.is_grad_enabled(), torch.is_inference_mode_enabled()) == before


@pytest.mark.parametrize(
    "measure",
    [
        lambda x, y: fgsm(NET, x, y, 0.1),
        lambda x, y: pgd(NET, x, y, 0.1, steps=2),
        lambda x, y: jacobian_spectrum(NET, x),
    ],
    ids=["fgsm", "pgd", "jacobian_spectrum"],
)
def test_routines_give_the_same_in_inference_mode(measure):
    x = torch.rand(2, 3, 2, 2, generator=torch.Generator().manual_seed(0))
    expected = measure(x, Y)
    with torch.inference_mode():
        inside = measure(x.clone(), Y.clone())  # made in inference mode: never savable for backward
    torch.testing.assert_close(inside, expected, rtol=0, atol=0)


def test_evaluation_mode_restores_each_module_after_an_error():
    net = nn.Sequential(nn.Dropout().train(), nn.BatchNorm1d(2).eval())
    with pytest.raises(RuntimeError, match="inside"), evaluation_mode(net):
        raise RuntimeError("inside")
    assert net.training
    assert net[0].training
    assert not net[1].training
