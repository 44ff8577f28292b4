"""Memory of `geometric_velocity` on a ResNet-18 at 224 x 224 x 3.

Peak memory that one measurement adds to the process, including G_F from an empty cache, against its
limit of 2 GB.
"""

import tempfile
from collections.abc import Iterable

from benchmarks import harness
from benchmarks.harness import Row, added_memory, planned_run
from benchmarks.probes import probes_of, random_images, taken
from callbacks.subject import Subject
from lightning_modules.build import build_network

SIZE, N, LIMIT = 224, 600, 2.0  # pixels, images for S, GB


def run() -> Iterable[Row]:
    """The first measurement of a run at this size."""
    data = random_images(N, 2, SIZE)
    network = build_network(planned_run("model=resnet18").config.model, data.spec, seed=0)
    subject = Subject(data, seed=0, networks=(network.eval(),))
    with tempfile.TemporaryDirectory() as cache:
        (probe,) = (p for p in probes_of("geometric_velocity", cache) if "velocity" in p.name)
        start = harness.clock()
        added = added_memory(lambda: taken(probe, subject))
    note = f"{harness.clock() - start:.0f} s"
    yield Row("GB beyond network and images", added, "target", LIMIT, 1.0, note)
