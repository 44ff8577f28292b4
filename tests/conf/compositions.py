"""Digests of what every experiment composes to, under every preset and protocol.

    python -m tests.conf.compositions      # write compositions.json anew, after a wanted change

An experiment composes the first of the networks and data sets that it sweeps over, so every choice
of every other group has a digest too, of its file. Composing all takes about 80 s of CPU time;
while a digest of all that goes in is the same, it need not be done.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from conf.blocks import BASE, HERE, choices_of, content_of
from conf.launchers import prefer_our_files
from conf.resolve import plain_of, resolve
from conf.schema import register
from records.key import masked

FILE = Path(__file__).with_suffix(".json")
CODE = ("blocks.py", "resolve.py", "resolvers.py", "schema.py")  # that decide what is composed
COMMAND = "python -m tests.conf.compositions"


def digest(content: Any) -> str:
    """The same for the same content, whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def inputs() -> str:
    """Digest of all files without their comments, and of the code that reads them."""
    files = {
        str(path.relative_to(HERE)): yaml.safe_load(path.read_text())
        for path in HERE.rglob("*.yaml")
    }
    return digest([files, [(HERE / name).read_text() for name in CODE]])


GROUPS = ("experiment", "preset", "protocol")


def commands() -> Iterator[list[str]]:
    """Every experiment, and none, with every preset and protocol."""
    names = ([f"{group}={name}" for name in sorted(choices_of(HERE / group))] for group in GROUPS)
    experiments, *others = names
    for words in product(["", *experiments], *others):
        yield list(filter(None, words))


def composed(words: list[str]) -> str:
    """Digest of a command's settings and of what it sweeps over with -m."""
    try:
        config = compose("config", words, return_hydra_config=True)
        grid = plain_of(OmegaConf.create({"params": config.hydra.sweeper.params}))
        plain = {name: value for name, value in plain_of(config).items() if name != "hydra"}
        return digest([resolve(masked(plain)), grid])
    except (HydraException, OmegaConfBaseException) as error:
        return str(error).splitlines()[0]


def choices() -> dict[str, str]:
    """The digest of every choice of the other groups: its file, with what presets change of it."""
    folders = sorted({file.parent for file in HERE.rglob("*.yaml")} - {HERE})
    groups = [str(folder.relative_to(HERE)) for folder in folders]
    return {
        f"{group}={name}": digest(content_of(f"{group}/{name}"))
        for group in groups
        if not group.startswith("experiment")
        for name in (*choices_of(HERE / group), *_bases(HERE / group))
    }


def _bases(group: Path) -> list[str]:
    return [file.stem for file in group.glob(f"{BASE}.yaml")]


def compositions() -> dict[str, str]:
    """The digest of every command, by its words."""
    register()
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(HERE), version_base="1.3", job_name="launch"):
            prefer_our_files()
            return {" ".join(words): composed(words) for words in commands()}
    finally:
        GlobalHydra.instance().clear()


def main() -> None:
    """Write the file."""
    content = {"inputs": inputs(), "choices": choices(), "compositions": compositions()}
    FILE.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
