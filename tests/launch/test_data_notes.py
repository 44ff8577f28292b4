"""A run on one's own images names the files that its user should look at."""

import numpy as np
from PIL import Image


def test_leaks_the_closest_pair_and_mixed_groups_are_noted(launch, tmp_path):
    """All dogs are one picture, so every test dog has its copy among the training images."""
    rows = ["path,label,group"]
    (tmp_path / "images").mkdir()
    for i in range(40):
        pixels = np.random.default_rng(i if i % 2 else 0).integers(0, 256, (8, 8), np.uint8)
        Image.fromarray(pixels).save(tmp_path / "images" / f"{i}.png")
        rows.append(f"{i}.png,{['dog', 'cat'][i % 2]},{0 if i < 24 else i}")
    (tmp_path / "images" / "labels.csv").write_text("\n".join(rows) + "\n")
    words = ("data=image_folder", f"data.root={tmp_path}/images", "data.reader.labels=labels.csv")
    small = ("data.size=8", "data.channels=1", "data.test_n=10", "data.split=image", "n=30")
    assert launch(*words, *small, "model=none", "callbacks=economy") == 0
    notes = launch.run().read()["notes"]
    (leak,) = [note for note in notes if "leakage: " in note]
    assert "leakage: 5 test images (50.0%) equal or nearly equal to a training image" in leak
    assert ".png (dog) is like " in leak
    assert leak.endswith("or give them one group, which data.split=group keeps together")
    (pair,) = [note for note in notes if "closest training images of different labels" in note]
    assert ".png (dog) and " in pair or ".png (cat) and " in pair
    assert any("1 group with training images of several labels" in note for note in notes)
