"""The command of one run, from the command of its sweep."""

import shlex
from collections.abc import Mapping
from typing import Any

from records.schema import flat

SWEEP = ("-m", "--multirun")


def run_command(command: str, settings: Mapping[str, Any]) -> str | None:
    """The command that makes this run alone; None if the sweep's command does not determine it.

    An experiment has a grid of its own, and a list of choices may be written in other ways than
    with commas: of these the sweep's command is all that is known.

    >>> lenet = {"model": {"name": "lenet"}, "n": 50}
    >>> run_command("python launch.py -m model=lenet,mlp n=50,100 epochs=3", lenet)
    'python launch.py model=lenet n=50 epochs=3'
    >>> run_command("python launch.py -m experiment=konz2024/real_sets n=50,100", lenet) is None
    True
    """
    words = shlex.split(command)
    if not set(SWEEP) & set(words):
        return command
    own, kept = {name: str(value) for name, value in flat(dict(settings))}, []
    for word in words:
        name, _, value = word.partition("=")
        if name == "experiment":
            return None
        if "," in value or "(" in value:
            found = own.get(name, own.get(f"{name}.name", ""))
            if found not in value.split(","):
                return None
            word = f"{name}={found}"
        if word not in SWEEP and not name.startswith("hydra"):
            kept.append(word)
    return shlex.join(kept)
