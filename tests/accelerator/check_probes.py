"""Every probe in every mode: on the device the CPU's numbers, and results moved, not images."""

import numpy as np
import pytest
import torch

from callbacks.probe import Probe
from callbacks.subject import Measurement
from metrics.functional.initial_groups import GROUPS
from tests.accelerator import device
from tests.accelerator.both import flat
from tests.accelerator.probe_cases import SMALL, cases, measured, subject_on
from tests.accelerator.transfers import counted

device.register()
# One CPU kernel gives other last bits on memory that is aligned differently.
TOLERANCE = 1e-6
G_F = 8 * 64**2  # bytes of a matrix over images of 8 x 8
LISTS = 2 * 2 * 8 * 70 * 28  # bytes of 28 neighbours of 70 points and of their distances, twice
RESULTS = {  # of the device, which are evaluated in main memory
    "AverageGeometry": 2 * SMALL["batches"] * G_F,
    "GeometricVelocity": GROUPS * G_F + 2 * 2 * 12 * 256,  # and 12 gradients of two networks, twice
    "GeometryEvolution": 2 * (SMALL["batches"] + 1) * G_F,
    "DatasetProperties": LISTS,
    "RepresentationDimension": LISTS,
}
NUMBERS = 5000  # bytes of scalars, scores and labels of 120 images, whose pixels have 30,000
READS = 450  # times that the host waits: checks of arguments, sizes of results


def case(probe: type[Probe], options: dict) -> object:
    modes = [str(value) for value in options.values() if isinstance(value, str)]
    return pytest.param(probe, options, id="-".join([probe.__name__, *modes]))


@pytest.mark.parametrize(("probe", "options"), [case(*given) for given in cases()])
def test_probe_gives_the_numbers_of_the_cpu_and_moves_results_alone(probe, options):
    expected = measured(probe(**options), subject_on("cpu", options, probe.__name__))
    there, subject = probe(**options), subject_on("gpu:0", options, probe.__name__)
    with counted() as moved:
        found = measured(there, subject)
    for a, b in zip(expected, found, strict=True):
        assert list(a.scalars) == list(b.scalars)
        for name in a.scalars:
            assert b.scalars[name] == pytest.approx(a.scalars[name], TOLERANCE, nan_ok=True), name
        assert list(a.arrays) == list(b.arrays)
        for name, array in a.arrays.items():
            error = TOLERANCE * np.abs(array[np.isfinite(array)]).max(initial=1e-30)
            np.testing.assert_allclose(b.arrays[name], array, atol=error, err_msg=name)
    results = sum(size_of(one) for one in found) + RESULTS.get(probe.__name__, 0)
    results += sum(x.nbytes for x in flat(there.state_dict()) if isinstance(x, torch.Tensor))
    if probe.__name__ == "DatasetProperties":  # both properties are computed on the device
        assert moved.to_device.count(subject.data.train.x.nbytes) == 4
    assert not moved.between
    assert len(moved.to_host) < READS
    assert sum(moved.to_host) < results + NUMBERS


def size_of(measurement: Measurement) -> int:
    """Bytes of what a measurement keeps beside its scalars."""
    arrays = [*measurement.arrays.values()]
    arrays += [column for table in measurement.tables.values() for column in table.values()]
    return sum(array.nbytes for array in arrays)
