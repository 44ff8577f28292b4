"""Peak memory of whole commands, in GB.

Planning a large sweep in a new process: composing, checking and naming its runs. And whole runs at
224 x 224 x 3 with all probes, one epoch on few images, so that the batch of the published code
decides: training, G_F and the velocity, FGSM, Jacobians, figures.
"""

import tempfile
from collections.abc import Iterator

from benchmarks.harness import Row, child

PLAN = "from conf.plan import plan; assert len(plan(['-m', 'seed=range(0,10000)']).runs) == 10000"
LARGE = ["data=cifar10", "standin=true", "data.size=224", "n=32", "data.test_n=32", "epochs=1"]
LARGE += ["callbacks=full", "probes.models=2", "logger=csv", "threads=1"]


def run() -> Iterator[Row]:
    """The plan of 10,000 runs, and two large networks."""
    peak, seconds = child("-c", PLAN)
    yield Row("planning 10,000 runs (GB)", peak, "target", 0.5, 1)
    yield Row("planning 10,000 runs (CPU s)", seconds, "target", 10, 1, "with all imports")
    with tempfile.TemporaryDirectory() as folder:
        places = [f"paths.{name}={folder}/{name}" for name in ("runs", "cache", "data")]
        for model in ("resnet50", "vgg16"):
            peak, seconds = child("launch.py", f"model={model}", *LARGE, *places)
            note = f"batch of 32 images; {seconds:.0f} CPU s"
            yield Row(f"{model}, 224 px, all probes (GB)", peak, "target", 16, 1, note)
