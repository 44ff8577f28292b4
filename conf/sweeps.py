"""Settings with several values: the runs of a sweep, and sweeps that are not possible."""

import shlex
from collections.abc import Iterable, Sequence
from itertools import product

from hydra.core.override_parser.types import Override, ValueType

GRIDS = ("experiment", "preset")  # groups whose files have the sweep of an experiment


def problem_of_sweep(override: Override, others: Sequence[Override], multirun: bool) -> str:
    """Why a word of a command cannot be swept over; empty if it can, or has one value."""
    if not override.is_sweep_override():
        return ""
    word, name = f"`{override.input_line}`", override.key_or_group
    if not multirun:
        return f"{word}: several values need -m (--multirun)."
    if name in GRIDS and any(other.key_or_group == "experiment" for other in others):
        return f"{word}: each has its own sweep; use one {name} per command."
    if override.value_type == ValueType.INTERVAL_SWEEP:
        return f"{word}: list the values, as in {name}=0,1,2."
    if not any(True for _ in override.sweep_string_iterator()):
        return f"{word}: has no values."
    return ""


def missing_sweep(params: Iterable[str], overrides: Sequence[Override], key: str) -> str:
    """A warning if an experiment is chosen without -m, and the command does not set all it sweeps.

    >>> from conf.overrides import parse
    >>> words = [parse("experiment=tour"), parse("model=mlp")]
    >>> print(missing_sweep(["model", "n"], words, "mlp-digits-n500-s0-0123abcd"))
    -m is missing: this is one run, mlp-digits-n500-s0, and not the sweep of experiment=tour over n;
    for that: python launch.py -m experiment=tour model=mlp
    >>> missing_sweep(["model"], words, "mlp-digits-n500-s0-0123abcd")
    ''
    """
    given = {override.key_or_group: override for override in overrides}
    left = [name for name in params if name not in given]
    if not left or "experiment" not in given:
        return ""
    command = shlex.join(["python", "launch.py", "-m", *(str(o.input_line) for o in overrides)])
    return (
        f"-m is missing: this is one run, {key.rpartition('-')[0]}, and not the sweep of "
        f"{given['experiment'].input_line} over {', '.join(left)}; for that: {command}"
    )


def combinations(overrides: Iterable[Override]) -> list[list[str]]:
    """The words of every run: each combination of the values, the last setting changing fastest.

    >>> from conf.overrides import parse
    >>> combinations([parse("seed=0,1"), parse("n=500")])
    [['seed=0', 'n=500'], ['seed=1', 'n=500']]
    """
    choices = (
        [f"{o.get_key_element()}={value}" for value in values_of(o)]
        if o.is_sweep_override()
        else [str(o.input_line)]
        for o in overrides
    )
    return [list(words) for words in product(*choices)]


def values_of(override: Override) -> list[str]:
    """Its values as written: one, or those of a sweep."""
    if override.is_sweep_override():
        return [str(value) for value in override.sweep_string_iterator()]
    return [override.get_value_element_as_str()]
