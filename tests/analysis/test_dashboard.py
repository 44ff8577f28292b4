"""The dashboard's specification: complete, of real names, and sent nowhere in a test."""

import json
import re
import socket

import pytest

from analysis.dashboard import Bars, Curve, Pictures, Scatter, sections
from analysis.workspace import main, report, specification, workspace
from records.quantities import QUANTITIES, find


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a test asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def charts(kind):
    return [chart for section in sections() for chart in section.charts if isinstance(chart, kind)]


def test_every_quantity_has_a_chart_in_its_own_section():
    for quantity in QUANTITIES:
        (section,) = [s for s in sections() if s.name == quantity.section]
        assert [c for c in section.charts if getattr(c, "title", "") == quantity.title], quantity


def test_the_four_quantities_of_training_come_first():
    first = sections()[0]
    names = ("train/d_repr_mle/penultimate", "geometry/velocity", "test/fgsm_loss_penalty@2",
             "test/log_spectrum_mean")  # fmt: skip
    assert len(first.charts) == len(names)
    for chart, name in zip(first.charts, names, strict=True):
        assert re.search(chart.pattern, name)


def test_charts_name_what_is_measured():
    for chart in charts(Scatter):
        assert find(chart.x), chart.x
        assert find(chart.y), chart.y
    for chart in charts(Bars):
        assert find(chart.name), chart.name


def test_a_family_s_pattern_takes_all_its_names_and_no_interval():
    penalty, *same = [c for c in charts(Curve) if "fgsm_loss_penalty" in c.pattern]
    assert same == [penalty]  # in its section too
    assert re.search(penalty.pattern, "test/fgsm_loss_penalty@0.5")
    assert not re.search(penalty.pattern, "test/fgsm_loss_penalty_low@0.5")


def test_a_run_s_numbers_and_pictures_are_all_shown(launch):
    """Every name that a run with all probes leaves is in the list; every picture on the board."""
    probes = ("callbacks=full", "probes.models=2", "callbacks.jacobian_spectrum.train=16")
    assert launch(*probes, "callbacks.jacobian_spectrum.test=16", "epochs=1") == 0
    (folder,) = launch.runs()
    names = folder.read()["scalars"]
    assert [name for name in names if find(name) is None] == []
    shown = {name.replace("/", "_") for chart in charts(Pictures) for name in chart.names}
    assert {path.stem for path in folder.figures.iterdir()} <= shown


def test_the_workspace_is_complete_without_a_network(no_network):
    pytest.importorskip("wandb_workspaces")
    spec = specification(workspace("me", "mine"))
    json.dumps(spec)
    view = spec["spec"]["section"]
    made = view["panelBankConfig"]["sections"]
    assert [section["name"] for section in made] == [section.name for section in sections()]
    kinds = {panel["viewType"] for section in made for panel in section["panels"]}
    assert kinds == {
        *("Markdown Panel", "Scatter Plot", "Media Browser", "Run History Line Plot", "Bar Chart")
    }
    grouping = [key["name"] for key in view["runSets"][0]["grouping"]]
    assert grouping[0] == "group"
    assert "data.value.domain" in grouping[1]


def test_the_report_has_the_same_charts_with_words(no_network):
    wr = pytest.importorskip("wandb_workspaces.reports.v2")
    blocks = report("me", "mine").blocks
    grids = [block for block in blocks if isinstance(block, wr.PanelGrid)]
    assert [len(grid.panels) for grid in grids] == [
        len(section.charts) for section in sections() if section.name != "Time"
    ]


def test_a_place_that_is_no_project_is_refused(capsys):
    assert main(["mine"]) == 2
    assert "entity/project" in capsys.readouterr().err
