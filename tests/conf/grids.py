"""What an experiment sweeps over."""

from conf.blocks import content_of
from conf.overrides import parse
from conf.sweeps import values_of


def grid(experiment: str, preset: str = "default") -> dict[str, list[str]]:
    """The swept values of an experiment under a preset, by setting."""
    content = content_of(f"experiment/{experiment}")
    own = content["presets"].get(preset, {})
    swept = content.get("sweep", {}) | own.get("sweep", {})
    return {name: values_of(parse(f"{name}={values}")) for name, values in swept.items()}
