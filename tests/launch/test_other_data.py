"""Data are part of a run's identity: edited data make a new run, copied data none."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from tests.conftest import ROOT

MINE = ("data=image_folder", "data.size=32", "data.channels=1", "n=20", "data.test_n=4")
NOTE = "no groups known: split by image"


def save(path, seed):
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(seed).integers(0, 256, (8, 8), np.uint8)
    Image.fromarray(pixels).save(path)


@pytest.fixture
def images(tmp_path):
    rows = ["path,label"]
    for i in range(28):
        save(tmp_path / "images" / f"{i}.png", i)
        rows.append(f"{i}.png,{'ab'[i % 2]}")
    (tmp_path / "images" / "labels.csv").write_text("\n".join(rows) + "\n")
    return tmp_path / "images"


@pytest.fixture
def go(launch, images):
    def run(*words, root=images):
        given = (*MINE, f"data.root={root}", "data.reader.labels=labels.csv", "epochs=1")
        return launch(*given, "model=mlp", *words)

    return run


def relabel(images):
    file = images / "labels.csv"
    file.write_text(file.read_text().replace("3.png,b", "3.png,a", 1))


def drop(images):
    file = images / "labels.csv"
    file.write_text(file.read_text().replace("4.png,a\n", "", 1))
    (images / "4.png").unlink()


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda images: save(images / "5.png", 99), "1 image replaced (5.png)"),
        (relabel, "1 image relabelled (3.png)"),
        (drop, "1 image removed (4.png)"),
    ],
)
def test_edited_data_make_a_new_run_and_a_copy_none(launch, go, images, edit, said):
    assert go() == 0
    first = launch.run()
    copy = shutil.copytree(images, images.with_name("copy"), copy_function=shutil.copyfile)
    assert go(root=copy) == 0
    assert "1 run, 1 done already." in launch.output
    edit(images)
    assert go() == 0
    assert "1 run, 0 done already." in launch.output
    assert f"{first.path.name} was done on other images or labels ({said})." in launch.output
    assert {run.read()["status"] for run in launch.runs()} == {"done"}
    prints = {run.read()["data_fingerprint"] for run in launch.runs()}
    assert len(prints) == len(launch.runs()) == 2
    assert go() == 0
    assert "1 run, 1 done already." in launch.output
    assert "other data" not in launch.output


def test_a_sweep_says_once_what_changed(launch, go, images):
    assert go("-m", "seed=0,1") == 0
    assert launch.output.count(NOTE) == 1
    save(images / "5.png", 99)
    assert go("-m", "seed=0,1,2") == 0
    assert "3 runs, 0 done already." in launch.output
    assert launch.output.count("2 runs were done on other images or labels (1 image replaced") == 1


def test_one_command_with_two_copies_is_one_run_and_with_other_images_two(launch, go, images):
    copy = shutil.copytree(images, images.with_name("copy"), copy_function=shutil.copyfile)
    words = (*MINE, "model=mlp", "epochs=1", "data.reader.labels=labels.csv")
    assert launch("-m", *words, f"data.root={images},{copy}") == 0
    assert "1 run, 0 done already." in launch.output
    save(copy / "7.png", 99)
    assert launch("-m", *words, f"data.root={images},{copy}") == 0
    assert "2 runs, 1 done already." in launch.output


def test_another_folder_is_another_data_set(launch, go, images):
    assert go() == 0
    copy = shutil.copytree(images, images.with_name("copy"), copy_function=shutil.copyfile)
    save(copy / "7.png", 99)
    assert go(root=copy) == 0
    assert "1 run, 0 done already." in launch.output
    assert "other data" not in launch.output


def test_paths_data_is_no_part_of_the_key_and_what_lies_there_is(launch, images, tmp_path):
    for name in ("a", "b"):
        for i in range(24):
            kind = ("positive", "negative")[i % 2]
            seed = i + 100 * (name == "b" and i == 7)
            place = f"mura/train/XR_HAND/patient{i:05d}/study1_{kind}/image1.png"
            save(tmp_path / name / place, seed)
    shutil.copytree(tmp_path / "a", tmp_path / "c")
    words = ("data=mura", "data.size=32", "n=16", "data.test_n=4", "model=mlp", "epochs=1")
    assert launch(*words, f"paths.data={tmp_path}/a") == 0
    assert launch(*words, f"paths.data={tmp_path}/c") == 0
    assert "1 run, 1 done already." in launch.output
    assert launch(*words, f"paths.data={tmp_path}/b") == 0
    assert "1 run, 0 done already." in launch.output
    assert "1 image replaced (XR_HAND/patient00007" in launch.output


def test_a_checkpoint_of_other_data_is_never_resumed(launch, go, images, monkeypatch):
    from callbacks.checkpoint import Checkpointing

    whole = Checkpointing.on_train_epoch_end

    def die(self, trainer, module):
        self.seconds = 0
        whole(self, trainer, module)
        raise RuntimeError("killed")

    monkeypatch.setattr(Checkpointing, "on_train_epoch_end", die)
    assert go("epochs=3") == 1
    (begun,) = launch.runs()
    assert list(begun.checkpoints.iterdir())
    monkeypatch.setattr(Checkpointing, "on_train_epoch_end", whole)
    save(images / "5.png", 99)
    assert go("epochs=3") == 0
    assert "was started on other images or labels (1 image replaced (5.png))" in launch.output
    assert "resumes" not in launch.output
    (made,) = [run for run in launch.runs() if run.path != begun.path]
    assert [session["resumed"] for session in made.read()["sessions"]] == [False]
    # a folder that was given the other run's name
    shutil.rmtree(made.path)
    begun.path.rename(made.path)
    assert go("epochs=3") == 0
    assert "its folder has a run on other data, which is not resumed" in launch.output
    assert [session["resumed"] for session in made.read()["sessions"]][-1] is False


def test_data_that_come_later_leave_no_failure_behind(launch, go, images):
    away = images.rename(images.with_name("away"))
    assert go() == 2
    assert "image_folder` was not found" in launch.output
    away.rename(images)
    assert go() == 0
    assert launch.run().read()["status"] == "done"


def test_data_that_change_between_planning_and_reading_are_an_error(launch, go, images):
    from launchers import identify

    whole = identify.identified

    def planned(plan):
        found = whole(plan)
        save(images / "5.png", 99)
        return found

    import launch as command

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "identified", planned)
        assert go() == 2
    assert "the data changed between planning and reading them" in launch.output
    assert go() == 0


def test_a_direction_is_known_by_its_numbers(launch, tmp_path):
    def run(name, seed):
        vector = np.random.default_rng(seed).standard_normal(64)
        np.save(tmp_path / name, vector)
        words = ("data=plane", "data.size=8", "data.test_n=10", "n=20", "model=mlp", "epochs=1")
        return launch(*words, f"data.law.u1={tmp_path / name}")

    assert run("u.npy", 0) == run("v.npy", 0) == 0
    assert "1 run, 1 done already." in launch.output
    assert run("u.npy", 1) == 0
    assert "1 run, 0 done already." in launch.output


@pytest.mark.parametrize("words", [["--help"], ["--cfg", "job"]])
def test_questions_need_no_data(words, tmp_path):
    command = [sys.executable, str(ROOT / "launch.py"), "data=image_folder", "data.root=nowhere"]
    done = subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert not list(tmp_path.iterdir())


def test_a_finished_run_on_files_is_recognised_without_torch(launch, go, images):
    assert go() == 0
    words = launch.arguments(
        *("logger=csv", "callbacks=none", *MINE, f"data.root={images}", "epochs=1", "model=mlp"),
        "data.reader.labels=labels.csv",
    )
    code = (
        "import sys, launch\n"
        f"sys.argv = ['launch.py', *{words!r}]\n"
        "code = launch.main()\n"
        "heavy = {'torch', 'pytorch_lightning', 'sklearn'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1 run, 1 done already." in done.stdout + done.stderr


def test_another_torch_is_said_before_a_finished_run_is_reused(launch):
    assert launch() == 0
    record = launch.run().read()
    record["versions"]["torch"] = "1.0.0"
    launch.run().record_file.write_text(json.dumps(record))
    assert launch() == 0
    assert "Finished runs were made with torch 1.0.0, this environment has" in launch.output
    assert launch.output.index("Finished runs") < launch.output.index("lenet-digits")


def test_analysis_counts_the_run_on_the_present_data_alone(launch, go, images):
    from analysis.runs.missing import missing_runs
    from analysis.runs.records import read_runs

    def read():
        runs = read_runs([launch.home / "runs"])
        return runs, [runs.settings[key]["seed"] for key in runs.done.key]

    assert go("-m", "seed=0,1") == 0
    kept = (images / "5.png").read_bytes()
    old = {run.path.name for run in launch.runs()}
    save(images / "5.png", 99)
    assert go("-m", "seed=0,1") == 0
    runs, seeds = read()
    assert sorted(seeds) == [0, 1]
    assert runs.superseded == old
    assert not set(runs.done.key) & old
    assert missing_runs(runs.table, runs.superseded).empty
    (images / "5.png").write_bytes(kept)  # restored: the first runs are reused, and count again
    assert go("-m", "seed=0,1") == 0
    assert "2 runs, 2 done already." in launch.output
    runs, seeds = read()
    assert set(runs.done.key) == old
    assert len(runs.superseded) == 2


def test_seeds_before_an_edit_are_not_averaged_with_those_after(launch, go, images):
    from analysis.command_line import summary
    from analysis.report import render
    from analysis.runs.missing import missing_runs
    from analysis.runs.records import read_runs

    assert go("-m", "seed=0,1,2") == 0
    save(images / "5.png", 99)
    assert go("seed=1") == 0
    runs = read_runs([launch.home / "runs"])
    assert list(runs.done.seed) == [1]
    assert {key.split("-")[3] for key in runs.outdated} == {"s0", "s2"}
    assert {key.split("-")[3] for key in runs.superseded} == {"s1"}
    assert "3 more runs on data that were edited since, left out" in summary(runs)
    assert "not made again: 2 runs, in no table or figure" in render(runs, [])
    missing = missing_runs(runs.table, runs.superseded)
    assert list(missing.seed) == [0, 2]
    assert "seed=0,1,2" in missing.command.iloc[0]


def test_of_large_sets_the_images_that_runs_share_are_compared(launch, go, images, monkeypatch):
    from analysis.runs.records import read_runs

    monkeypatch.setattr("datamodules.fingerprint.ALL_FILES", 5)
    assert go("-m", "seed=0,1") == 0
    runs = read_runs([launch.home / "runs"])
    assert (len(runs.done), runs.outdated) == (2, frozenset())  # other images, not edited ones
    for i in range(28):
        save(images / f"{i}.png", 99 + i)
    assert go("seed=0") == 0
    runs = read_runs([launch.home / "runs"])
    assert (list(runs.done.seed), len(runs.outdated), len(runs.superseded)) == ([0], 1, 1)


def test_a_run_finished_under_another_name_is_said_and_counted_once(launch):
    from analysis.runs.records import read_runs

    assert launch("name=a") == 0
    assert launch("name=b/c") == 0
    assert "1 run, 0 done already." in launch.output
    assert "1 run is finished under name=a and will be repeated here" in launch.output
    runs = read_runs([launch.home / "runs"])
    assert (len(runs.done), runs.copies) == (1, 1)
    assert launch("name=a") == 0
    assert "1 run, 1 done already." in launch.output
    assert "finished under" not in launch.output
