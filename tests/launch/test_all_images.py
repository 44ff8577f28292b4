"""`n=all`: every training image, counted before the run has its key."""

import numpy as np
import pytest
from PIL import Image

from conf.plan import plan
from launchers.identify import identified

SMALL = ("data=image_folder", "data.size=32", "data.channels=1", "model=mlp", "epochs=1")


@pytest.fixture
def images(tmp_path):
    """28 images of two classes from four patients of 2, 6, 10 and 10 images, with a csv."""
    rows = ["path,label,group"]
    for i in range(28):
        path = tmp_path / "images" / f"{i}.png"
        path.parent.mkdir(exist_ok=True)
        pixels = np.random.default_rng(i).integers(0, 256, (8, 8), np.uint8)
        Image.fromarray(pixels).save(path)
        rows.append(f"{i}.png,{'ab'[i % 2]},{int((i // 2) ** 0.5)}")
    (path.parent / "labels.csv").write_text("\n".join(rows) + "\n")
    return path.parent


@pytest.fixture
def go(launch, images):
    def run(*words):
        return launch(*SMALL, f"data.root={images}", "data.reader.labels=labels.csv", *words)

    return run


def test_all_images_are_the_run_of_their_number(launch, go):
    by_image = ("data.test_n=4", "data.split=image")
    assert go("n=all", *by_image) == 0
    run = launch.run()
    assert run.path.name.startswith("mlp-image_folder-n24-s0-")
    assert run.read()["settings"]["n"] == run.read()["spec"]["n"] == 24
    assert go("n=24", *by_image) == 0
    assert "1 run, 1 done already." in launch.output
    assert go("--plan", "-m", "n=24,all", *by_image) == 0
    assert "1 run" in launch.output


def test_a_removed_image_is_said_where_all_are_taken(launch, go, images):
    by_image = ("data.test_n=4", "data.split=image", "n=all")
    assert go(*by_image) == 0
    table = images / "labels.csv"
    table.write_text(table.read_text().replace("4.png,a,1\n", "", 1))
    assert go(*by_image) == 0
    assert "was done on other images or labels (1 image removed (4.png))" in launch.output
    assert sorted(run.read()["settings"]["n"] for run in launch.runs()) == [22, 24]


def test_a_number_that_differs_between_seeds_is_said(images):
    words = [*SMALL, f"data.root={images}", "data.reader.labels=labels.csv", "data.test_n=6"]
    planned = identified(plan(["-m", *words, "n=all", "seed=0,1,2,3,4,5,6,7"]))
    sizes = sorted({run.settings["n"] for run in planned.runs})
    assert len(sizes) > 1
    assert any(f"n=all is {sizes[0]} to {sizes[-1]} images" in note for note in planned.notes)


@pytest.mark.parametrize(
    ("words", "n"),
    [
        ((), 1300),  # 174 of each of ten digits, without 440 for testing
        (("preparation.order=file", "data.test_n=20"), 1720),  # the same, without 20
        (("data=mnist", "standin=true", "data.test_n=20"), None),  # as many as are generated
    ],
)
def test_images_that_are_in_no_folder_are_counted(tmp_path, words, n):
    (run,) = identified(plan(["n=all", f"paths.cache={tmp_path}", *words])).runs
    assert run.settings["n"] == run.config.n > 0
    assert n in (run.settings["n"], None)


def test_what_refers_to_n_follows_its_number(images):
    experiment = ["experiment=movahedi2025/random_labels", "model=mlp", "data=digits", "n=all"]
    experiment += ["data.test_n=100"]
    found = identified(plan(experiment))
    assert not found.problems
    for run in found.runs:
        assert run.settings["batch_size"] == run.settings["n"] == run.config.batch_size


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("data=image_folder", "data.root=/nowhere"), "cannot be counted: "),
        (("data=plane",), "is generated, as many images as n says; set n=500."),
    ],
)
def test_images_that_cannot_be_counted_are_a_mistake(launch, words, said):
    assert launch("n=all", *words, "epochs=1") == 2
    assert said in launch.output
    assert launch.runs() == []


def test_the_plan_has_notes_on_groups_and_on_data_that_cannot_be_read(launch, go):
    assert go("--plan", "n=10", "data.test_n=4") == 0
    assert "cannot be read" not in launch.output
    assert go("--plan", "n=10", "data.reader.group_column=pateint") == 0
    assert "image_folder: cannot be read: " in launch.output
    assert "pateint" in launch.output
    assert go("--plan", "n=10", "data.test_n=4", "data.split=image") == 0
    assert "image_folder: " in launch.output  # groups on both sides


def test_all_images_without_those_that_cannot_be_read(launch, go, images):
    by_image = ("data.test_n=4", "data.split=image", "n=all", "data.on_bad_file=skip")
    for i in (0, 2, 4):
        (images / f"{i}.png").write_bytes(b"broken")
    assert go(*by_image) == 0
    assert 16 <= launch.run().read()["settings"]["n"] <= 19  # 11 of class a, 2 of them tested on
