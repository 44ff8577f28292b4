"""One rule from pixels of any depth and format to 0..255, or a question."""

import struct

import nibabel
import numpy as np
import pytest
from PIL import Image
from pydicom import dcmread
from pydicom.data import get_testdata_file

from datamodules.errors import DataError
from datamodules.formats.dicom import decode
from datamodules.readers.image_folder import ImageFolder
from datamodules.standins.dicom import write_dicom

VALUES = np.array([[0, 100], [300, 1000]], np.uint16)
HIGH = 65535


def png(path, values=VALUES):
    Image.fromarray(values).save(path.with_suffix(".png"))


def tiff(path, values=VALUES):
    Image.fromarray(values.astype(np.float32)).save(path.with_suffix(".tif"))


def dicom(path, values=VALUES, **tags):
    write_dicom(path.with_suffix(".dcm"), values, **tags)


def volume(path, values=VALUES):
    image = nibabel.Nifti1Image(values.T[..., None].astype(np.int16), np.diag([-1, -1, 1, 1]))
    nibabel.save(image, path.with_suffix(".nii.gz"))


def read(folder, *writers, **options):
    """What a folder with one file of each class gives; the files are written in order."""
    for k, write in enumerate(writers):
        (folder / f"class{k}").mkdir(parents=True, exist_ok=True)
        write(folder / f"class{k}" / "x")
    reader = ImageFolder(folder, **options)
    return [reader.read(i) for i in range(len(reader.listing()))]


@pytest.mark.parametrize("write", [png, tiff, dicom, volume])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"window": [100, 200]}, [[0, 128], [255, 255]]),
        ({"scale": "max"}, [[0, 25], [76, 255]]),
        ({"scale": "minmax"}, [[0, 25], [76, 255]]),
    ],
)
def test_every_format_follows_the_same_rule(tmp_path, write, options, expected):
    for image in read(tmp_path, write, write, **options):
        assert image.tolist() == expected


@pytest.mark.parametrize("write", [png, tiff, dicom, volume])
def test_deep_pixels_of_any_format_ask(tmp_path, write):
    with pytest.raises(
        DataError, match=r"pixels from 0 to 1000; say how .*window=\[centre,width\]"
    ):
        read(tmp_path, write, write)


def test_a_folder_of_mixed_depths_asks_and_then_has_one_rule(tmp_path):
    shallow = np.array([[0, 10], [20, 40]], np.uint8)

    def bytes_picture(path):
        png(path, shallow)

    with pytest.raises(DataError, match="uint16 pixels from 0 to 1000; say how"):
        read(tmp_path, bytes_picture, png)
    for scale, top in (("type", 40), ("max", 255), ("minmax", 255)):
        first, second = read(tmp_path, bytes_picture, png, scale=scale)
        assert first.max() == top
        assert second.max() == (1000 * 255 // HIGH if scale == "type" else 255)
    first, second = read(tmp_path, bytes_picture, png, window=[20, 40])
    assert first.tolist() == [[0, 64], [128, 255]]
    assert second.tolist() == [[0, 255], [255, 255]]


def test_slope_intercept_and_inversion_are_applied(tmp_path):
    tags = {"RescaleSlope": 2, "RescaleIntercept": -1024}

    def ct(path):
        dicom(path, np.array([[512, 532, 552]], np.uint16), **tags)

    def inverted(path):
        values = np.array([[512, 532, 552]], np.uint16)
        dicom(path, values, PhotometricInterpretation="MONOCHROME1", **tags)

    plain, mirrored = read(tmp_path, ct, inverted, window=[40, 80])
    assert plain.tolist() == [[0, 128, 255]]
    assert mirrored.tolist() == [[255, 127, 0]]


def test_padding_is_black_and_not_part_of_the_range(tmp_path):
    def padded(path):
        dicom(path, np.array([[-2000, 0, 500, 1000]], np.int16), PixelPaddingValue=-2000)

    for scale in ("minmax", "max", "percentile"):
        (image, _) = read(tmp_path, padded, padded, scale=scale)
        assert image[0, 0] == image[0, 1] == 0
        assert image[0, 2] in (127, 128)
        assert image[0, 3] == 255


def test_bytes_in_dicom_files_are_taken_as_any_picture(tmp_path):
    values = np.array([[0, 10], [20, 40]], np.uint8)

    def eight_bits(path):
        dicom(path, values)

    def inverted(path):
        dicom(path, values, PhotometricInterpretation="MONOCHROME1")

    first, second, third = read(tmp_path, eight_bits, inverted, lambda path: png(path, values))
    assert first.tolist() == third.tolist() == values.tolist()
    assert second.tolist() == (255 - values).tolist()


def test_the_type_of_a_dicom_file_is_its_bits(tmp_path):
    def twelve_bits(path):
        dicom(path, np.array([[0, 2048, 4095]], np.uint16), BitsStored=12, HighBit=11)

    (image, _) = read(tmp_path, twelve_bits, twelve_bits, scale="type")
    assert image.tolist() == [[0, 127, 255]]


@pytest.mark.parametrize(
    "name", ["CT_small.dcm", "MR_small.dcm", "MR_small_RLE.dcm", "image_dfl.dcm", "rtdose.dcm"]
)
def test_real_files_by_every_rule(tmp_path, name):
    for k in range(2):
        (tmp_path / str(k)).mkdir()
        (tmp_path / str(k) / "x.dcm").symlink_to(get_testdata_file(name, download=False))
    values = decode(tmp_path / "0" / "x.dcm").values.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    for options in ({"window": [(low + high) / 2, high - low]}, {"scale": "minmax"}):
        reader = ImageFolder(tmp_path, **options)
        reader.listing()
        expected = (values - low) * 255 / (high - low)
        assert np.abs(reader.read(0) - expected).max() <= 1


def test_palette_colours_are_looked_up(tmp_path):
    tables = {"Red": [0, 65535, 0], "Green": [0, 0, 65535], "Blue": [0, 0, 0]}
    tags: dict[str, object] = {"PhotometricInterpretation": "PALETTE COLOR"}
    for colour, table in tables.items():
        tags[f"{colour}PaletteColorLookupTableDescriptor"] = struct.pack("<3H", 3, 0, 16)
        tags[f"{colour}PaletteColorLookupTableData"] = np.array(table, "<u2").tobytes()
    write_dicom(tmp_path / "x.dcm", np.array([[0, 1, 2]], np.uint8), **tags)
    assert decode(tmp_path / "x.dcm").stored.tolist() == [[0, 76, 150]]  # red, green as grey


@pytest.mark.parametrize("options", [{}, {"scale": "type"}, {"window": [127.5, 255]}])
def test_colour_of_dicom_files_is_kept(tmp_path, options):
    for name in "ab":
        (tmp_path / name).mkdir()
        file = get_testdata_file("SC_rgb_small_odd.dcm", download=False)
        (tmp_path / name / "x.dcm").symlink_to(file)
    reader = ImageFolder(tmp_path, **options)
    assert reader.listing().rules == ("colour of DICOM",)
    expected = dcmread(file).pixel_array
    assert len(np.unique(expected.reshape(-1, 3), axis=0)) > 1
    assert np.abs(reader.read(0).astype(int) - expected).max() <= len(options.get("window", ())) / 2


def test_signed_volumes_of_scale_type_are_a_new_rule(tmp_path):
    read(tmp_path, volume, volume, scale="max")
    assert ImageFolder(tmp_path, scale="max").listing().rules == ()
    assert len(ImageFolder(tmp_path, scale="type").listing().rules) == 1


@pytest.mark.parametrize("window", [[40], [40, 0], [40, -80], [40, 80, 1], ["a", "b"]])
def test_a_window_that_is_none_is_refused(tmp_path, window):
    with pytest.raises(DataError, match=r"give \[centre,width\] with a positive width"):
        ImageFolder(tmp_path, window=window)
