"""The W&B logger of a run. Without a network connection the run is logged offline."""

import contextlib
import hashlib
import logging
import netrc
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pytorch_lightning.loggers import WandbLogger

from callbacks.wandb_replay import set_aside
from records.printable import printable

log = logging.getLogger(__name__)

FORBIDDEN = re.compile(r"[^A-Za-z0-9_.-]")
LONGEST = 128  # characters of an id


def run_id(name: str, key: str) -> str:
    """The W&B id of a run: its experiment's name and its key, so that ids differ between names.

    A name that W&B refuses (`a/b`, `a:b`) or that is too long is rewritten, with digits of its hash
    to distinguish it from others.

    >>> run_id("default", "lenet-digits-n500-s0-0123abcd")
    'default-lenet-digits-n500-s0-0123abcd'
    >>> run_id("a/b", "k"), run_id("a-b", "k")
    ('a-b-c14cddc0-k', 'a-b-k')
    """
    plain = FORBIDDEN.sub("-", name)
    room = LONGEST - len(key) - 10
    if plain != name or len(plain) > room:
        plain = f"{plain[: max(room, 0)]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{plain}-{key}"


def wandb_logger(
    folder: Path, mode: Literal["auto", "online", "offline"], **options: Any
) -> WandbLogger:
    """A logger whose W&B run is opened at once.

    Opened in a forked training process it would leave an empty file. If the server does not answer
    in ten seconds, the run is logged offline.

    Args:
        folder: of the run.
        mode: `auto` is online if this machine has a key.
        options: of `wandb.init`. An id that follows from name and key lets a resumed run keep its
            W&B run.
    """
    import wandb

    online = mode == "online" or (mode == "auto" and has_key())
    os.environ["WANDB_DATA_DIR"] = str(folder / "wandb")  # for temporary files of tables
    quiet = wandb.Settings(init_timeout=10, silent=True, console="off", quiet=True)
    options |= {"dir": str(folder), "settings": quiet}
    wandb.util.pd_available = False  # W&B then recognises a DataFrame without importing pandas
    folder.mkdir(parents=True, exist_ok=True)
    set_aside(folder / "wandb")
    with printable_arguments(), without_launch_agent():
        try:
            run = wandb.init(
                mode="online" if online else "offline",
                resume="allow" if online else None,
                **options,
            )
        except (wandb.errors.Error, OSError) as error:
            kind = type(error).__name__
            log.warning("W&B cannot be reached (%s); this run is kept offline.", kind)
            wandb.teardown()  # the failed attempt still has the run's id
            run = wandb.init(mode="offline", **options)
    run.define_metric("epoch")
    run.define_metric("*", step_metric="epoch")
    return WandbLogger(experiment=run, save_dir=str(folder))


@contextlib.contextmanager
def printable_arguments() -> Iterator[None]:
    """Escape words of the command line that are not UTF-8: W&B cannot send them."""
    before = sys.argv
    sys.argv = printable(before)
    try:
        yield
    finally:
        sys.argv = before


@contextlib.contextmanager
def without_launch_agent() -> Iterator[None]:
    """Keep `wandb.init` from importing W&B's launch agent and public API.

    It does so in every run (1.7 s of CPU time), to look for inputs of a job of that agent. The
    method has no public name; tests/callbacks/test_wandb_logger.py fails if W&B removes it.
    """
    from wandb.sdk.wandb_run import Run

    if "wandb.sdk.launch" in sys.modules:
        yield
        return
    before = Run._detect_and_apply_job_inputs
    Run._detect_and_apply_job_inputs = lambda self: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        Run._detect_and_apply_job_inputs = before  # type: ignore[method-assign]


def has_key() -> bool:
    """Whether W&B has a key on this machine, in the environment or in ~/.netrc."""
    if os.environ.get("WANDB_MODE") in ("offline", "disabled", "dryrun"):
        return False
    if os.environ.get("WANDB_API_KEY"):
        return True
    try:
        host = os.environ.get("WANDB_BASE_URL", "api.wandb.ai").split("//")[-1].split("/")[0]
        return netrc.netrc().authenticators(host) is not None
    except (OSError, netrc.NetrcParseError):
        return False
