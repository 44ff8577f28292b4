"""W&B shows the same numbers as the record; it never blocks a run and never loses one."""

import netrc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pytorch_lightning.loggers import WandbLogger


def wandb_logger(
    folder: Path,
    key: str,
    settings: dict[str, Any],
    tags: list[str],
    group: str,
    job_type: str,
    project: str,
    entity: str | None,
    mode: Literal["auto", "online", "offline"],
    say: Callable[[str], None],
) -> WandbLogger:
    """A logger whose W&B run id is the run's key, so a resumed run goes on in the same W&B run.

    The run is opened here and now: opened first in a forked training process it would leave an
    empty file. If the server does not answer in ten seconds the run is kept offline.
    """
    import wandb

    wanted = {
        "online": "online",
        "offline": "offline",
        "auto": "online" if has_key() else "offline",
    }[mode]
    os.environ["WANDB_DATA_DIR"] = str(folder / "wandb")  # tables stage their images here
    options: dict[str, Any] = {
        "project": project,
        "entity": entity,
        "id": key,
        "name": key,
        "group": group,
        "job_type": job_type,
        "tags": tags,
        "config": settings,
        "dir": str(folder),
        "settings": wandb.Settings(init_timeout=10, silent=True, console="off", quiet=True),
    }
    folder.mkdir(parents=True, exist_ok=True)
    try:
        run = wandb.init(mode=wanted, resume="allow" if wanted == "online" else None, **options)
    except (wandb.errors.Error, OSError) as error:
        say(
            f"W&B cannot be reached ({type(error).__name__}); "
            f"this run is kept offline in {folder}/wandb."
        )
        wandb.teardown()  # the failed attempt still holds the run's id
        run = wandb.init(mode="offline", **options)
    run.define_metric("epoch")
    run.define_metric("*", step_metric="epoch")
    return WandbLogger(experiment=run, save_dir=str(folder))


def has_key() -> bool:
    """Whether W&B is set up on this machine: a key in the environment or in ~/.netrc."""
    if os.environ.get("WANDB_MODE") in ("offline", "disabled", "dryrun"):
        return False
    if os.environ.get("WANDB_API_KEY"):
        return True
    try:
        host = os.environ.get("WANDB_BASE_URL", "api.wandb.ai").split("//")[-1].split("/")[0]
        return netrc.netrc().authenticators(host) is not None
    except (OSError, netrc.NetrcParseError):
        return False
