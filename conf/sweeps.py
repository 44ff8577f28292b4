"""Settings with several values: those that a command cannot follow, and why."""

from collections.abc import Sequence

from hydra.core.override_parser.types import Override, ValueType

GRIDS = ("experiment", "preset")  # their files say which values an experiment sweeps over


def problem_of_sweep(override: Override, others: Sequence[Override], multirun: bool) -> str:
    """A sentence; empty for a single value, and for several that can be followed.

    Args:
        override: a word of the command.
        others: all its words.
        multirun: whether it has `-m`.
    """
    if not override.is_sweep_override():
        return ""
    word, name = f"`{override.input_line}`", override.key_or_group
    if not multirun:
        return f"{word}: several values need -m (--multirun)."
    if name in GRIDS and any(other.key_or_group == "experiment" for other in others):
        return f"{word}: each has a grid of its own: one {name} a command."
    if override.value_type == ValueType.INTERVAL_SWEEP:
        return f"{word}: list the values, as in {name}=0,1,2."
    if not any(True for _ in override.sweep_string_iterator()):
        return f"{word}: has no values."
    return ""
