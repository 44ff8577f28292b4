"""The report as people use it: in a browser, from disk, in light, dark and on a phone."""

import json
import re

import pytest

from analysis.command_line import chapters, chosen
from analysis.exhibits import load
from analysis.report import render
from analysis.report.beside import beside_published
from analysis.report.points import points
from analysis.runs.records import read_runs
from tests.analysis.synthetic_runs import scalars, settings, write_grid, write_record
from tests.browser import browser, needs_chromium

HOSTILE = '</script><img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs") / "sweep"
    write_grid(root, models=("vgg13",), sizes=(500, 1750), seeds=1)
    write_record(root, settings("resnet18", HOSTILE, "medical", 500, 0), scalars(500, 9, 1e-4))
    standin = settings("vgg13", "mura", "medical", 500, 0)
    write_record(root, standin, scalars(500, 11, 2e-4), standin=True)
    failed = settings("vgg13", "dbc", "medical", 1000, 0)
    write_record(root, failed, status="failed", error=HOSTILE)
    runs = read_runs([root])
    path = root / "report.html"
    path.write_text(render(runs, chapters(runs, chosen(["gen_ddata", "required_samples"]), root)))
    return path


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(page_file, chromium):
    chromium.view(1280)
    chromium.open(page_file)
    yield chromium
    assert chromium.complaints == []  # no error, no warning, no request to anywhere


def shown(page, selector="#run-table tr.row"):
    return page.run(f"[...document.querySelectorAll('{selector}')].filter(e => !e.hidden).length")


@needs_chromium
def test_filters_leave_rows_and_points_that_match(page):
    assert (shown(page), shown(page, "#explorer circle[cx][tabindex]")) == (15, 14)
    page.run(
        "document.querySelector('select[aria-label=data]').value = 'brats';"
        "document.querySelector('select[aria-label=data]').dispatchEvent(new Event('change'))"
    )
    assert (shown(page), shown(page, "#explorer circle[tabindex]")) == (2, 2)
    page.run(
        "const s = document.querySelector('input[type=search]');"
        "s.value = 'n=1750'; s.dispatchEvent(new Event('input'))"
    )
    assert shown(page) == 1
    assert page.run("document.querySelector('#filters .count').textContent") == "1 of 15 runs"


@needs_chromium
def test_a_heading_sorts_its_column_both_ways(page):
    column = "[...document.querySelectorAll('#run-table tr.row')].map(r => +r.cells[3].textContent)"
    click = "document.querySelectorAll('#run-table th button')[3].click()"
    page.run(click)
    assert page.run(column) == sorted(page.run(column))
    page.run(click)
    assert page.run(column) == sorted(page.run(column), reverse=True)


@needs_chromium
def test_a_point_tells_settings_and_command(page):
    page.point_at("#explorer circle[tabindex]")
    tip = page.run("document.querySelector('#explorer .tip:not([hidden])').textContent")
    assert "model.name" in tip
    assert "python launch.py -m model=a,b" in tip
    page.run(
        "document.querySelector('#explorer circle[tabindex]').dispatchEvent(new Event('click'))"
    )
    assert "data/d_mle = " in page.run("document.querySelector('#explorer .card').textContent")


@needs_chromium
def test_a_figure_shows_the_runs_behind_it(page):
    page.run("document.querySelector('section details').open = true")
    page.run("new Promise(done => setTimeout(done, 50))")  # the toggle event comes later
    assert shown(page, "section .behind circle[tabindex]") == 14
    axis = "document.querySelector('section .behind select').value"
    assert page.run(axis) == "data/d_mle"


@needs_chromium
def test_axes_can_be_any_numbers(page):
    page.run(
        "const y = document.querySelector('#explorer select[aria-label=\"y axis\"]');"
        "y.value = 'test/fgsm_loss_penalty@8'; y.dispatchEvent(new Event('change'))"
    )
    label = page.run("document.querySelector('#explorer .plot svg').getAttribute('aria-label')")
    assert label == "test/fgsm_loss_penalty@8 against data/d_mle"
    assert shown(page, "#explorer circle[tabindex]") == 14


@needs_chromium
def test_dark_and_light_are_the_reader_s_and_a_phone_is_wide_enough(page, tmp_path):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.run(colour)
    page.view(390, 844, dark=True)
    assert page.run(colour) != light
    assert page.run("document.documentElement.scrollWidth") <= 390
    page.picture(tmp_path / "phone.png")
    assert (tmp_path / "phone.png").stat().st_size > 5000


@needs_chromium
def test_hostile_names_stay_text(page):
    assert page.run("document.title").endswith("on 8 data sets")
    assert page.run("document.querySelectorAll('h1 *').length") == 0
    assert page.run("document.querySelectorAll('img[src=x]').length") == 0
    cells = page.run("[...document.querySelectorAll('#run-table td')].map(c => c.textContent)")
    assert HOSTILE in cells


def test_the_data_block_is_one_json_text(page_file):
    text = page_file.read_text()
    assert len(re.findall("<script", text)) == 2
    data = json.loads(re.search('id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert len(data["runs"]) == 15
    assert len(data["selections"]["0-figures-gen_ddata"]) == 14
    lengths = {len(run["values"]) for run in data["runs"]}
    assert lengths == {len(data["columns"])}


def test_published_values_stand_beside_the_runs_they_can_be_compared_with(tmp_path):
    write_record(tmp_path, settings("vgg13", "brats", "medical", 500, 0), scalars(500, 9, 1e-4))
    write_record(tmp_path, settings("vgg16", "brats", "medical", 500, 0), scalars(500, 11, 1e-4))
    write_record(tmp_path, settings("vgg13", "oai", "medical", 500, 0), scalars(500, 20, 1e-4))
    table = beside_published(load("figures", "konz2024", "props"), read_runs([tmp_path]).done)
    (row,) = table[(table.data == "brats") & (table.quantity == "data/d_mle")].to_dict("records")
    assert (row["published"], row["ours"], row["runs"]) == (11.0, 9.0, 1)  # the images, once
    (row,) = table[(table.data == "mura") & (table.quantity == "data/d_mle")].to_dict("records")
    assert row["runs"] == 0
    assert row["ours"] != row["ours"]  # none of ours: empty, not zero


def test_beside_the_published_sharpness_stands_that_of_the_largest_n_at_the_paper_s_size(tmp_path):
    for size, n, k_f in ((224, 500, 1e-4), (224, 1750, 2e-4), (32, 1750, 9e-4)):
        for model in ("vgg13", "vgg16") if size == 224 else ("vgg13",):
            one = settings(model, "brats", "medical", n, 0, size=size)
            write_record(tmp_path, one, scalars(n, 11, k_f))
    runs = read_runs([tmp_path]).done
    for kept, expected in ((runs, [2e-4]), (runs[runs["size"] == 32], [])):
        table = beside_published(load("figures", "konz2024", "props"), kept)
        (row,) = table[(table.data == "brats") & (table.quantity == "data/k_f")].to_dict("records")
        assert ([row["ours"]] if row["runs"] else []) == expected


def test_numbers_that_a_sweep_set_can_be_axes(tmp_path):
    for epochs, name in ((3, "sgd"), (20, "adam")):
        one = settings("vgg13", "oai", "medical", 500, 0) | {"epochs": epochs, "optimizer": name}
        write_record(tmp_path, one, scalars(500, 9, 1e-4))
    found = points(read_runs([tmp_path]), [])
    assert found["swept"] == ["epochs"]
    place = [column["name"] for column in found["columns"]].index("epochs")
    assert sorted(run["values"][place] for run in found["runs"]) == [3, 20]
    assert {run["settings"]["optimizer"] for run in found["runs"]} == {"sgd", "adam"}
