"""Rows found by name and epoch are those of a search through all of them."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from records.measured_rows import TIME, TRAINING, MeasuredRows, Row

NAMES = ("train/running_loss", "test/loss", "time/train", "time/probe")
VALUES = st.sampled_from([0.5, 1.0, 2.0, math.nan, math.inf])
ROWS = st.builds(Row, st.integers(0, 4), st.just(7), st.sampled_from(NAMES), VALUES,
                 st.integers(0, 2))  # fmt: skip


def searched(rows, name, selected):
    """The value that counts, from all rows in the order of the file."""
    mine = [row for row in rows if row.name == name]
    if name.startswith(TIME) and name != TRAINING:
        return sum(row.value for row in mine)
    if name != TRAINING and any(row.epoch == selected for row in mine):
        mine = [row for row in mine if row.epoch == selected]
    return mine[-1].value


@settings(max_examples=200, deadline=None)
@given(st.lists(ROWS, max_size=30), st.none() | st.integers(0, 4))
def test_values_are_those_of_a_search(given_rows, selected):
    unique = {(row.epoch, row.name, row.images): row for row in given_rows}
    ordered = sorted(unique.values(), key=lambda row: (row.epoch, row.images))
    rows = MeasuredRows(given_rows)
    assert list(map(repr, rows)) == list(map(repr, ordered))
    names = {row.name for row in ordered}
    assert set(rows.names) == names
    values = {name: searched(ordered, name, selected) for name in names}
    known = {name: v if math.isfinite(v) else None for name, v in values.items()}
    assert rows.scalars(selected) == known
    fewest = {}
    for row in ordered:
        fewest.setdefault((row.epoch, row.name), row)
    assert list(map(repr, rows.course())) == list(map(repr, fewest.values()))
    for name in NAMES:
        assert rows.counts(name) == {row.images for row in ordered if row.name == name}
        for epoch in range(5):
            found = [r.value for r in ordered if (r.epoch, r.name) == (epoch, name)]
            assert repr(rows.value(name, epoch)) == repr(found[-1] if found else None)


def test_progress_is_that_of_the_last_epoch():
    assert MeasuredRows().progress == (0, 0)
    rows = [Row(2, 20, "train/running_loss", 0.1), Row(1, 10, "train/running_loss", 0.2)]
    assert MeasuredRows([*rows, Row(3, 30, "test/loss", 0.1, 5)]).progress == (2, 20)
