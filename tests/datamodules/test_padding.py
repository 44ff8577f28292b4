from functools import partial

import nibabel
import numpy as np
import pytest

from datamodules.image_data import ImageData
from datamodules.readers.image_folder import ImageFolder
from datamodules.readers.npz import Npz
from datamodules.tasks.all import All


def write_arrays(folder):
    x = np.random.default_rng(0).random((24, 4, 4), np.float32)
    x[3, :2, 1] = x[7, 0, 0] = np.nan
    np.savez(folder / "a.npz", x=x, y=np.arange(24) % 2)
    return partial(Npz, scale="minmax"), "3 NaN pixels in 2 images or volumes"


def write_volumes(folder):
    for k, kind in enumerate("ab"):
        voxels = np.random.default_rng(k).random((4, 4, 12))
        voxels[0, 0, :4] = np.nan
        (folder / kind).mkdir()
        nibabel.save(nibabel.Nifti1Image(voxels, None), folder / kind / "x.nii.gz")
    return partial(ImageFolder, scale="minmax"), "8 NaN pixels in 2 images or volumes"


@pytest.mark.parametrize("write", [write_arrays, write_volumes])
def test_nan_pixels_are_counted_also_when_images_come_from_the_cache(tmp_path, write):
    (tmp_path / "set").mkdir()
    reader, note = write(tmp_path / "set")
    for _ in range(2):
        data = ImageData(
            name="image_folder", reader=reader, root=str(tmp_path / "set"), task=All(), n=8,
            test_n=8, seed=0, batch_size=8, size=4, split="image", cache=tmp_path / "c",
        ).module()  # fmt: skip
        data.setup()
        assert f"{note}: padding, read as black" in data.notes
