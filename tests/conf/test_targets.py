"""What a configuration may build: names are followed to what they stand for."""

import subprocess
import sys

import pytest

from conf.plan import plan
from conf.source import find_definition
from conf.targets import problems_of_targets
from tests.conftest import ROOT


def problems(target) -> str:
    return "\n".join(problems_of_targets({"x": {"_target_": target}}))


@pytest.mark.parametrize(
    "target",
    ["torch.optim.AdamW", "torch.nn.Linear", "torch.nn.modules.activation.GELU",
     "torch.optim.lr_scheduler.StepLR", "pytorch_lightning.Trainer",
     "lightning_modules.schedules.linear", "datamodules.tasks.default.default"],
)  # fmt: skip
def test_what_is_allowed_is_found_without_importing_it(target):
    assert problems(target) == ""


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("torch.nn.functional.torch.hub.load", "there is no such"),
        ("torch.nn.functional.importlib.import_module", "there is no such"),
        ("torch.optim.optimizer.deepcopy", "is copy.deepcopy, which is not among"),
        ("pytorch_lightning.seed_everything", "which is not among"),
        ("datamodules.download.urllib.request.urlopen", "there is no such"),
        ("callbacks.build.DDPStrategy", "which is not among"),
        ("builtins.exec", "not among what a configuration may build"),
        ("torch.nn./tmp/evil.C", "there is no such"),
        ("torch.nn.Module.load_state_dict", "there is no such"),
        ("torch.nn.attention._fa4.register_flash_attention_fa4", "is a function"),
        ("datamodules.download.download", "is a function"),
        ("torch.nn..Linear", "there is no such"),
        (7, "must be the dotted name"),
    ],
)
def test_no_name_leads_out_of_what_is_allowed(target, reason):
    assert reason in problems(target)


def test_a_package_of_one_s_own_is_followed_too(tmp_path, monkeypatch):
    package = tmp_path / "mylab_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("from .nets import *\nfrom os import popen\n")
    (package / "nets.py").write_text("class Net:\n    pass\n\n\nraise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PLUMBLINE_TARGETS", "mylab_of_test")
    assert problems("mylab_of_test.Net") == ""
    assert find_definition("mylab_of_test.Net").name == "mylab_of_test.nets.Net"
    assert "is os.popen" in problems("mylab_of_test.popen")


def test_a_file_is_not_run_by_way_of_torch_hub(tmp_path):
    (tmp_path / "hubconf.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    words = {"_target_": "torch.nn.functional.torch.hub.load", "repo_or_dir": tmp_path}
    words |= {"model": "x", "source": "local"}
    done = subprocess.run(
        [sys.executable, str(ROOT / "launch.py"), f"paths.runs={tmp_path}/runs"]
        + [f"+callbacks.x.{name}={value}" for name, value in words.items()],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "node",
    [
        {"_target_": "os.system", "_partial_": True},
        {"_target_": "os.system", "_convert_": "all", "_recursive_": False},
        {"_args_": [{"_target_": "os.system"}]},
        [[{"y": [{"_target_": "os.system"}]}]],
    ],
)
def test_a_target_is_found_wherever_it_is(node):
    assert "os.system" in "\n".join(problems_of_targets({"x": node}))


@pytest.mark.parametrize(
    "value",
    [
        "'${oc.create:{_target_: os.system}}'",
        "'${oc.decode:\\'{_target_: os.system}\\'}'",
        "{_target_: '${oc.env:EVIL}'}",
        "{_target_: '${oc.select:nothing,${callbacks.y}}'}",
        "{_target_: '${callbacks.y}'}",
    ],
)
def test_a_reference_is_followed_before_a_target_is_judged(value, monkeypatch):
    monkeypatch.setenv("EVIL", "os.system")
    found = plan([f"+callbacks.x={value}", "+callbacks.y=os.system"]).problems
    assert any("os.system" in problem for problem in found), found
