"""Mistakes on the command line: all of them, at once, as sentences, and nothing is written."""

import subprocess
import sys

import pytest

from conf.blocks import choices_of
from conf.plan import plan
from tests.conftest import ROOT

THREE = "task=group task.groups=[[0],[1],[2]] task.names=[a,b,c] data.test_n=60"


def problems(*overrides: str) -> str:
    return "\n".join(plan(list(overrides)).problems)


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ("modle=lenet", "`modle`: did you mean `model`?"),
        ("model=lenett", "`model=lenett`: no such choice; did you mean `lenet`?"),
        ("n=-3", "`n=-3`: must be a whole number from 1, or all."),
        ("n=51 task=pair", "`n=51`: must be even for a balanced binary task; try n=50."),
        ("n=12", "multiple of 10"),
        ("n=many", "`n=many`: must be a whole number from 1, or all."),
        ("resume=maybe", "expected one of [auto, never, must]"),
        ("probes.eps=3", "there is no such setting; probes has schedule, images,"),
        ("data.siz=3", "`data.siz`: did you mean `data.size`?"),
        ("data.size=big", "`data.size=big`: must be a whole number."),
        ("model.network.activation=gleu", "must be gelu or relu. did you mean `gelu`?"),
        ("+model.network.depht=18", "`LeNet` has no such argument"),
        ("threads=0", "`threads=0`: must be a whole number from 1, or auto."),
        ("+colour=red", "colour"),
        ("seed=0,1", "several values need -m"),
        ("model.head=single", "one logit needs two classes"),
        ("model.head=single task=pair loss=offset", "OffsetCrossEntropy is for several"),
        ("loss=offset loss.temperature=cold", "`loss.temperature=cold`: must be a number."),
        ("standin=true", "needs none"),
        ("~n", "nothing can be deleted"),
        ("epochs=", "epochs"),
        ("learning_rate=0.1", "did you mean `model.lr` or `optimizer.lr`?"),
        ("optimizer.learning_rate=1", "did you mean `model.lr` or `optimizer.lr`?"),
        ("device=cuda", "did you mean `trainer=cpu` or `trainer=gpu`?"),
        ("data.root=/mine", "for images of your own add data=image_folder."),
        ("lr=0.1", "did you mean `model.lr` or `optimizer.lr`"),
        ("model.head=single task=random task.classes=5", "this task has 5"),
        ("model.head=single task=all task.balanced=false", "this task has 10"),
        (f"{THREE} n=50", "`n=50`: must be a multiple of 3 for a balanced task of 3 classes"),
        (f"{THREE} n=51 model.head=single", "one logit needs two classes, this task has 3"),
        (f"{THREE} n=51 data.test_n=50", "`data.test_n=50`: must be a positive multiple of 3"),
        ("task=group n=51", "`n=51`: must be even for a balanced binary task; try n=50."),
        ("model.head=singel", "must be logits or single. did you mean `single`?"),
        ("optimizer.lr=abc", "optimizer.lr"),
        ("model.lr=-1", "`model.lr=-1"),
        ("trainer.accelerator=gpuu", "did you mean `gpu`"),
        ("+trainer.bogus=1", "bogus"),
        ("logger.mode=onlin", "did you mean `online`"),
        ("data.size=0", "`data.size=0`: must be 1 or more."),
        ("task.noise=nan", "`task.noise=nan`: must be from 0 to 1."),
        ("task.noise=1.5", "`task.noise=1.5`: must be from 0 to 1."),
        ("optimizer.lr=inf", "`optimizer.lr=inf`: must be 0 or more, and finite."),
        ("-m seed=range(3,3)", "`seed=range(3,3)`: has no values."),
        ("-m seed=interval(0,1)", "`seed=interval(0,1)`: list the values, as in seed=0,1,2."),
        ("name=/elsewhere", "`name=/elsewhere`: must be a folder below paths.runs"),
        ("name=../x", "`name=../x`: must be a folder below paths.runs"),
        ("name=a=b", """special characters need quotes: "name='a=b'"."""),
        ("name=a;b", "`name=a;b`: cannot be read; special characters need quotes"),
        ("=3", "`=3`: settings are written key=value, as in n=500."),
        ("experiment=prach2025", "no such choice; there are prach2025/bound, prach2025/comp"),
        ("-m experiment=tour,konz2024/isic", "has its own sweep; use one experiment per command."),
        ("-m experiment=tour preset=cpu,gpu", "has its own sweep; use one preset per command."),
    ],
)
def test_mistake(overrides, sentence):
    assert sentence in problems(*overrides.split())


def test_a_value_that_was_left_open_can_be_set():
    assert "`data.root` has no value" in problems("data=image_folder")
    assert not problems("data=image_folder", "data.root=images", "data.test_n=10")


@pytest.mark.parametrize(
    "target", ["os.system", "builtins.eval", "torch.hub.load", "datamodulesx.y", "subprocess.Popen"]
)
def test_a_configuration_builds_nothing_but_what_is_allowed(target, monkeypatch):
    for key in ("loss._target_", "data.reader._target_", "+model.network.x._target_"):
        assert f"_target_={target}`: not among what" in problems(f"{key}={target}")
    monkeypatch.setenv("PLUMBLINE_TARGETS", f"mine,{target.rpartition('.')[0]}")
    assert "not among what" not in problems(f"loss._target_={target}")


@pytest.mark.parametrize(
    "flag", ["--experimental-rerun=x.pickle", "--config-dir=x", "--config-path=x", "-cn=x"]
)
def test_no_configuration_from_elsewhere_is_taken(flag):
    assert "configurations come from conf/" in problems(flag)


def test_all_mistakes_are_told_at_once_and_once():
    found = plan(["-m", "modle=lenet", "n=-3,-4", "seed=0,1"]).problems
    assert len(found) == 3


def test_a_right_command_has_no_problems():
    assert problems() == ""
    assert len(plan(["-m", "model=lenet,mlp", "n=200,500", "seed=0,1"]).runs) == 8


def test_a_sweep_may_name_its_choices_by_a_pattern():
    assert len(plan(["-m", "model=glob(vgg*)", "data=cifar10"]).runs) == 4
    assert "has no values" in problems("-m", "model=glob(nothing*)")


def test_what_looks_odd_and_is_right_passes():
    assert problems(*THREE.split(), "n=51") == ""
    assert problems(*THREE.split(), "n=50", "task.balanced=false") == ""
    assert problems("+model.lr_on.svhn=1e-6", "++model.network.pool=max") == ""


def test_exit_code_2_no_traceback_nothing_written(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "launch.py"), "modle=lenet", "n=-3"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "did you mean `model`?" in done.stdout
    assert "`n=-3`" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_torch_is_not_imported_to_find_a_mistake_or_a_finished_run():
    code = "import sys, launch; print('torch' in sys.modules, 'pytorch_lightning' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False False"


def test_help_is_short_and_ours():
    done = subprocess.run(
        [sys.executable, str(ROOT / "launch.py"), "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.startswith("python launch.py [-m]")
    assert "model: " in done.stdout
    assert "blocks" not in done.stdout
    assert len(done.stdout.splitlines()) < 50


@pytest.mark.parametrize("words", [("--help", "extra="), ("-m", "--cfg", "job", "seed=0,1")])
def test_a_question_with_a_mistake_in_it_is_answered_in_a_line(words):
    done = subprocess.run(
        [sys.executable, str(ROOT / "launch.py"), *words], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def every_choice() -> list[str]:
    conf = ROOT / "conf"
    added = {  # groups that stand elsewhere than at the root
        "corruption": "+corruption@data.transforms.it",
        "geometry": "data=plane geometry@data.law.geometry",
    }
    groups = sorted({path.parent for path in conf.rglob("*.yaml")} - {conf})
    return [
        f"{added.get(group.name, group.relative_to(conf))}={name}"
        for group in groups
        if "experiment" not in group.parts
        for name in choices_of(group)
        if "/" not in name  # another group's
    ]


@pytest.mark.parametrize("choice", every_choice())
def test_every_choice_of_every_group_composes_and_fits_its_target(choice):
    found = [
        p
        for p in plan(choice.split()).problems
        if "needs data.root" not in p
        and "has no value" not in p
        and "no validation images" not in p
    ]
    assert not [p for p in found if "multiple of" not in p and "must be even" not in p]


def experiments() -> list[str]:
    return sorted(choices_of(ROOT / "conf" / "experiment"))


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_plans_its_small_grid_and_names_its_command(name):
    check_experiment(name, "preset=cpu")


@pytest.mark.slow
@pytest.mark.parametrize("name", experiments())
def test_every_experiment_plans_its_whole_grid(name):
    check_experiment(name)


def check_experiment(name, *words):
    planned = plan(["-m", f"experiment={name}", *words])
    assert planned.problems == []
    assert len(planned.runs) > 1
    paper = name.partition("/")[0]  # some share the folder of another experiment of their paper
    assert all(run.config.name.partition("/")[0] == paper for run in planned.runs)
    file = choices_of(ROOT / "conf" / "experiment")[name]
    lines = file.read_text().splitlines()
    assert lines[0] == "# @package _global_"  # Hydra wants it first
    commands = [
        line.strip() for line in (lines if file.stem != name.split("/")[-1] else lines[1:2])
    ]
    assert any(line.startswith(f"# python launch.py -m experiment={name}") for line in commands)


def test_the_command_line_overrides_an_experiment_s_grid():
    assert len(plan(["-m", "experiment=tour", "n=100", "seed=0"]).runs) == 2


def test_no_choice_of_a_group_is_said_in_words():
    assert plan(["augmentation=null"]).problems == ["`augmentation=null`: use none."]
    assert plan(["-m", "debug=null,fast"]).problems == ["`debug=null`: leave it out."]


def test_a_word_without_a_value_is_explained():
    for text in ("n", "n = 100"):
        assert plan([text]).problems == [f"`{text}`: settings are written key=value, as in n=500."]


@pytest.mark.parametrize("name", ["root", "extra"])
def test_images_of_one_s_own_are_known_by_where_they_are(name, tmp_path, monkeypatch):
    def key(value):
        (run,) = plan(["data=cifar10", f"data.{name}={value}"]).runs
        return run.key

    monkeypatch.chdir(tmp_path)
    here = key("mine.npz")
    assert here == key("./mine.npz") == key(tmp_path / "mine.npz")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    assert key("mine.npz") != here
