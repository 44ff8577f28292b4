"""Digests of the settings that every experiment composes to, under every preset and protocol.

    python -m tests.conf.compositions      # rewrite compositions.json after an intended change

A row is a composition, a column one setting over all compositions, so that a change is reported
with the names of both. An experiment composes the first of the networks and data sets that it
sweeps over, so every choice of every other group has a row too, under each preset and protocol
that its file mentions. All take about 90 s of CPU time; they are composed again only where a
digest of the files and of the code that reads them has changed.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException

from conf.blocks import HERE, choices_of, content_of
from conf.launchers import prefer_our_files
from conf.resolve import plain_of, resolve
from conf.schema import register
from records.key import masked

FILE = Path(__file__).with_suffix(".json")
CODE = ("blocks.py", "resolve.py", "resolvers.py", "schema.py")  # decides what is composed
COMMAND = "python -m tests.conf.compositions"
PRESETS, PROTOCOLS = (sorted(choices_of(HERE / group)) for group in ("preset", "protocol"))
PROTOCOL = " protocol="
Settings = dict[str, Any]  # by dotted names


@dataclass(frozen=True)
class Digests:
    """Of the files that go in, of every composition and of every setting."""

    inputs: str
    compositions: dict[str, str]
    settings: dict[str, str]


def digest(content: Any) -> str:
    """Eight hexadecimal digits, equal for equal content whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def inputs() -> str:
    """Digest of all files and of the code that reads them, without comments and docstrings."""
    files = {
        str(path.relative_to(HERE)): yaml.safe_load(path.read_text())
        for path in HERE.rglob("*.yaml")
    }
    return digest([files, [_code(HERE / name) for name in CODE]])


def _code(path: Path) -> list[str]:
    text = path.read_text()
    docstrings = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
        for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    lines = (line.partition("  # ")[0] for line in text.splitlines())
    code = [line for number, line in enumerate(lines, 1) if number not in docstrings]
    return [line for line in code if line and not line.lstrip().startswith("#")]


def commands() -> Iterator[str]:
    """Every experiment, and none, with all presets and protocols; then all other choices."""
    experiments = [f"experiment={name}" for name in sorted(choices_of(HERE / "experiment"))]
    for experiment, preset, protocol in product(["", *experiments], PRESETS, PROTOCOLS):
        yield f"{experiment} preset={preset} protocol={protocol}".strip()
    for path in sorted(HERE.iterdir()):
        group = path.name
        if path.is_dir() and group not in ("experiment", "preset", "protocol", "hydra"):
            for name in choices_of(path):
                content = content_of(f"{group}/{name}")
                yield f"{group}={name}"
                yield from (f"{group}={name} preset={one}" for one in content["presets"])
                yield from (f"{group}={name} protocol={one}" for one in content["protocols"])


def composed(commands: list[str]) -> dict[str, Settings]:
    """The settings of each command, and what it sweeps over with -m."""
    register()
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(HERE), version_base="1.3", job_name="launch"):
            prefer_our_files()
            return {command: _settings(command.split()) for command in commands}
    finally:
        GlobalHydra.instance().clear()


def digests(settings: dict[str, Settings]) -> Digests:
    """Of composed settings: a row for each command, a column for each setting."""
    columns: dict[str, Settings] = {}
    for command, found in settings.items():
        for name, value in found.items():
            columns.setdefault(name, {})[command] = value
    rows, names = ({key: digest(one) for key, one in x.items()} for x in (settings, columns))
    return Digests(inputs(), rows, names)


def changed(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Names whose digest differs, or that only one of both has."""
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))


def committed() -> Digests:
    """What the file holds."""
    content = json.loads(FILE.read_text())
    rows = {
        f"{words}{PROTOCOL}{protocol}" if protocol else words: value
        for words, protocols in content["compositions"].items()
        for protocol, _, value in (one.partition(":") for one in protocols.split())
    }
    return Digests(content["inputs"], rows, content["settings"])


def write(found: Digests) -> None:
    """The file: the protocols of a command share a line."""
    lines: dict[str, str] = {}
    for command, value in found.compositions.items():
        words, _, protocol = command.partition(PROTOCOL)
        lines[words] = f"{lines.get(words, '')} {protocol}:{value}".strip()
    content = asdict(found) | {"compositions": lines}
    FILE.write_text(json.dumps(content, indent=0) + "\n")


def _settings(words: list[str]) -> Settings:
    try:
        config = compose("config", words, return_hydra_config=True)
        plain = plain_of(config)
        sweep = plain.pop("hydra")["sweeper"]["params"]
        return {**_flat(resolve(masked(plain))), **_flat({"sweep": sweep})}
    except (HydraException, OmegaConfBaseException) as error:
        return {"error": str(error).splitlines()[0]}


def _flat(node: Any, name: str = "") -> Settings:
    if not isinstance(node, dict) or not node:
        return {name: node}
    inner = (_flat(value, f"{name}.{key}".lstrip(".")) for key, value in node.items())
    return {key: value for found in inner for key, value in found.items()}


if __name__ == "__main__":
    write(digests(composed(list(commands()))))
