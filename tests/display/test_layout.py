"""Tables of runs: what is shown on a narrow screen, and which settings tell runs apart."""

from io import StringIO

from rich.console import Console
from rich.text import Text

from display.differing import differing
from display.layout import TableColumn, layout, settings_columns

NAMES = ["lenet-digits-n100-s0-3cc71be2", "lenet-digits-n250-s0-db5021e4"]
NUMBERS = TableColumn("test loss", [Text("2.03812"), Text("1.04411")])
SETTINGS = [
    TableColumn("n", [Text("100"), Text("250")], spare=True),
    TableColumn("task .noise", [Text("0.5"), Text("0.25")], spare=True),
]


def drawn(width, *columns):
    console = Console(file=StringIO(), width=width)
    console.print(layout(NAMES, columns, width))
    return console.file.getvalue()


def test_on_a_narrow_screen_names_are_folded_and_nothing_is_lost():
    wide, narrow = drawn(100, *SETTINGS, NUMBERS), drawn(46, *SETTINGS, NUMBERS)
    assert NAMES[0] in wide
    for text in ("lenet-", "digits-", "3cc71be2", "db5021e4", "2.03812", "1.04411", "0.25", "250"):
        assert text in narrow
    assert NAMES[0] not in narrow


def test_spare_columns_go_before_numbers_and_the_last_first():
    assert ".noise" not in drawn(34, *SETTINGS, NUMBERS)
    for text in ("n ", "3cc71be2", "2.03812"):
        assert text in drawn(34, *SETTINGS, NUMBERS)


def test_a_column_that_says_nothing_is_left_out():
    assert "left" not in drawn(80, TableColumn("left", [Text(""), Text("")]), NUMBERS)


def test_at_most_four_settings_and_groups_by_their_names():
    runs = [
        {
            "data": {"name": name, "law": {"u": n % 7, "v": n % 5}, "size": size},
            **{"n": n, "seed": seed, "epochs": 3},
        }
        for name, size in (("plane", 8), ("digits", 32))
        for n in (100, 250, 333)
        for seed in (0, 1)
    ]
    assert list(differing(runs)) == ["data", "n", "seed"]  # size follows from data, u and v from n
    more = [run | {"a": 1, "b": 2, "c": 3} for run in runs] + [
        run | {"a": 2, "b": b, "c": c} for run in runs for b in (2, 3) for c in (3, 4)
    ]
    assert list(differing(more)) == ["data", "n", "seed", "a"]


def test_runs_without_a_record_are_told_apart_by_their_names():
    names = ["lenet-digits-n100-s0-3cc71be2", "mlp-digits-n100-s0-31dce07f"]
    first = {"model": {"name": "lenet", "pool": "max"}, "data": {"name": "digits", "size": 8}}
    first |= {"n": 100, "seed": 0, "task": {"noise": 0.5}}
    (model,) = settings_columns(names, [first, None])
    assert (model.heading, [cell.plain for cell in model.cells]) == ("model", ["lenet", "mlp"])
    second = first | {"data": {"name": "digits", "size": 16}, "n": 250}
    names = ["lenet-digits-n250-s0-db5021e4", *names]
    columns = settings_columns(names, [second, first, None])
    assert [column.heading for column in columns] == ["model", "n"]  # size follows from n
    assert settings_columns(["a", "b"], [None, None]) == []


def test_runs_that_are_alike_have_no_columns():
    assert differing([{"n": 1}, {"n": 1}, None]) == {}
    assert differing([]) == {}
