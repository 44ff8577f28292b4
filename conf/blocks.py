"""How Hydra reads our files: each file has its own changes for presets and protocols.

    n: 10000
    sweep:
      seed: 0,1,2            # with -m, unless the command sets other values: hydra.sweeper.params
    presets:
      cpu: {n: 2000}         # merged over the file when preset=cpu
    protocols:
      text: {epochs: 20}     # merged over that when protocol=text
    variants:
      small: {n: 50000}      # another choice of the same group: this file, with these changes

To Hydra the blocks of a file are another file, `blocks/<file>/<preset>/<protocol>`, which is an
optional choice after the file itself in `config.yaml`. So composition, sweeps and launchers are
Hydra's own, and the words of a command win over all blocks. A block may have everything that a file
may, except `override` in a defaults list: Hydra forbids it in a choice that depends on others.
"""

from functools import cache
from pathlib import Path
from typing import Any

from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.object_type import ObjectType
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from hydra.plugins.search_path_plugin import SearchPathPlugin
from omegaconf import DictConfig, OmegaConf

from conf.resolve import plain_of

HERE = Path(__file__).parent
SCHEME = "plumbline"
INSIDE = "blocks"  # first part of the path by which Hydra loads the blocks of a file
WITH_BLOCKS = ("model", "data", "task", "recipe", "experiment")  # groups whose blocks are loaded
OURS = ("presets", "protocols", "sweep")  # entries of a file that are no part of Hydra
BASE = "base"  # a file that others of a folder have in their defaults list; not a choice
Content = dict[str, Any]


class BlockSource(ConfigSource):
    """Reads the folder `conf`, with the blocks of a file as files of their own."""

    @staticmethod
    def scheme() -> str:
        """The prefix of its entry in Hydra's search path."""
        return SCHEME

    def load_config(self, config_path: str) -> ConfigResult:
        """A file without its blocks, or its blocks for one preset and protocol."""
        file, content = self._find(config_path)
        if content is None:
            raise ConfigLoadError(f"there is no {config_path}.yaml")
        header = self._get_header_dict(file.read_text(encoding="utf-8")[:512])
        plain = {key: value for key, value in content.items() if key not in OURS}
        if "sweep" in content:  # where Hydra expects it
            plain = merged(plain, {"hydra": {"sweeper": {"params": content["sweep"]}}})
        config = OmegaConf.create(plain)
        return ConfigResult(self.provider, f"{SCHEME}://{self.path}", config, header)

    def available(self) -> bool:
        """Whether the folder exists."""
        return Path(self.path).is_dir()

    def is_group(self, config_path: str) -> bool:
        """Whether it is a folder."""
        return (Path(self.path) / config_path).is_dir()

    def is_config(self, config_path: str) -> bool:
        """Whether it is a file, a variant of one or the blocks of one."""
        return self._find(config_path)[1] is not None

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        """Names in a folder, for `--help` and `glob(*)`, without blocks."""
        folder = Path(self.path) / config_path
        groups = [path.name for path in folder.iterdir() if any(path.rglob("*.yaml"))]
        files = [name for name in choices_of(folder) if "/" not in name]
        wanted = {None: groups + files, ObjectType.GROUP: groups, ObjectType.CONFIG: files}
        return sorted(wanted[results_filter])

    def _find(self, config_path: str) -> tuple[Path, Content | None]:
        parts = config_path.removesuffix(".yaml").split("/")
        if parts[0] != INSIDE:
            return _choice(Path(self.path), parts)
        _, *parts, preset, protocol = parts
        file, content = _choice(Path(self.path), parts)
        of_preset = (content or {}).get("presets", {}).get(preset)
        of_protocol = (content or {}).get("protocols", {}).get(protocol)
        if of_preset is None and of_protocol is None:
            return file, None
        return file, merged(of_preset or {}, of_protocol or {})


class BlockSearchPath(SearchPathPlugin):
    """Makes Hydra read the folder `conf` with `BlockSource`."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        """Called by Hydra before the first file is read."""
        for element in search_path.get_path():
            if element.path.removeprefix("file://") == str(HERE):
                element.path = f"{SCHEME}://{HERE}"


def register_blocks() -> None:
    """Register both with Hydra; may be called repeatedly."""
    for plugin in (BlockSource, BlockSearchPath):
        Plugins.instance().register(plugin)


def choices_of(group: Path) -> dict[str, Path]:
    """The file of every choice of a group, by name, with variants and subfolders.

    >>> choices_of(HERE / "experiment")["movahedi2025/rates"].name
    'isotropic.yaml'
    """
    return {
        str((file.parent / name).relative_to(group)): file
        for file in sorted(group.rglob("*.yaml"))
        if file.stem != BASE
        for name in _contents(file)
    }


def content_of(choice: str) -> Content:
    """The content of a file of `conf`, or of a variant, with its blocks.

    >>> list(content_of("experiment/movahedi2025/isotropic")["presets"])
    ['cpu', 'published']
    """
    file, content = _choice(HERE, choice.split("/"))
    if content is None:
        raise ConfigLoadError(f"there is no {file}")
    return content


@cache
def _contents(file: Path) -> dict[str, Content]:
    """The contents of a file and of its variants, by name, with blocks."""
    config = OmegaConf.load(file)
    assert isinstance(config, DictConfig)
    content = plain_of(config)
    variants = content.pop("variants", {})
    changed = {file.stem: {}, **variants}.items()
    return {name: _checked(merged(content, changes), file) for name, changes in changed}


def merged(content: Content, changes: Content) -> Content:
    """The content with changes: mappings are merged, other values replaced, null removes one.

    >>> merged({"n": 1, "data": {"size": 8, "root": "a"}}, {"data": {"size": 16}, "epochs": 2})
    {'n': 1, 'data': {'size': 16, 'root': 'a'}, 'epochs': 2}
    """
    both = {
        key: merged(content[key], value)
        for key, value in changes.items()
        if isinstance(value, dict) and isinstance(content.get(key), dict)
    }
    return {**content, **changes, **both}


def _choice(folder: Path, parts: list[str]) -> tuple[Path, Content | None]:
    """The file and content of a choice; if it has no file, it may be a variant in another."""
    *group, name = parts
    own = folder.joinpath(*group, f"{name}.yaml")
    for file in [own] if own.is_file() else own.parent.glob("*.yaml"):
        if name in (found := _contents(file)):
            return file, found[name]
    return own, None


def _checked(content: Content, file: Path) -> Content:
    """The content; raises ConfigLoadError for a block that would never be read."""
    place = file.relative_to(HERE) if file.is_relative_to(HERE) else file
    for kind, group in (("presets", "preset"), ("protocols", "protocol")):
        content = {**content, kind: content.get(kind) or {}}
        known = sorted(path.stem for path in (HERE / group).glob("*.yaml"))
        for word in content[kind]:
            if place.parts[0] not in WITH_BLOCKS:
                raise ConfigLoadError(f"conf/{place}: {kind} are for {', '.join(WITH_BLOCKS)}.")
            if word not in known:
                reason = f"{kind} has `{word}`; there are {', '.join(known)}"
                raise ConfigLoadError(f"conf/{place}: {reason}.")
    return content
