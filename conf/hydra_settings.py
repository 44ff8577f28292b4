"""Which of Hydra's own settings a command may set.

A configuration can make Hydra execute code: callbacks, sweepers and launchers are built from their
`_target_`, a search path loads foreign files, a logging configuration calls factories. A command
may choose one of our launchers, set its options, and sweep; nothing else.
"""

import re
from collections.abc import Iterable, Iterator

from conf.blocks import HERE
from conf.launchers import CLASSES
from conf.resolve import Plain, look_up
from records.schema import nodes

ALLOWED = ("hydra/launcher", "hydra.launcher.", "hydra.sweeper.params")
SWEEPER = "hydra._internal.core_plugins.basic_sweeper.BasicSweeper"
MUST_BE_EMPTY = ("searchpath", "env", "job.env_set", "job.env_copy")
NO_LOGGING = {"version", "root", "disable_existing_loggers"}


def problems_of_words(words: Iterable[str]) -> Iterator[str]:
    """Problems of words that set other settings of Hydra, or choose a file outside conf/.

    >>> list(problems_of_words(["n=500", "hydra/launcher=processes", "hydra.launcher.jobs=2"]))
    []
    >>> print(*problems_of_words(["+hydra.callbacks.x._target_=os.system"]))
    `hydra.callbacks.x._target_`: of Hydra's own settings only hydra/launcher, ...
    """
    for word in words:
        key = word.partition("=")[0].lstrip("+~")
        group, _, package = key.partition("@")
        is_hydra = any(re.match(r"\s*hydra\b", name) for name in (group, package))
        # an option with a `_target_`, or a reference to one, could execute anything
        is_plain = "_target_" not in word and "${" not in word
        if is_hydra and not (group.startswith(ALLOWED) and not package and is_plain):
            yield _sentence(key)
        elif ".." in word.partition("=")[2].split("/") and (HERE / group).is_dir():
            yield f"`{word}`: configurations come from conf/ alone; put the file there."


def problems_of_hydra(hydra: Plain) -> Iterator[str]:
    """The same for the composed settings, which configuration files may set too."""
    for name in MUST_BE_EMPTY:
        if look_up(hydra, name):
            yield _sentence(f"hydra.{name}")
    for name, known in (("launcher", CLASSES), ("sweeper", (SWEEPER,))):
        if look_up(hydra, f"{name}._target_") not in known:
            yield _sentence(f"hydra.{name}._target_")
    for name, _ in nodes(hydra):
        if name.endswith("_target_") and name not in ("launcher._target_", "sweeper._target_"):
            yield _sentence(f"hydra.{name}")
    for name in ("job_logging", "hydra_logging"):
        if not set(hydra[name] or ()) <= NO_LOGGING:
            yield _sentence(f"hydra.{name}")


def _sentence(key: str) -> str:
    return (
        f"`{key}`: of Hydra's own settings only hydra/launcher, hydra.launcher.<option> and "
        "hydra.sweeper.params.<setting> can be set."
    )
