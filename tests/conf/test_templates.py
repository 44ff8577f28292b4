"""A grid put together from few compositions is the grid that Hydra composes run by run."""

import re

import pytest

from conf.blocks import HERE
from conf.plan import plan
from conf.resolve import plain_of
from conf.templates import INDEPENDENT

GRIDS = [
    "model=vgg16,lenet data=brats,cifar10 n=500,1750 preset=cpu protocol=code data.size=16",
    "model=mlp,vit task=pair,all optimizer=adam,sgd +trainer.limit_test_batches=1",
    "experiment=konz2024/generalization preset=cpu data=brats,svhn n=60",
]


@pytest.mark.parametrize("words", GRIDS)
def test_a_run_of_a_grid_is_the_run_on_its_own(words):
    grid = plan(["-m", *words.split()])
    assert not grid.problems
    assert len(grid.runs) in (4, 8)
    for run in grid.runs:
        (alone,) = plan(list(run.overrides)).runs
        assert run.plain == alone.plain == plain_of(run.config)
        assert run.key == alone.key


def test_a_mistake_in_one_group_of_a_grid_is_found():
    words = "-m model=lenet,vgg16 data=brats,cifar10 model.network.dropout=0.1,none"
    assert "`model.network.dropout`" in "\n".join(plan(words.split()).problems)


@pytest.mark.parametrize("group", INDEPENDENT)
def test_files_of_an_independent_group_set_their_own_node_alone(group):
    for file in (HERE / group).glob("*.yaml"):
        text = file.read_text()
        assert "@package" not in text, file
        for choice in re.findall(r"^ +- (.*)$", _defaults(text), re.MULTILINE):
            inside = re.match(r"/\w+@[a-z]\w*(\.\w+)*:", choice)
            assert inside or choice == "_self_", f"{file}: {choice}"


def test_no_choice_depends_on_an_independent_group_but_its_own_blocks():
    for file in HERE.rglob("*.yaml"):
        for line in re.findall(r"^ +- .*\$\{.*$", _defaults(file.read_text()), re.MULTILINE):
            for group in re.findall(r"\$\{(\w+)\}", line):
                own = f"blocks/{group}@{group}:" in line
                assert own or group not in INDEPENDENT, f"{file}: {line}"


def _defaults(text: str) -> str:
    """The defaults list of a file."""
    found = re.search(r"^defaults:\n((?: .*\n|#.*\n)*)", text, re.MULTILINE)
    return found[1] if found else ""
