"""`model.weights` and `model.freeze`, by launching."""

import shutil

import pytest
import torch

from tests.lightning_modules.pretrained import reference

RESNET = ("model=resnet18", "data.channels=3", "data.size=32", "model.normalize=imagenet")
RESNET += ("n=20", "batch_size=10", "epochs=1", "data.test_n=20")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "resnet18.pth"
    torch.save(reference.resnet(18, 1000), path)
    return path


def weights(folder):
    state = torch.load(folder.checkpoints / "last.ckpt", weights_only=True)["state_dict"]
    return {name.removeprefix("network.network."): tensor for name, tensor in state.items()}


def test_a_network_starts_with_the_weights_of_a_run(launch, scalars):
    small = ("model=mlp", "model.network.widths=[16]", "data.size=8", "n=100")
    assert launch(*small, "epochs=3", "name=first") == 0
    first = launch.run("first")
    checkpoint = first.checkpoints / "last.ckpt"
    assert launch(*small, "epochs=0", f"model.weights={checkpoint}", "name=second") == 0
    second = launch.run("second")
    assert scalars(second)["test/loss"] == scalars(first)["test/loss"]
    assert any("the head included" in note for note in second.read()["notes"])


def test_frozen_features_stay_and_the_head_is_trained(launch, file):
    words = (*RESNET, f"model.weights={file}")
    assert launch(*words, "model.freeze=features", "name=frozen") == 0
    assert "the head has 10 outputs, the file's 1000: it is not loaded" in launch.output
    assert launch(*words, "name=free") == 0
    given = reference.resnet(18, 1000)
    frozen, free = weights(launch.run("frozen")), weights(launch.run("free"))
    pairs = {"stem.0.weight": "conv1.weight", "stem.1.running_mean": "bn1.running_mean"}
    pairs |= {"layer4.1.branch.4.running_var": "layer4.1.bn2.running_var"}
    pairs |= {"layer4.1.branch.3.weight": "layer4.1.conv2.weight"}
    for ours, theirs in pairs.items():
        assert frozen[ours].equal(given[theirs])
        assert not free[ours].equal(given[theirs])
    assert not frozen["head.weight"].equal(free["head.weight"])

    from launch import load_run

    file.unlink()  # a trained network does not need the file that it began with
    run = load_run(launch.run("frozen").path, cache=str(launch.cache))
    assert run.network.network.stem[0].weight.equal(given["conv1.weight"])


def test_the_content_of_the_file_counts_and_not_its_place(launch, file, tmp_path):
    from conf.plan import plan
    from launchers.identify import identified

    def key(path):
        return identified(plan([*RESNET, f"model.weights={path}"])).runs[0].key

    copy = shutil.copy(file, tmp_path / "copy.bin")
    first = key(file)
    assert key(copy) == first
    other = reference.resnet(18, 1000, seed=1)
    torch.save(other, copy)
    assert key(copy) != first
    assert plan(list(RESNET)).runs[0].key != first


def test_the_content_counts_too_where_images_have_no_identity(file, tmp_path):
    from conf.plan import plan
    from launchers.identify import identified

    gone = ("data=image_folder", f"data.root={tmp_path}/gone", f"model.weights={file}")
    (run,) = identified(plan([*RESNET, *gone])).runs
    assert list(run.data.replaces) == ["model.weights"]


def test_what_does_not_fit_is_said_before_or_at_the_start(launch, tmp_path, file):
    assert launch(f"model.weights={tmp_path}/none.pth") == 2
    assert "no such file; docs/howto/8-pretrained.md" in launch.output
    assert launch("model.freeze=stem") == 2
    assert "must be features or null" in launch.output
    assert launch("model.normalize=imagenet") == 2
    assert "set data.channels=3" in launch.output
    assert launch(f"model.weights={file}") == 1  # LeNet
    assert "It is of another network" in launch.output
