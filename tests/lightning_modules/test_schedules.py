import pytest
import torch

from lightning_modules import schedules


def rates(schedule, epochs=4, steps=5, **options):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1, momentum=0.9)
    entry = schedule(optimizer, epochs, steps, **options)
    seen = []
    for _ in range(epochs * steps):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if entry:
            assert entry["interval"] == "step"
            entry["scheduler"].step() if len(seen) < epochs * steps else None
    return seen


def test_constant():
    assert set(rates(schedules.constant)) == {0.1}


def test_linear_falls_by_equal_steps_towards_zero():
    seen = rates(schedules.linear)
    assert seen == pytest.approx([0.1 * (1 - t / 20) for t in range(20)])


def test_exponential_changes_once_an_epoch():
    seen = rates(schedules.exponential, gamma=0.5)
    assert seen == pytest.approx([0.1 * 0.5 ** (t // 5) for t in range(20)])


def test_one_cycle_starts_at_a_25th_peaks_and_ends_at_almost_nothing():
    seen = rates(schedules.one_cycle, epochs=10, steps=10)
    assert seen[0] == pytest.approx(0.1 / 25)
    assert max(seen) == pytest.approx(0.1, rel=1e-3)
    assert seen.index(max(seen)) == pytest.approx(29, abs=1)
    assert seen[-1] == pytest.approx(0.1 / 25 / 1e4, rel=1e-2)


@pytest.mark.parametrize(("steps", "rise"), [(10, 0.1), (2, 0.5), (20, 0.05)])
def test_one_cycle_whose_rise_is_a_single_step_starts_low_and_then_falls(steps, rise):
    seen = rates(schedules.one_cycle, epochs=1, steps=steps, rise=rise)
    assert seen[0] == pytest.approx(0.1 / 25)
    assert seen[1:] == sorted(seen[1:], reverse=True)
    assert seen[-1] == pytest.approx(0.1 / 25 / 1e4)


@pytest.mark.parametrize("rise", [1.0, -0.1])
def test_one_cycle_needs_steps_after_its_rise(rise):
    with pytest.raises(ValueError, match=f"rise={rise}"):
        rates(schedules.one_cycle, rise=rise)
