"""A thousand damaged records: each is read or set aside by name, and none costs the others."""

import copy
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.command_line import chapters, summary
from analysis.commands.watch import look
from analysis.exhibits import discover, load
from analysis.report import render
from analysis.runs.records import read_runs
from records.schema import BadRecordError, check_record, flat
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record

FACTS = {
    "spec": {"domain": "medical", "size": 32, "channels": 1, "classes": ["a", "b"]},
    "git": {"commit": "0123456789abcdef", "dirty": False},
    "notes": ["1 image left out"],
    "sessions": [{"started": "2026-01-01", "resumed": False}],
    "error": None,
    "bad_data": False,
}
OTHERS = [
    *(None, True, False, 0, -1, 7, 2**70, 0.5, float("nan"), float("inf")),
    *("", "text", "'", "$_$", "\ud800", "<b>", "a\nb", "\x00", "../..", "x" * 5000),
    *([], [[]], [None], ["\udfff"], [1, "a"], {}, {"a": {}}, {"": None}, {"a": float("nan")}),
]


def places(node, path=()):
    """The path of every entry, maps and lists included."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for name, value in items if isinstance(node, dict | list) else ():
        yield (*path, name)
        yield from places(value, (*path, name)) if isinstance(value, dict | list) else ()


def mutants(record):
    """The record with one entry replaced by each of the others, or removed."""
    for path in places(record):
        for other in [*OTHERS, ...]:
            changed = copy.deepcopy(record)
            node = changed
            for name in path[:-1]:
                node = node[name]
            if other is ...:
                del node[path[-1]]
            else:
                node[path[-1]] = other
            yield path, other, changed


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """One whole run, and beside it a thousand records that differ from it in one entry each."""
    root = tmp_path_factory.mktemp("runs") / "sweep"
    folder = write_record(
        root, settings("vgg13", "oai", "medical", 500, 0), scalars(500, 9, 1e-4), **FACTS
    )
    record = json.loads((folder / "record.json").read_text())
    count = 0
    for i, (path, _, changed) in enumerate(mutants(record)):
        if path != ("key",):
            changed["key"] = f"mutant-{i}"
        place = root / f"mutant-{i}"
        place.mkdir()
        (place / "record.json").write_text(json.dumps(changed))
        count += 1
    return root, count


def test_there_are_a_thousand(damaged):
    assert damaged[1] >= 1000


def test_every_record_is_a_row_or_is_named_with_its_reason(damaged):
    root, count = damaged
    runs = read_runs([root])
    assert len(runs.table) + len(runs.broken) + runs.copies == count + 1
    assert len(runs.table) > count / 4  # most entries may be anything
    assert runs.broken.reason.str.len().min() > 10
    assert set(runs.broken.path.map(os.path.basename)) == {"record.json"}


def test_the_report_of_them_is_made_and_no_table_breaks(damaged):
    root, _ = damaged
    runs = read_runs([root])
    one_chapter = runs.table.protocol.eq("corrected") & runs.table.preset.eq("cpu")
    runs = replace(runs, table=runs.table[one_chapter].reset_index(drop=True))
    made = chapters(runs, [*discover("tables"), load("figures", "konz2024", "props")], root)
    assert not [one.reason for chapter in made for one in chapter.made if one.failed]
    page = render(runs, made)
    assert "could not be read" in page
    assert page.encode()
    assert summary(runs).encode()


def test_watch_shows_them_all(damaged):
    root, count = damaged
    assert len(look([root])) == count + 1


@pytest.mark.parametrize(
    "content",
    [
        *("[" * 100_000, '{"a":' * 100_000, "\ud800".encode("utf-8", "surrogatepass")),
        *(b"\xff\xfe{", "9" * 10_000, "null", '"text"'),
    ],
    ids=range(7),
)
def test_what_is_no_record_is_set_aside(tmp_path, content):
    write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 0))
    (tmp_path / "torn").mkdir()
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / "torn" / "record.json").write_bytes(data)
    runs = read_runs([tmp_path])
    assert (len(runs.table), len(runs.broken)) == (1, 1)
    assert {state.status for state in look([tmp_path])} == {"done", "failed"}


@pytest.mark.parametrize("name", ["record.json", "metrics.csv"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path, name):
    folder = write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 0), status="failed")
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert "not a regular file" in read_runs([tmp_path]).broken.reason.item()
    assert [state.status for state in look([tmp_path])] == ["failed"]


def test_settings_nested_beyond_reason_cost_their_own_run_alone(tmp_path):
    write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 0))
    deep = json.loads('{"a":' * 100 + "1" + "}" * 100)
    write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 1) | {"deep": deep})
    runs = read_runs([tmp_path])
    assert len(runs.table) == 1
    assert "nested more than 64 levels" in runs.broken.reason.item()


def test_a_folder_whose_name_is_no_utf8_still_makes_a_report(tmp_path):
    root = tmp_path / os.fsdecode(b"caf\xe9")
    root.mkdir()
    own = settings("vgg13", "image_folder", "natural", 500, 0, root=os.fsdecode(b"/data/\xff"))
    write_record(root, own, scalars(500, 9, 1e-4))
    assert main([str(tmp_path), "--out", str(tmp_path / "report")]) == 0
    assert (tmp_path / "report" / "report.html").stat().st_size > 0


def test_the_first_wrong_entry_is_named_with_what_it_should_be():
    with pytest.raises(BadRecordError, match="settings.n is 'many', not a whole number from 1"):
        check_record({"status": "done", "settings": {"n": "many"}})
    with pytest.raises(BadRecordError, match="status is 7, not one of not started, running"):
        check_record({"status": 7})
    with pytest.raises(BadRecordError, match="key is missing"):
        check_record({"status": "done"}, needed=("key",))


def test_flat_names_are_those_of_the_command_line():
    assert dict(flat({"data": {"size": 8}, "n": 1})) == {"data.size": 8, "n": 1}


def test_a_grid_beside_damaged_records_is_analysed_as_without_them(tmp_path):
    write_grid(tmp_path / "grid", models=("vgg13",), sizes=(500,), seeds=1)
    alone = read_runs([tmp_path]).done
    (tmp_path / "grid" / "torn").mkdir()
    Path(tmp_path / "grid" / "torn" / "record.json").write_text('{"status": 7}')
    assert read_runs([tmp_path]).done.key.tolist() == alone.key.tolist()
