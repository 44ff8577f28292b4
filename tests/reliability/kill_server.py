"""Runs `launch.py` again and again in forks of one process, which imports everything once.

Reads a request a line on standard input and answers a line on standard output; both are JSON.
Started with `kill_points.c` preloaded. torch's backward pass must not run here: forks could not
repeat it.
"""

import ctypes
import functools
import gc
import importlib
import io
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

MODULES = (
    *("launch", "pandas", "wandb", "sklearn.datasets", "callbacks.build", "callbacks.checkpoint"),
    *("callbacks.finish", "callbacks.measure_again", "callbacks.dataset_properties"),
    *("callbacks.fgsm_penalty", "callbacks.geometric_velocity", "callbacks.evaluation"),
    *("datamodules.build", "datamodules.image_data", "datamodules.readers.digits"),
    *("datamodules.readers.mnist", "datamodules.standins.mnist", "lightning_modules.build"),
    *("lightning_modules.networks.mlp", "conf.plan", "matplotlib.figure", "callbacks.stop"),
    *("launchers.load_data", "launchers.course", "analysis.drawing.course", "pyarrow.csv"),
    *("datamodules.tasks.default", "lightning_modules.losses.cross_entropy"),
    *("lightning_modules.schedules", "torch.utils.serialization.config", "rich._emoji_codes"),
)


def fail(*_: Any) -> None:
    """In place of a measurement."""
    raise MemoryError("no room")


@functools.cache
def planned(words: tuple[str, ...]) -> Any:
    """The runs of a command, composed once for all its forks: a plan depends on words alone."""
    return importlib.import_module("conf.plan").plan(list(words))


def run(request: dict[str, Any], library: ctypes.CDLL) -> int:
    """In the fork: be the command, to its end or to the point where it is killed."""
    from matplotlib.figure import Figure

    import launch
    from callbacks.fgsm_penalty import FGSMPenalty

    os.setsid()  # a kill takes the whole group along: ranks, git
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(request["home"])
    if request["fail"]:
        FGSMPenalty.measure = fail  # type: ignore[method-assign, assignment]
    Figure.draw = lambda *_: None  # type: ignore[method-assign]  # a third of the time
    sys.argv = ["launch.py", *request["words"]]
    launch.plan = lambda words: planned(tuple(words))
    library.kill_points_arm(request["home"].encode(), ctypes.c_long(request["kill_at"]))
    code = launch.main()
    sys.stdout.flush()
    Path(request["log"]).with_suffix(".points").write_text(str(library.kill_points_count()))
    return code


def answer(request: dict[str, Any], library: ctypes.CDLL) -> dict[str, int]:
    """The exit code of a command, negative where a signal ended it, and its number of points."""
    words = map(importlib.import_module("conf.overrides").quote_for_hydra, request["words"])
    planned(tuple(sorted(words, key=lambda word: word != "-m")))  # as `launch.main` orders them
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = run(request, library)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    points = Path(request["log"]).with_suffix(".points")
    return {"code": code, "points": int(points.read_text()) if code >= 0 else 0}


def warm_up() -> None:
    """Do once what every fork would: find Hydra's plugins and choices, load fonts."""
    from conf.plan import plan
    from tests.reliability.killed_runs import SMALL

    plan([*SMALL, "callbacks=economy"])
    figure = importlib.import_module("matplotlib.figure").Figure(layout="constrained")
    figure.subplots().plot([0, 1], label="1")
    figure.savefig(io.BytesIO(), format="png")


def main() -> None:
    """Answer until standard input ends."""
    for name in MODULES:
        importlib.import_module(name)
    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    library.kill_points_count.restype = ctypes.c_long
    warm_up()
    gc.collect()
    gc.freeze()  # forks then look at what is their own
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), library)), flush=True)


if __name__ == "__main__":
    main()
