import json
import os

import pytest
from pandas.testing import assert_frame_equal

from analysis import exhibit_store as module
from analysis.exhibit_store import FOLDER, ExhibitStore
from analysis.exhibits import load
from analysis.make import make, write
from analysis.runs.records import read_runs
from tests.analysis.synthetic_runs import write_grid

FORMS = ("png",)
FIGURE = load("figures", "konz2024", "props")
TABLE = load("tables", "konz2024", "properties")


@pytest.fixture
def root(tmp_path):
    write_grid(tmp_path / "runs", models=("vgg13",), sizes=(500, 1750), seeds=1)
    return tmp_path / "runs"


@pytest.fixture
def out(root, tmp_path):
    """A folder with a report of one figure and one table."""
    runs = read_runs([root]).done
    made = [make(exhibit, runs, FORMS) for exhibit in (FIGURE, TABLE)]
    write(made, tmp_path / "report")
    ExhibitStore(tmp_path / "report", runs, FORMS).save(made)
    return tmp_path / "report"


def found(out, root, forms=FORMS):
    store = ExhibitStore(out, read_runs([root]).done, forms)
    return [store.find(FIGURE), store.find(TABLE)]


def test_unchanged_exhibits_are_found_as_they_were_made(out, root):
    runs = read_runs([root]).done
    figure, table = found(out, root)
    assert figure.pictures == make(FIGURE, runs, FORMS).pictures
    again = make(TABLE, runs, FORMS)
    assert_frame_equal(table.table, again.table)
    assert table.used == again.used


def test_runs_of_another_paper_do_not_change_which_runs_were_used(out, root):
    used = found(out, root)[1].used
    other = root.parent / "runs" / "0" / "prach2025" / "bound"
    write_grid(other, models=("aol_mlp",), sizes=(500,), seeds=1)
    for file in other.rglob("record.json"):
        record = json.loads(file.read_text())
        record["settings"]["name"] = "prach2025/bound"
        file.write_text(json.dumps(record))
    assert len(read_runs([root]).done) > len(used)
    again = found(out, root)[1]
    assert again is None or again.used == used


def test_a_changed_run_file_code_or_form_makes_them_again(out, root, monkeypatch):
    assert found(out, root, ("png", "svg")) == [None, None]
    with monkeypatch.context() as other:
        other.setattr(module, "code_version", lambda: "another")
        assert found(out, root) == [None, None]
    arrays = next(root.rglob("record.json")).parent / "arrays"
    arrays.mkdir()
    assert None not in found(out, root)
    (arrays / "test_singular_values@3.npz").write_bytes(b"new")
    assert found(out, root) == [None, None]


def test_another_number_in_a_record_makes_them_again(out, root):
    record = next(root.rglob("record.json"))
    state = record.stat()
    text = record.read_text()
    place = text.index('"data/d_mle": ') + len('"data/d_mle": ')
    record.write_text(text[:place] + "9" + text[place + 1 :])  # the same size
    os.utime(record, ns=(state.st_atime_ns, state.st_mtime_ns))  # and the same time
    assert found(out, root) == [None, None]


def test_an_edited_or_damaged_file_is_made_again(out, root, caplog):
    figure = out / "figures" / "konz2024" / "props.png"
    figure.write_bytes(figure.read_bytes() + b"edited")
    kept = out / FOLDER / "tables" / "konz2024" / "properties.parquet"
    kept.unlink()
    assert found(out, root) == [None, None]
    assert "tables/konz2024/properties" in caplog.text
    (out / FOLDER / "index.json").write_text("[")
    assert found(out, root) == [None, None]
