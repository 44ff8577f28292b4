"""The paper's grid, and what the cpu preset makes of it."""

import math
from pathlib import Path

import pytest

import conf
from conf.blocks import content_of
from conf.plan import plan
from tests.conf.grids import grid

CONF = Path(conf.__file__).parent
EXPERIMENTS = sorted(file.stem for file in (CONF / "experiment" / "konz2024").glob("*.yaml"))
# Trainings of the main grid: 6 networks x 6 n x (7 medical sets + 4 natural sets x 5 pairs).
RUNS = {
    "generalization": 6 * 6 * 11,
    "class_pairs": 6 * 6 * 4 * 4,
    "properties": 11 * 6 * 25,
    "resolution_properties": 11 * 5 * 6 * 5,
    "transforms": 11 * 6 * 5,
    "resolution": 7 * 5,
    "isic": 6,
    "task_selection": 6 * 2,
    "large_n": 6 * 2,
    "large_n_chexpert": 6 * 2,
}


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name in RUNS])
def test_the_grid_is_the_papers(name):
    file = CONF / "experiment" / "konz2024" / f"{name}.yaml"
    first, command, _ = file.read_text().split("\n", 2)
    assert first == "# @package _global_"
    assert command.startswith(f"# python launch.py -m experiment=konz2024/{name}")
    assert math.prod(map(len, grid(f"konz2024/{name}").values())) == RUNS[name]


def test_the_main_grid_has_972_trainings():
    assert RUNS["generalization"] + RUNS["class_pairs"] == 972
    assert set(RUNS) <= set(EXPERIMENTS)


@pytest.mark.parametrize(
    ("name", "preset"),
    [("generalization", "default"), ("generalization", "gpu")]
    + [(name, preset) for name in sorted(RUNS) for preset in ("published", "cpu")],
)
def test_every_experiment_composes(name, preset):
    """One corner of each grid: a composition takes a quarter of a second."""
    swept = grid(f"konz2024/{name}")
    corner = [f"{key}={values[-1]}" for key, values in swept.items() if key != "n"]
    planned = plan([f"experiment=konz2024/{name}", f"preset={preset}", *corner, "n=100"])
    assert planned.problems == []
    (run,) = planned.runs
    assert run.config.epochs == {"default": 20, "published": 100, "gpu": 100}.get(
        preset, run.config.epochs
    )
    assert (run.config.stop._target_ == "callbacks.stop.StopAtFit") == (preset == "gpu")
    if name == "transforms":
        assert run.config.data.channels == 3
    if name == "large_n":
        assert run.config.task.classes == [1, 2]
    if preset in ("published", "gpu") and "data.size" not in swept:
        assert run.config.data.size == 224


def test_the_cpu_preset_keeps_all_sets_and_two_kinds_of_network():
    swept = grid("konz2024/generalization", "cpu")
    assert len(swept["data"]) == 11
    assert {"resnet18", "vgg13"} <= set(swept["model"])
    assert len(swept["n"]) > 1


def test_the_real_sets_are_seventeen_of_two_domains():
    sets = grid("konz2024/real_sets")["data"]
    assert sets == grid("konz2024/real_sets_properties")["data"]
    assert len(sets) == len(set(sets)) == 17
    data = [content_of(f"data/{name}") for name in sets]
    assert [one["name"] for one in data] == sets
    assert [one["domain"] for one in data].count("medical") == 8


def test_the_real_sets_keep_patients_apart_and_take_as_many_steps_for_every_n():
    planned = plan(["-m", "experiment=konz2024/real_sets", "data=lgg", "n=200,1000", "seed=0"])
    assert planned.problems == []
    assert [run.config.n // run.config.batch_size for run in planned.runs] == [10, 10]
    assert {run.config.data.reader.group for run in planned.runs} == {"patient"}
    assert {run.config.data.size for run in planned.runs} == {32}


def test_medmnist_s_twelve_sets_are_swept_by_their_flag():
    flags = grid("konz2024/medmnist")["data.flag"]
    assert len(flags) == len(set(flags)) == 12
    words = ["experiment=konz2024/medmnist", "data=medmnist", "task=pair", "n=100"]
    colour = {"pathmnist", "dermamnist", "retinamnist", "bloodmnist"}
    for flag in flags:
        planned = plan([*words, f"data.flag={flag}"])
        assert planned.problems == []
        (run,) = planned.runs
        assert run.config.data.name == run.config.data.reader.flag == flag
        assert run.config.data.channels == (3 if flag in colour else 1)


def test_a_flag_of_the_reader_is_the_same_run_as_a_flag_of_the_data():
    commands = [["data=medmnist", f"{key}=octmnist"] for key in ("data.flag", "data.reader.flag")]
    assert len({plan(words).runs[0].key for words in commands}) == 1
