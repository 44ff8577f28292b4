from pathlib import Path

import nibabel
import numpy as np
import pytest
from nibabel.testing import data_path

from datamodules.errors import BadFileError
from datamodules.formats import nifti
from datamodules.formats.nifti import VolumeMemory, gray_volume, load_volume

REAL = Path(str(data_path))


@pytest.mark.parametrize("name", ["anatomical.nii", "standard.nii.gz", "example_nifti2.nii.gz"])
def test_real_volumes_are_read(name):
    volume = load_volume(REAL / name)
    expected = nibabel.load(REAL / name)
    assert volume.shape == expected.shape[:3]
    assert VolumeMemory().gray_slice(REAL / name, 0).shape == expected.shape[1::-1]


def test_only_the_first_image_of_a_series_is_read():
    series = nibabel.load(REAL / "example4d.nii.gz")
    assert series.ndim == 4
    np.testing.assert_array_equal(
        load_volume(REAL / "example4d.nii.gz"), series.get_fdata()[..., 0]
    )


def test_gray_levels_run_between_percentiles():
    volume = np.arange(100_000, dtype=np.int16).reshape(10, 100, 100) % 1000
    volume[0, 0, 0] = 30_000  # one bright voxel must not darken the others
    gray = gray_volume(volume)
    assert gray.min() == 0
    assert gray.max() == 255
    assert abs(int(np.median(gray)) - 127) <= 1
    assert gray_volume(np.full((2, 2, 2), 7)).max() == 0
    assert gray_volume(np.array([[[np.nan, 1.0, 2.0]]])).dtype == np.uint8


def test_truncated_and_foreign_files_are_named(tmp_path):
    whole = tmp_path / "whole.nii.gz"
    noise = np.random.default_rng(0).integers(0, 999, (20, 20, 20)).astype(np.int16)
    nibabel.save(nibabel.Nifti1Image(noise, np.eye(4)), whole)
    for name, content in (("cut.nii.gz", whole.read_bytes()[:5000]), ("text.nii.gz", b"hello")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadFileError, match=name):
            load_volume(tmp_path / name)
    with pytest.raises(BadFileError, match="does not exist"):
        load_volume(tmp_path / "none.nii.gz")


def test_two_dimensions_are_no_volume(tmp_path):
    nibabel.save(nibabel.Nifti1Image(np.zeros((4, 4), np.int16), np.eye(4)), tmp_path / "flat.nii")
    with pytest.raises(BadFileError, match="2 dimensions"):
        load_volume(tmp_path / "flat.nii")


def test_a_volume_of_absurd_size_is_refused_by_its_header(tmp_path, monkeypatch):
    nibabel.save(nibabel.Nifti1Image(np.zeros((3, 5, 2), np.int16), np.eye(4)), tmp_path / "v.nii")
    monkeypatch.setattr(nifti, "LARGEST", 20)
    with pytest.raises(BadFileError, match="v.nii: claims 3 x 5 x 2 voxels, more than 20"):
        load_volume(tmp_path / "v.nii")


def test_memory_unpacks_each_volume_once_and_forgets_the_oldest(tmp_path, monkeypatch):
    paths = []
    for k in range(3):
        paths.append(tmp_path / f"{k}.nii.gz")
        volume = np.arange(8 * 8 * 5).reshape(8, 8, 5).astype(np.int16) * (k + 1)
        nibabel.save(nibabel.Nifti1Image(volume, np.eye(4)), paths[-1])
    loads = []
    monkeypatch.setattr(nifti, "load_volume", lambda p: (loads.append(p), load_volume(p))[1])
    memory = VolumeMemory(megabytes=2 * 8 * 8 * 5 / 1e6)
    for path in (paths[0], paths[0], paths[1], paths[0], paths[2], paths[0], paths[1]):
        memory.gray_slice(path, 2)
    assert loads == [paths[0], paths[1], paths[2], paths[1]]
    with pytest.raises(BadFileError, match="5 slices and no slice 5"):
        memory.gray_slice(paths[0], 5)


def test_rows_of_a_slice_run_along_the_second_axis(tmp_path):
    volume = np.zeros((3, 5, 2), np.int16)
    volume[2, 1, 0] = 100
    nibabel.save(nibabel.Nifti1Image(volume, np.eye(4)), tmp_path / "v.nii")
    picture = VolumeMemory().gray_slice(tmp_path / "v.nii", 0)
    assert picture.shape == (5, 3)
    assert picture.argmax() == 1 * 3 + 2
