"""Old and present values of settings, for commands and records of earlier versions.

`paper` was a preset, a protocol and a rule; `reference` a protocol, a layer and an option of three
readers.
"""

import re
from typing import Any

# By setting: old value -> new value.
VALUES = {
    "preset": {"paper": "published"},
    "protocol": {"paper": "text", "reference": "code"},
    "probes.layers": {"reference": "konz2024"},
    "callbacks.representation_dimension.layers": {"reference": "konz2024"},
    "data.reader.gap_rule": {"paper": "symmetric", "reference": "asymmetric"},
    "data.reader.labels": {"reference": "unstated_negative"},
    "data.reader.scaling": {"reference": "wrapped"},
}
# The old values as bytes: a record without any of them needs no conversion.
OLD_WORDS = frozenset(old.encode() for words in VALUES.values() for old in words)
GROUPS = {"rules": "preparation"}  # the first part of a setting's name
OLD_LAYER = (r"^(.+/d_repr_\w+)/reference$", r"\1/konz2024")  # in the name of a number


def current_word(word: str) -> str:
    """A word of a command with the present names; unchanged if it has no old ones.

    >>> current_word("preset=paper,cpu"), current_word("rules.split=image")
    ('preset=published,cpu', 'preparation.split=image')
    >>> current_word("probes.layers=[penultimate,reference]"), current_word("n=500")
    ('probes.layers=[penultimate,konz2024]', 'n=500')
    """
    key, equals, value = word.partition("=")
    prefix, name = re.fullmatch(r"([+~]*)(.*)", key, re.DOTALL).groups()  # type: ignore[union-attr]
    group, dot, rest = name.partition(".")
    words = VALUES.get(name, {})
    parts = [words.get(part, part) for part in re.split(r"([,\[\] ]+)", value)]
    return (
        prefix + (GROUPS.get(group, group) if dot else group) + dot + rest + equals + "".join(parts)
    )


def current_record(record: dict[str, Any]) -> dict[str, Any]:
    """A record with the present names: protocol, preset, settings and names of numbers.

    >>> current_record({"protocol": "reference", "scalars": {"train/d_repr_mle/reference": 5.0}})
    {'protocol': 'code', 'scalars': {'train/d_repr_mle/konz2024': 5.0}}
    """
    facts = {name: _current(name, value) for name, value in record.items()}
    if isinstance(facts.get("settings"), dict):
        facts["settings"] = _current_node(facts["settings"], "")
    if isinstance(facts.get("scalars"), dict):
        facts["scalars"] = {re.sub(*OLD_LAYER, name): v for name, v in facts["scalars"].items()}
    return facts


def _current_node(node: Any, path: str) -> Any:
    if isinstance(node, dict):
        return {key: _current_node(v, f"{path}.{key}" if path else key) for key, v in node.items()}
    return _current(path, node)


def _current(name: str, value: Any) -> Any:
    words = VALUES.get(name)
    if words is None:
        return value
    if isinstance(value, list):
        return [words.get(part, part) if isinstance(part, str) else part for part in value]
    return words.get(value, value) if isinstance(value, str) else value
