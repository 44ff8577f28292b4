"""Names that would leave their folder, or that W&B and file systems refuse."""

import pytest

from conf.plan import plan


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("model.name=../../x", "`model.name='../../x'`: must be letters, digits and _ . + - only"),
        ("data.name=/etc", "`data.name='/etc'`"),
        ("model.name=..", "`model.name='..'`"),
        ("model.name='a#b'", "`model.name='a#b'`"),
        ("name='konz:2024'", "`name='konz:2024'`"),
        ("name='a#b/c'", "folders separated by /"),
        ("name='a\0b'", r"`name='a\x00b'`"),
        ("model.name='a\0b'", r"`model.name='a\x00b'`"),
        (f"model.name={'x' * 300}", "300 bytes long, at most 48"),
        (f"name={'x' * 300}", "300 bytes long, at most 100"),
    ],
)
def test_a_name_that_no_folder_can_have_is_refused(override, sentence):
    assert sentence in "\n".join(plan([override]).problems)


def test_the_longest_names_fit_into_an_id():
    (run,) = plan([f"model.name={'m' * 48}", "data.name=" + "d" * 48, "seed=4294967295"]).runs
    assert len(run.key) <= 128
