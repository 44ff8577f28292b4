import os
import signal
from dataclasses import replace

import pytest
from pandas import DataFrame

from analysis import make_all as module
from analysis.exhibits import discover
from analysis.make import make, write_pictures
from analysis.make_all import making_all
from analysis.runs.records import read_runs
from tests.analysis.synthetic_runs import write_grid


def make_all(exhibits, runs):
    with making_all(exhibits, runs) as made:
        return list(made)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("grid")
    write_grid(root)
    return read_runs([root]).done


@pytest.fixture
def exhibits(monkeypatch):
    monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(module, "PAYS", 1)
    return [*discover("figures", "konz2024")[:3], *discover("tables", "konz2024")[:2]]


def test_processes_make_what_one_process_makes_to_the_byte(runs, exhibits):
    for one, exhibit in zip(make_all(exhibits, runs), exhibits, strict=True):
        alone = make(exhibit, runs)
        assert one.exhibit is exhibit
        assert one.reason == alone.reason
        assert one.pictures == alone.pictures
        assert one.used == alone.used
        assert (one.table is None) == (alone.table is None)
        if one.table is not None:
            assert one.table.equals(alone.table)


def test_what_a_killed_worker_owed_is_made_here(runs, exhibits):
    parent = os.getpid()

    def killed(table):
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return DataFrame({"made in": ["the parent"]})

    exhibits[-1] = replace(exhibits[-1], maker=killed)
    made = make_all(exhibits, runs)
    assert made[-1].table["made in"].tolist() == ["the parent"]
    assert all(one.is_made for one in made)


def test_a_mistake_in_a_worker_is_reported_with_its_reason(runs, exhibits):
    def torn(table):
        raise RuntimeError("a mistake")

    exhibits[0] = replace(exhibits[0], maker=torn)
    made = make_all(exhibits, runs)
    assert made[0].failed
    assert made[0].reason == "RuntimeError: a mistake"
    assert all(one.is_made for one in made[1:])


def test_a_pdf_of_an_earlier_report_does_not_stay_beside_newer_pictures(tmp_path):
    base = tmp_path / "figures" / "x"
    write_pictures({"png": b"1", "svg": b"1", "pdf": b"1"}, base)
    write_pictures({"png": b"1", "pdf": b"1"}, base.with_name("y"))
    written = write_pictures({"png": b"2", "svg": b"2"}, base)
    assert written == [base.with_suffix(".png"), base.with_suffix(".svg")]
    names = sorted(path.name for path in base.parent.iterdir())
    assert names == ["x.png", "x.svg", "y.pdf", "y.png"]
    assert base.with_suffix(".png").read_bytes() == b"2"
