"""Memory of `geometric_velocity` on a ResNet-18 at 224 x 224 x 3.

What one measurement adds to the process at its peak, G_F from an empty cache included, against the
2 GB that it may take.
"""

import resource
import tempfile
from collections.abc import Iterable

from benchmarks.harness import Row
from benchmarks.probes import probes_of, random_images, taken
from callbacks.subject import Subject
from conf.plan import plan
from lightning_modules.build import build_network

SIZE, N, LIMIT = 224, 600, 2.0  # pixels, images that S may be made of, GB


def peak() -> float:
    """Most memory that the process had at any time, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def run() -> Iterable[Row]:
    """One measurement as a run at this size takes it first."""
    planned = plan(["model=resnet18"])
    assert planned is not None
    data = random_images(N, 2, SIZE)
    network = build_network(planned.runs[0].config.model, data.spec, seed=0)
    with tempfile.TemporaryDirectory() as cache:
        (probe,) = (p for p in probes_of("geometric_velocity", cache) if "velocity" in p.name)
        before = peak()
        seconds = taken(probe, Subject(data, seed=0, network=network.eval()))
    added = peak() - before
    yield Row("GB beyond network and images", added, "promised", LIMIT, 1.0, f"{seconds:.0f} s")
