"""Memory of `geometric_velocity` on a ResNet-18 at 224 x 224 x 3.

Peak memory that one measurement adds to the process, including G_F from an empty cache, against its
limit of 2 GB.
"""

import resource
import tempfile
from collections.abc import Iterable

from benchmarks.harness import Row
from benchmarks.probes import probes_of, random_images, taken
from callbacks.subject import Subject
from conf.plan import plan
from lightning_modules.build import build_network

SIZE, N, LIMIT = 224, 600, 2.0  # pixels, images for S, GB


def peak() -> float:
    """Peak memory of the process, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def run() -> Iterable[Row]:
    """The first measurement of a run at this size."""
    planned = plan(["model=resnet18"])
    assert planned is not None
    data = random_images(N, 2, SIZE)
    network = build_network(planned.runs[0].config.model, data.spec, seed=0)
    with tempfile.TemporaryDirectory() as cache:
        (probe,) = (p for p in probes_of("geometric_velocity", cache) if "velocity" in p.name)
        before = peak()
        seconds = taken(probe, Subject(data, seed=0, network=network.eval()))
    added = peak() - before
    yield Row("GB beyond network and images", added, "target", LIMIT, 1.0, f"{seconds:.0f} s")
