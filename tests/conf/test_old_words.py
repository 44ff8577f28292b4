"""Words of earlier versions answer with those of today."""

import pytest

from conf.plan import plan
from records.old_words import GROUPS, VALUES


@pytest.mark.parametrize(
    ("old", "now"),
    [
        ("preset=paper", "preset=published"),
        ("protocol=paper", "protocol=text"),
        ("protocol=reference", "protocol=code"),
        ("rules.split=image", "preparation.split=image"),
        ("++rules.order=file", "++preparation.order=file"),
        ("probes.layers=[reference]", "probes.layers=[konz2024]"),
        ("data.reader.gap_rule=paper", "data.reader.gap_rule=symmetric"),
        ("data.reader.gap_rule=reference", "data.reader.gap_rule=asymmetric"),
        ("data.reader.labels=reference", "data.reader.labels=unstated_negative"),
        ("data.reader.scaling=reference", "data.reader.scaling=wrapped"),
    ],
)
def test_an_old_word_names_the_new_one(old, now):
    assert plan([old]).problems == [f"`{old}`: is now `{now}`."]


def test_several_values_of_a_sweep_are_answered_together():
    (problem,) = plan(["-m", "protocol=corrected,paper,reference"]).problems
    assert problem.endswith("is now `protocol=corrected,text,code`.")


def test_no_old_word_is_a_word_of_today():
    for words in VALUES.values():
        assert not words.keys() & set(words.values())
    assert not GROUPS.keys() & set(GROUPS.values())
    for word in ("preset=published", "protocol=text", "protocol=code", "data.root=/data/reference"):
        assert not [p for p in plan([word]).problems if "is now" in p]
