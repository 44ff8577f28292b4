"""The config files of tasks, laws and corruptions: every key an argument, every file builds."""

import inspect
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.utils import get_class, get_method, instantiate
from omegaconf import OmegaConf

from conf.blocks import SCHEME, register_blocks
from datamodules.synthetic import SyntheticModule
from datamodules.tasks.task import Task

CONF = Path(__file__).parents[2] / "conf"
FILES = [
    *sorted((CONF / "task").glob("*.yaml")),
    *sorted((CONF / "corruption").glob("*.yaml")),
    *(
        CONF / "data" / f"{name}.yaml"
        for name in ("plane", "gaussian", "isotropic", "simplicity", "cells")
    ),
]


@pytest.fixture
def root(tmp_path):
    """A root config of its own over the shared groups."""
    register_blocks()
    (tmp_path / "root.yaml").write_text(
        "defaults: [{data: digits}, {task: default}, _self_]\n"
        "data: {size: 8, test_n: 30}\n"
        f"hydra: {{searchpath: ['{SCHEME}://{CONF}']}}\n"
        "preparation: {split: group, order: seed, antialias: true, per_image_max: false,"
        " test_noise: false, slip: false, geometry_models: 1000}\n"
        "model: {network: null}\n"
        f"n: 40\nseed: 0\nstandin: false\npaths: {{cache: {tmp_path}/cache, data: {tmp_path}}}\n"
    )
    return tmp_path


def built(root, *overrides):
    with initialize_config_dir(str(root), version_base="1.3"):
        cfg = compose("root", list(overrides))
    data = instantiate(
        cfg.data,
        task=instantiate(cfg.task),
        n=cfg.n,
        seed=cfg.seed,
        batch_size=8,
        cache=cfg.paths.cache,
        use_standin=cfg.standin,
        _convert_="all",
    ).module()
    data.setup()
    return data


def nodes(node):
    """Every node with a target, the inner ones too."""
    if OmegaConf.is_dict(node):
        if "_target_" in node:
            yield node
        for key in node:
            if not OmegaConf.is_missing(node, key) and not OmegaConf.is_interpolation(node, key):
                yield from nodes(node[key])


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_keys_are_argument_names(file):
    for node in nodes(OmegaConf.load(file)):
        is_function = node._target_.rpartition(".")[2].islower()
        target = (get_method if is_function else get_class)(node._target_)
        keys = set(node) - {"_target_", "_partial_", "defaults", "presets", "protocols"}
        assert keys <= set(inspect.signature(target).parameters)


@pytest.mark.parametrize("task", sorted(file.stem for file in (CONF / "task").glob("*.yaml")))
def test_every_task_builds(root, task):
    with initialize_config_dir(str(root), version_base="1.3"):
        cfg = compose(
            "root", [f"task={task}", *(["task.finding=any"] if task == "finding" else [])]
        )
    assert isinstance(instantiate(cfg.task), Task)


@pytest.mark.parametrize("data", ["plane", "isotropic", "simplicity", "cells"])
def test_synthetic_sets_run_as_they_stand(root, data):
    module = built(root, f"data={data}")
    assert isinstance(module, SyntheticModule)
    assert module.spec.name == data
    assert len(module.train) == 40


def test_tasks_are_chosen_apart_from_images(root):
    noisy = built(root, "task.noise=1.0")
    assert noisy.train.corrupted.any()
    grouped = built(root, "task=group")
    assert grouped.spec.classes == ("animal", "other")
    cut = built(root, "task=function", "task.kind=quadratic")
    assert cut.train.y.sum() == 20


def test_corruptions_are_stacked_by_name(root):
    data = built(
        root,
        "+corruption@data.transforms.crop=centre_crop",
        "data.transforms.crop.size=6",
        "+corruption@data.transforms.pixels=shuffled_pixels",
    )
    assert data.spec.size == 6


def test_a_second_set_is_mixed_in_by_name(root):
    data = built(
        root,
        "+corruption@data.transforms.mixture=dataset_noise",
        "+data@data.transforms.mixture.other=digits",
        "data.transforms.mixture.components=10",
    )
    clean = built(root)
    assert data.train.x.shape == clean.train.x.shape
    assert (data.train.x != clean.train.x).any()
