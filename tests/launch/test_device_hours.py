"""Hours on known devices by precision, and the speed of this machine."""

import pytest
import torch

from launchers import device_hours
from launchers.device_hours import DEVICES, SHARES, describe_cost, hours_on, measured_speed
from launchers.training_cost import TrainingCost


def test_a_plan_has_hours_memory_and_disk_and_is_answered_from_the_cache(launch, monkeypatch):
    assert launch("--plan", "n=100", "epochs=2") == 0
    assert "A100" in launch.output
    assert "this machine" in launch.output
    assert "MB of memory per run and " in launch.output
    assert "of disk for all records and checkpoints (counted" in launch.output
    assert "(no TF32)" in launch.output
    monkeypatch.setattr(device_hours, "measured_speed", None)
    assert launch("--plan", "n=100", "epochs=2") == 0


def test_hours_follow_the_precision_of_each_run():
    half = 0.5 * 3600 * SHARES["16-mixed"] * DEVICES["A100"]["16-mixed"]
    full = 0.5 * 3600 * SHARES["32-true"] * DEVICES["A100"]["32-true"]
    assert hours_on("A100", {"16-mixed": half, "32-true": full}) == pytest.approx(1)
    first, _ = describe_cost(TrainingCost({"bf16-mixed": half}, 1, 1), 1e9)
    assert "A100 30 min" in first
    assert "V100" not in first  # it has no bfloat16
    assert "precision=bf16-mixed: 20 % of the bfloat16 peak of tensor cores" in first


def test_every_precision_has_its_peak():
    assert SHARES.keys() == device_hours.PEAKS.keys()
    assert all(peaks.keys() <= SHARES.keys() for peaks in DEVICES.values())


def test_nothing_to_train_takes_no_time_and_disk_is_said_where_wanted():
    nothing = TrainingCost({}, 0, 3e6)
    assert "operations (0): on one device V100 under a minute" in describe_cost(nothing, 1e9)[0]
    assert "disk" in describe_cost(nothing, 1e9)[1]
    assert "disk" not in describe_cost(nothing, 1e9, disk=False)[1]


def test_speed_is_that_of_one_thread(monkeypatch):
    """Two threads wait for each other in CPU time."""
    seen = []
    forward = torch.nn.Conv2d.forward
    monkeypatch.setattr(
        torch.nn.Conv2d,
        "forward",
        lambda *inputs: seen.append(torch.get_num_threads()) or forward(*inputs),
    )
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert measured_speed() > 0
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert set(seen) == {1}
