"""No change of the configuration goes unseen: every experiment composes to what it did before."""

import json

from tests.conf.compositions import (
    COMMAND,
    FILE,
    choices,
    commands,
    compositions,
    digest,
    inputs,
)


def test_every_experiment_preset_and_protocol_composes_to_what_it_did():
    kept = json.loads(FILE.read_text())
    if inputs() == kept["inputs"]:
        return  # the same files give the same compositions
    before = kept["choices"] | kept["compositions"]
    now = choices() | compositions()
    names = sorted(before.keys() | now.keys())
    changed = [name for name in names if before.get(name) != now.get(name)]
    assert not changed, f"{len(changed)} changed, {changed[:5]} ...; if they should: {COMMAND}"


def test_the_file_has_all_of_them():
    kept = json.loads(FILE.read_text())
    assert set(kept["compositions"]) == {" ".join(words) for words in commands()}
    assert kept["choices"] == choices()


def test_a_digest_depends_on_values_and_not_on_their_order():
    assert digest({"n": 1, "seed": 0}) == digest({"seed": 0, "n": 1}) != digest({"n": 1, "seed": 1})
