"""`launch.py --difficulty`: the whole command."""

import numpy as np
import pytest
from matplotlib.image import imsave


@pytest.fixture
def difficulty(launch, monkeypatch):
    monkeypatch.chdir(launch.home)
    return lambda *words: launch("--difficulty", *words, small=False)


def write_noise(root, size):
    random = np.random.default_rng(0)
    for name in ("cat", "dog"):
        (root / name).mkdir(parents=True)
        for i in range(30):
            imsave(root / name / f"{i}.png", random.random((size, size)), cmap="gray")


def test_the_whole_command_on_real_digits(difficulty, launch):
    assert difficulty("data=digits", "data.size=8", "n=100", "--out", "there") == 0
    assert "**digits**: 100 of 1,797 images (8 x 8 pixels in a sample of 540, read at" in (
        launch.output
    )
    for form in ("png", "svg", "md"):
        assert (launch.home / "there" / f"difficulty.{form}").stat().st_size > 0
    assert "nearest to" in (launch.home / "there" / "difficulty.md").read_text()


def test_few_images_are_all_taken(difficulty, launch):
    write_noise(launch.home / "mine", 40)
    assert difficulty("data=image_folder", "data.root=mine") == 0
    assert "n=46, all that the test set leaves" in launch.output  # a quarter of 60 is for the test
    assert "failed" not in launch.output
    assert "**mine**: 46 of 60 images (40 x 40 pixels, read at 224 x 224 x 3)." in launch.output


def test_bad_data_give_the_messages_and_exit_code_of_a_run(difficulty, launch):
    assert difficulty("data=npz", "data.root=nowhere.npz", "n=2") == 2
    assert "nowhere.npz" in launch.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["model=vgg13"], "measures the data alone"), (["--target", "0"], "must be above 0")],
)
def test_what_it_does_not_take(words, sentence, difficulty, launch):
    assert difficulty(*words) == 2
    assert sentence in launch.output


def test_all_readable_images_are_measured_and_files_left_out_are_among_the_findings(
    difficulty, launch
):
    write_noise(launch.home / "mine", 8)
    for i in range(60):
        (launch.home / "mine" / "dog" / f"{i}.psd").touch()
    for i in range(5):
        (launch.home / "mine" / "cat" / f"{i}.png").write_bytes(b"broken")
    words = ("data=image_folder", "data.root=mine", "data.size=8", "n=all")
    assert difficulty(*words) == 1
    assert "Check: 60 files of other types left out (60 .psd): 50% of the files" in launch.output
    assert difficulty(*words, "data.on_bad_file=skip") == 0
    assert "of 60 images (8 x 8 pixels" in launch.output
