"""`measure=` adds measurements to finished runs; `load_run` loads them."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from PIL import Image
from pyarrow import parquet

from launchers.past_config import NotARunError
from tests.conftest import ROOT
from tests.launch.test_survival import interrupted
from tests.launch.test_wandb import read_back

SHORT = ("model=mlp", "model.network.widths=[16]", "data.size=8", "epochs=3", "n=60")
FGSM = "callbacks=fgsm_penalty"


def write_images(folder):
    for i in range(24):
        path = folder / "ab"[i % 2] / f"{i}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        pixels = np.random.default_rng(i).integers(0, 256, (8, 8), np.uint8)
        Image.fromarray(pixels).save(path)


def of_attacks(numbers):
    return {name: value for name, value in numbers.items() if "fgsm" in name}


@pytest.mark.parametrize(
    "words", [(), ("data.validation=0.3", "select=best", "optimizer.lr=0.2", "epochs=6")]
)
def test_numbers_are_those_of_a_run_that_measured_them(launch, scalars, words):
    assert launch(*SHORT, *words, FGSM, "probes.schedule=end", "name=whole") == 0
    assert launch(*SHORT, *words, "name=later") == 0
    whole, later = launch.run("whole"), launch.run("later")
    before = later.read()
    assert not of_attacks(scalars(later))
    checkpoint = (later.checkpoints / "last.ckpt").read_bytes()
    assert launch(f"measure={later.path}", FGSM, "logger=csv", small=False) == 0
    assert "fgsm_loss_penalty@2" in launch.output
    expected = of_attacks(scalars(whole))
    assert expected
    assert of_attacks(scalars(later)) == expected
    after = later.read()
    assert after["status"] == "done"
    assert after["settings"] == before["settings"]
    assert after["measured_later"][0]["fgsm_penalty"]["levels"] == [1, 2, 4, 8]
    assert before["scalars"].items() <= after["scalars"].items()
    assert (later.checkpoints / "last.ckpt").read_bytes() == checkpoint  # nothing was trained
    assert (later.figures / "test_fgsm_examples.png").exists()
    if words:
        assert after["tested"]["network"] == "best"
        assert after["tested"]["epoch"] < 6


def test_many_runs_and_measurements_at_once(launch, scalars):
    assert launch(*SHORT, "-m", "seed=0,1") == 0
    words = ("callbacks=economy", "logger=csv", f"measure={launch.home}/runs/*/mlp-*")
    assert launch(*words, small=False) == 0
    assert "2 runs measured, of 2" in launch.output
    for folder in launch.runs():
        assert "data/d_mle" in scalars(folder)
        assert launch(*SHORT, f"seed={folder.read()['settings']['seed']}") == 0
        assert "1 done already" in launch.output  # it is still the same run


def test_numbers_taken_with_other_options_are_not_replaced(launch):
    assert launch(*SHORT, FGSM, "callbacks.fgsm_penalty.levels=[2,4]") == 0
    folder = launch.run()
    before = folder.record_file.read_bytes()
    words = (f"measure={folder.path}", FGSM, "logger=csv")
    assert launch(*words, small=False) == 1
    assert "it has fgsm_penalty with levels=[2, 4], not [1, 2, 4, 8]" in launch.output
    assert folder.record_file.read_bytes() == before
    without = ("callbacks=economy", "+callbacks.fgsm_penalty=null", "probes.schedule=end")
    assert launch(words[0], "logger=csv", *without, small=False) == 0
    assert "measures evaluation, dataset_properties." in launch.output
    same = ("callbacks.fgsm_penalty.levels=[2,4]", "probes.schedule=end")
    assert launch(*words, *same, small=False) == 0


def test_measurements_go_to_the_wandb_run_of_the_training(launch, monkeypatch):
    monkeypatch.setenv("WANDB_MODE", "offline")
    assert launch(*SHORT, "logger=wandb", "name=study/a") == 0
    folder = launch.run("study/a")
    (before,) = folder.path.glob("wandb/offline-run-*")
    assert launch(f"measure={folder.path}", FGSM, small=False) == 0
    (after,) = folder.path.glob("wandb/offline-run-*")
    assert after.name.partition("-study-a-")[1:] == before.name.partition("-study-a-")[1:]
    (file,) = after.glob("*.wandb")
    config = next(entry["run"]["config"] for entry in read_back(file) if "run" in entry)
    assert config["update"]["callbacks"] == folder.read()["settings"]["callbacks"]


@pytest.mark.parametrize("way", ["trainer=ddp_cpu", "trainer=ddp"])
def test_two_processes_measure_the_numbers_of_one(launch, scalars, way):
    settings = ("trainer.accelerator=cpu", "trainer.devices=2", "logger=csv")
    assert launch(*SHORT, "name=one") == 0
    assert launch(*SHORT, "name=two") == 0
    one, two = launch.run("one"), launch.run("two")
    assert launch(f"measure={one.path}", FGSM, "logger=csv", small=False) == 0
    process = launch.start(f"measure={two.path}", FGSM, way, *settings, small=False)
    try:
        output, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, output
    assert output.count("measures fgsm_penalty") == 1
    assert of_attacks(scalars(two)) == pytest.approx(of_attacks(scalars(one)), rel=1e-5)
    assert len(two.read()["measured_later"]) == 1


def test_a_strategy_that_would_measure_all_runs_again_in_each_process_is_refused(launch):
    assert launch(*SHORT, "-m", "seed=0,1") == 0
    words = (f"measure={launch.home}/runs", FGSM, "trainer=ddp", "trainer.accelerator=cpu")
    assert launch(*words, "trainer.devices=2", small=False) == 2
    assert "name one run, or use trainer=ddp_cpu or one device" in launch.output


def test_every_measure_word_counts(launch, scalars):
    assert launch(*SHORT, "-m", "seed=0,1,2") == 0
    first, second, third = launch.runs()
    words = (f"measure={first.path}", FGSM, "logger=csv")
    assert launch(*words, "measure=/nowhere", small=False) == 2
    assert "`measure=/nowhere`: no run found" in launch.output
    assert not of_attacks(scalars(first))
    assert launch(*words, f"measure={second.path}", small=False) == 0
    assert "2 runs measured, of 2" in launch.output
    assert [bool(of_attacks(scalars(run))) for run in (first, second, third)] == [True, True, False]


def test_a_plan_measures_nothing(launch, scalars):
    assert launch(*SHORT) == 0
    folder = launch.run()
    assert launch("--plan", f"measure={folder.path}", FGSM, "logger=csv", small=False) == 2
    assert "leave out one of them" in launch.output
    assert not of_attacks(scalars(folder))


def test_what_cannot_be_measured_is_explained(launch):
    assert launch(f"measure={launch.home}/none", FGSM, small=False) == 2
    assert "no run found; a run folder has a record.json" in launch.output
    assert "There is none in" in launch.output
    assert launch(*SHORT) == 0
    folder = launch.run()
    assert launch(f"measure={folder.path}0", FGSM, small=False) == 2  # a digit too many
    assert f"1 run in {folder.path.parent}, such as {folder.path}." in launch.output
    assert launch(f"measure={folder.path}", FGSM, "n=200", small=False) == 2
    assert "`n=200`: a finished run keeps its settings" in launch.output
    fewer = "trainer.limit_test_batches=1"  # a setting of the run, which would win
    assert launch(f"measure={folder.path}", FGSM, fewer, small=False) == 2
    assert f"`{fewer}`: a finished run keeps its settings" in launch.output
    assert launch(f"measure={folder.path}", "callbacks=fgsm", small=False) == 2
    assert "no such choice" in launch.output
    before = folder.record_file.read_bytes()
    words = (f"measure={folder.path}", "callbacks=geometry_evolution", "logger=csv")
    too_few = "callbacks.geometry_evolution.models=3"
    assert launch(*words, too_few, small=False) == 1
    assert "not measured: " in launch.output
    assert folder.record_file.read_bytes() == before
    shutil.rmtree(folder.checkpoints)
    assert launch(f"measure={folder.path}", FGSM, "logger=csv", small=False) == 1
    assert "the checkpoint of its trained network is missing" in launch.output
    assert folder.record_file.read_bytes() == before


def test_a_run_is_loaded(launch, scalars):
    from launch import load_run

    assert launch(*SHORT, "data.validation=0.3", "optimizer.lr=0.2", "epochs=6") == 0
    folder = launch.run()
    run = load_run(folder.path, cache=str(launch.cache))
    assert run.record["key"] == folder.path.name
    assert not run.network.training
    with torch.no_grad():
        scores = run.network(run.data.test.images())
    accuracy = float((scores.argmax(1) == run.data.test.y).double().mean())
    assert accuracy == pytest.approx(scalars(folder)["test/accuracy"], abs=1e-12)
    best = load_run(folder.path, which="best", cache=str(launch.cache))
    validation = run.data.validation
    with torch.no_grad():
        scores = best.network(validation.images())
        loss = float(torch.nn.functional.cross_entropy(scores, validation.y))
    assert loss == pytest.approx(run.record["tested"]["best_value"], rel=1e-5)


def test_data_that_have_changed_are_not_loaded(launch, tmp_path):
    from launch import load_run

    write_images(tmp_path / "images")
    own = ("data=image_folder", f"data.root={tmp_path / 'images'}", "data.channels=1")
    assert launch(*SHORT, *own, "n=12", "data.test_n=8") == 0
    folder = launch.run().path
    assert len(load_run(folder, cache=str(launch.cache)).data.test) == 8
    shutil.copy(tmp_path / "images" / "a" / "0.png", tmp_path / "images" / "b" / "1.png")
    run = load_run(folder, cache=str(launch.cache))
    with pytest.raises(NotARunError, match="not those that it was trained on"):
        _ = run.data


@pytest.mark.parametrize("pretrained", [False, True])
def test_data_with_a_rare_class_are_loaded_unless_they_changed(launch, tmp_path, pretrained):
    from launch import load_run

    write_images(tmp_path / "images")
    for i in range(2, 16):  # 16 of class b: balance leaves out more than a quarter of the images
        (tmp_path / "images" / "b" / f"{i}.png").unlink(missing_ok=True)
    own = ("data=image_folder", f"data.root={tmp_path / 'images'}", "data.channels=1")
    weights: tuple[str, ...] = ()
    if pretrained:
        assert launch(*SHORT, *own, "n=2", "name=before") == 0
        torch.save(load_run(launch.run("before").path).network.state_dict(), tmp_path / "w.pth")
        weights = (f"model.weights={tmp_path / 'w.pth'}",)
    assert launch(*SHORT, *own, *weights, "n=all") == 0
    folder = launch.run().path
    record = launch.run().read()
    assert record["data_fingerprint"] != record["data_set_fingerprint"]
    assert load_run(folder, cache=str(launch.cache)).data.spec.n == record["spec"]["n"]
    shutil.copy(tmp_path / "images" / "a" / "0.png", tmp_path / "images" / "b" / "1.png")
    with pytest.raises(NotARunError, match="not those that it was trained on"):
        _ = load_run(folder, cache=str(launch.cache)).data


def test_images_may_be_moved(launch, tmp_path):
    from launch import load_run

    before, now = tmp_path / "images", tmp_path / "moved"
    write_images(before)
    own = ("data=image_folder", f"data.root={before}", "data.channels=1")
    assert launch(*SHORT, *own, "n=12", "data.test_n=8") == 0
    folder = launch.run().path
    before.rename(now)
    with pytest.raises(NotARunError, match=r"not at .*images; if they were moved, set load_run"):
        _ = load_run(folder, cache=str(launch.cache)).data
    assert len(load_run(folder, root=now, cache=str(launch.cache)).data.test) == 8
    words = (f"measure={folder}", FGSM, "logger=csv")
    assert launch(*words, small=False) == 1
    assert (
        f"its images are not at {before}; if they were moved, set data.root=<folder>."
        in launch.output
    )
    assert launch(*words, f"data.root={now}", small=False) == 0
    assert "fgsm_loss_penalty@2" in launch.output
    shutil.copy(now / "a" / "0.png", now / "b" / "1.png")
    assert launch(*words, f"data.root={now}", small=False) == 1
    assert f"not those that it was trained on; see {now}" in launch.output


def test_predictions_name_files_and_too_few_images_are_noted(launch, tmp_path):
    write_images(tmp_path / "images")
    own = ("data=image_folder", f"data.root={tmp_path / 'images'}", "data.channels=1")
    pattern = "data.reader.group_pattern='(.)\\.png'"  # the last digit
    words = (pattern, "n=6", "data.test_n=8", "callbacks=classification")
    assert launch(*SHORT, *own, *words) == 0
    rows = parquet.read_table(launch.run().path / "predictions.parquet").to_pylist()
    assert rows
    for row in rows:
        assert (tmp_path / "images" / row["file"]).is_file()
        assert row["file"].endswith(f"{row['group_name']}.png")
        assert row["file"].startswith("ab"[row["label"]])
    groups = len({row["group"] for row in rows})
    note = f"no 95 % intervals: {groups} groups in the test set, 20 needed"
    notes = launch.run().read()["notes"]
    assert any(note in one for one in notes)
    assert any("sensitivity, specificity, F1 and AUROC are of class b" in one for one in notes)


def test_a_run_whose_images_are_in_no_folder_takes_none(launch, tmp_path):
    from launch import load_run

    assert launch(*SHORT) == 0
    with pytest.raises(NotARunError, match="not read from a folder"):
        load_run(launch.run().path, root=tmp_path)


def test_a_run_is_loaded_from_another_folder(launch, tmp_path):
    assert launch(*SHORT) == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code = (
        "from launch import load_run\n"
        f"run = load_run({str(launch.run().path)!r})\n"
        "print(run.record['status'], sum(p.numel() for p in run.network.parameters()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=elsewhere,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["done", str(64 * 16 + 16 + 16 * 10 + 10)]
    assert not list(elsewhere.iterdir())


def test_an_unfinished_run_is_not_loaded(launch, monkeypatch):
    from launch import load_run

    run = interrupted(launch, monkeypatch)
    with pytest.raises(NotARunError, match="its status is `failed`.* rerun its command"):
        _ = load_run(run.path).network


def test_what_is_no_run_is_not_loaded(launch, tmp_path):
    from launch import load_run

    with pytest.raises(NotARunError, match=r"there is no record\.json"):
        load_run(tmp_path)
    assert launch(*SHORT) == 0
    folder = launch.run()
    record = folder.read()
    record["settings"]["model"]["network"]["_target_"] = "os.system"
    folder.write(record)
    with pytest.raises(NotARunError, match="not among what a configuration may build"):
        load_run(folder.path)
