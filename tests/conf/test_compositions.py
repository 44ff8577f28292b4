"""Every experiment composes to the committed settings, under every preset and protocol."""

from dataclasses import replace

from tests.conf.compositions import (
    COMMAND,
    Digests,
    changed,
    commands,
    committed,
    composed,
    digest,
    digests,
    inputs,
)

FEW = ["preset=default protocol=corrected", "experiment=tour preset=cpu protocol=text"]


def report(before: Digests, now: Digests) -> str:
    """What changed; empty for nothing."""
    compositions = changed(before.compositions, now.compositions)
    settings = changed(before.settings, now.settings)
    if not compositions:
        return ""
    more = f" and {len(compositions) - 10} more" if len(compositions) > 10 else ""
    return (
        f"{len(compositions)} compositions changed ({'; '.join(compositions[:10])}{more}) in "
        f"{', '.join(settings)}. If this is intended: {COMMAND}"
    )


def test_every_experiment_preset_and_protocol_composes_to_the_committed_settings():
    before = committed()
    if inputs() != before.inputs:  # else the same files are composed to the same settings
        assert not (message := report(before, digests(composed(list(commands()))))), message


def test_a_few_are_composed_every_time():
    before = committed()
    found = digests(composed(FEW)).compositions
    assert found == {command: before.compositions[command] for command in FEW}


def test_the_file_has_all_of_them():
    assert set(committed().compositions) == set(commands())


def test_a_change_is_reported_with_its_composition_and_its_setting():
    settings = composed(FEW)
    before = digests(settings)
    settings[FEW[1]] = settings[FEW[1]] | {"data.size": 9}
    message = report(before, digests(settings))
    assert message.startswith(f"1 compositions changed ({FEW[1]}) in data.size.")
    assert not report(before, replace(before, inputs="other"))


def test_a_digest_depends_on_values_and_not_on_their_order():
    assert digest({"n": 1, "seed": 0}) == digest({"seed": 0, "n": 1}) != digest({"n": 1, "seed": 1})
