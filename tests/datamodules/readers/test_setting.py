"""Settings in advice: what a shell and Hydra make of them is the value."""

import subprocess

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from datamodules.readers.setting import setting

VALUES = (
    *("patient_id", "case no", "Größe", "1", "2024.csv", "null", "True", "/home/me/Tom's images"),
    *("$HOME", 'a "b"', "a`b`", r"(patient\d+)", "C:\\my images\\", r"a\'b", r"a\$b", "~/x", "#1"),
)


@pytest.mark.parametrize("value", VALUES)
def test_a_shell_and_hydra_read_the_value(value):
    command = f"printf %s {setting('data.reader.group', value)}"
    word = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert OverridesParser.create().parse_override(word).value() == value


def test_a_shell_and_hydra_read_a_list_of_values():
    command = f"printf %s {setting('data.reader.group', list(VALUES))}"
    word = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert OverridesParser.create().parse_override(word).value() == list(VALUES)
