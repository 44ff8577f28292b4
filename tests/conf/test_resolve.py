"""Replacing `${...}` by hand gives what OmegaConf gives, and the forms we do not know go to it."""

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from conf.plan import HERE, plan
from conf.resolve import plain_of, resolve
from conf.schema import register

COMMANDS = [
    "",
    "data=brats model=resnet18 protocol=code",
    "data=svhn model=vgg16 protocol=text preset=cpu",  # a rate of this data set's own
    "experiment=konz2024/generalization",
    "data=cifar10 callbacks=full +corruption@data.transforms.it=centre_crop",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_composed_configuration_resolves_as_omegaconf_does(command):
    register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(HERE), version_base="1.3"):
        config = compose("config", command.split())
    expected = OmegaConf.to_container(config, resolve=True, enum_to_str=True)
    assert resolve(plain_of(config)) == expected


REFERENCES = ["${a}", "${b.c}", "x-${a}", "${b.c}/${a}", "${b}", "${oc.select:b.${d},${a}}", "${e}"]


@given(
    a=st.one_of(st.integers(), st.floats(allow_nan=False), st.booleans(), st.just("text")),
    d=st.sampled_from(["c", "nowhere", "${f}"]),
    f=st.sampled_from(["c", "z"]),
    values=st.lists(st.sampled_from(REFERENCES), min_size=1, max_size=4),
)
def test_any_reference_resolves_as_omegaconf_does(a, d, f, values):
    plain = {"a": a, "b": {"c": "${a}"}, "d": d, "e": ["${a}", {"g": "${b.c}"}], "f": f}
    plain["values"] = values
    expected = OmegaConf.to_container(OmegaConf.create(plain), resolve=True)
    assert resolve(plain) == expected


def test_unusual_forms_are_left_to_omegaconf(monkeypatch):
    monkeypatch.setenv("PLACE", "here")
    assert resolve({"a": "${oc.env:PLACE}/b", "c": {"d": "${.e}", "e": 1}}) == {
        "a": "here/b",
        "c": {"d": 1, "e": 1},
    }


@pytest.mark.parametrize("wrong", ["${nowhere}", "${a}${", "${a.b.c}"])
def test_a_reference_to_nothing_is_an_error(wrong):
    with pytest.raises(OmegaConfBaseException):
        resolve({"a": 1, "x": wrong})


def test_a_planned_run_s_configuration_is_its_plain_one():
    planned = plan(["-m", "seed=0,1", "n=20,40", "+model.lr_on.digits=0.5", "on_error=stop"])
    assert len(planned.runs) == 4
    for run in planned.runs:
        assert plain_of(run.config) == run.plain
        assert run.settings["optimizer"]["lr"] == 0.5
    assert [run.plain["seed"] for run in planned.runs] == [0, 0, 1, 1]
    assert len({run.key for run in planned.runs}) == 4
