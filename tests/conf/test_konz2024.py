"""The paper's grid, and what the cpu preset makes of it."""

import math
from pathlib import Path

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

import conf
from conf.plan import plan

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


def grid(file: Path) -> dict[str, list[str]]:
    """The swept values of a file; none without a grid."""
    params = OmegaConf.select(OmegaConf.load(file), "hydra.sweeper.params") or {}
    parser = OverridesParser.create()
    (*sweeps,) = parser.parse_overrides([f"{name}={value}" for name, value in params.items()])
    return {
        sweep.key_or_group: [str(v) for v in sweep.sweep_string_iterator()]
        if sweep.is_sweep_override()
        else [sweep.get_value_element_as_str()]
        for sweep in sweeps
    }


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name in RUNS])
def test_the_grid_is_the_papers(name):
    file = CONF / "experiment" / "konz2024" / f"{name}.yaml"
    first, command, _ = file.read_text().split("\n", 2)
    assert first == "# @package _global_"
    assert command.startswith(f"# python launch.py -m experiment=konz2024/{name}")
    assert math.prod(len(values) for values in grid(file).values()) == RUNS[name]


def test_the_main_grid_has_972_trainings():
    assert RUNS["generalization"] + RUNS["class_pairs"] == 972
    assert set(RUNS) <= set(EXPERIMENTS)


@pytest.mark.parametrize(
    ("name", "preset"),
    [("generalization", "default"), ("generalization", "gpu")]
    + [(name, preset) for name in sorted(RUNS) for preset in ("paper", "cpu")],
)
def test_every_experiment_composes(name, preset):
    """One corner of each grid: a composition takes a quarter of a second."""
    file = CONF / "experiment" / "konz2024" / f"{name}.yaml"
    corner = [f"{key}={values[-1]}" for key, values in grid(file).items() if key != "n"]
    planned = plan([f"experiment=konz2024/{name}", f"preset={preset}", *corner, "n=100"])
    assert planned.problems == []
    (run,) = planned.runs
    assert run.config.epochs == {"default": 20, "paper": 100, "gpu": 100}.get(
        preset, run.config.epochs
    )
    assert (run.config.stop._target_ == "callbacks.stop.StopAtFit") == (preset == "gpu")
    if name == "transforms":
        assert run.config.data.channels == 3
    if name == "large_n":
        assert run.config.task.classes == [1, 2]
    if preset in ("paper", "gpu") and "data.size" not in grid(file):
        assert run.config.data.size == 224


def test_the_cpu_preset_keeps_all_sets_and_two_kinds_of_network():
    file = CONF / "rules" / "experiment" / "cpu" / "konz2024" / "generalization.yaml"
    swept = grid(CONF / "experiment" / "konz2024" / "generalization.yaml") | grid(file)
    assert len(swept["data"]) == 11
    assert {"resnet18", "vgg13"} <= set(swept["model"])
    assert len(swept["n"]) > 1
