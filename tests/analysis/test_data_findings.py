"""A folder with every problem in it: each is found, named and on the page."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from analysis.data_findings import find_problems
from analysis.report.data_page import render_data
from datamodules.image_data import ImageData
from datamodules.readers.image_folder import ImageFolder
from datamodules.scanned_images import scan
from datamodules.tasks.default import default


def write(path, pixels):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def picture(i, shift=0):
    noise = np.random.default_rng(i).integers(0, 250, (40, 48), dtype=np.uint8)
    return noise + np.uint8(shift)


@pytest.fixture
def root(tmp_path):
    """Twenty cats and twenty dogs; patients p0 to p9, of whom p0 has both."""
    for i in range(20):
        write(tmp_path / "set" / "cat" / f"p{i % 10}_{i}.png", picture(i))
        write(tmp_path / "set" / "dog" / f"p{0 if i == 0 else 10 + i}_{i}.png", picture(100 + i))
    return tmp_path / "set"


def data(root, **options):
    options = {"split": "image", "test_n": 10, "seed": 0} | options
    return ImageData(
        name="image_folder",
        reader=lambda root: ImageFolder(root, group_pattern=r"(p\d+)_"),
        task=default("all"),
        n=20,
        batch_size=4,
        cache=root.parent / "cache",
        root=str(root),
        size=16,
        **options,
    )


def test_a_sound_set_has_counts_sizes_its_closest_pair_and_what_was_not_found(root):
    (root / "dog" / "p0_0.png").unlink()
    found = find_problems(scan(data(root)))
    assert found.classes == {"cat": (14, 5, 1), "dog": (14, 5, 0)}
    assert set(found.images.sizes) == {(40, 48)}
    assert (found.mislabelled, found.repeated, found.leaked, found.mixed_groups) == ([], 0, [], [])
    assert [line.partition(":")[0].partition(" (")[0] for line in found.lines()] == [
        "Images by class",
        "Sizes",
        "Closest images of different labels",
        "Not found",
    ]
    assert list(found.lines())[-1] == (
        "Not found: unreadable files, equal images, test images nearly equal to a training image, "
        "groups with several labels."
    )


def test_every_problem_is_named_by_its_file(root):
    (root / "cat" / "p3_3.png").write_bytes(b"no image")
    write(root / "dog" / "p99_copy.png", picture(5))
    found = find_problems(scan(data(root)))
    ((name, reason),) = found.images.unreadable
    assert name.endswith("p3_3.png")
    assert reason
    assert not reason.startswith(name)  # the line has it already
    assert "on_bad_file" not in reason
    ((i, j),) = found.mislabelled
    assert {found.images.names[k].rpartition("/")[2] for k in (i, j)} == {
        "p5_5.png",
        "p99_copy.png",
    }
    assert found.repeated == 1
    assert found.closest[2] == 0
    assert found.mixed_groups == ["p0"]
    text = "\n".join(found.lines())
    for part in ("Unreadable: 1 image", "p3_3.png", "different labels: 1 pair", "1 group (p0)"):
        assert part in text
    assert "Not found" not in text  # the copy is on the other side of the split: all four are there


def test_copies_across_the_split_are_leakage_also_when_saved_anew(root):
    plain = find_problems(scan(data(root)))
    for i in np.flatnonzero(plain.images.part == "test")[:4].tolist():
        name = plain.images.names[i]
        file = next(root.rglob(name.rpartition("/")[2]))
        pixels = np.asarray(Image.open(file))
        write(file.with_name(f"again_{file.name}"), pixels + np.uint8(1))
    found = find_problems(scan(data(root)))
    pairs = {
        tuple(sorted(found.images.names[k].rpartition("/")[2] for k in pair[:2]))
        for pair in found.leaked
    }
    # the copies may move the split: each pair that it separates is found, and none beside
    expected = set()
    for place, name in enumerate(found.images.names):
        file = name.rpartition("/")[2]
        for other, second in enumerate(found.images.names):
            again = second.rpartition("/")[2]
            apart = {found.images.part[place], found.images.part[other]} == {"train", "test"}
            if again == f"again_{file}" and apart:
                expected.add(tuple(sorted((file, again))))
    assert pairs == expected
    assert found.leaked_share == len(found.leaked) / 10


def test_the_page_escapes_names_and_shows_thumbnails(root):
    shutil.copy(root / "cat" / "p1_1.png", root / "dog" / "<b>p1_x.png")
    page = render_data("a & b", find_problems(scan(data(root))))
    assert "Data: a &amp; b" in page
    assert "&lt;b&gt;p1_x.png" in page
    assert "<b>p1" not in page
    assert page.count("data:image/png;base64,") >= 4
    assert "script-src" in page


def test_n_without_the_unreadable_images_is_enough_of_every_class(root):
    for i in (2, 4, 6):
        (root / "cat" / f"p{i}_{i}.png").write_bytes(b"")
    for seed in range(3):
        one = data(root, seed=seed, on_bad_file="skip")
        most = scan(one).most
        assert most is not None
        assert 20 <= most <= 27
        train, test = replace(one, n=most).module().load()
        assert (len(train), len(test)) == (most, 10)
