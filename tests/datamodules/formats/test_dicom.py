from pathlib import Path

import numpy as np
import pydicom
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydicom.data import get_testdata_file

from datamodules.errors import BadFileError
from datamodules.formats.dicom import Decoded, decode
from datamodules.formats.dicom_headers import read_headers
from datamodules.standins.dicom import write_dicom


def real(name):
    """A file that ships with pydicom."""
    return get_testdata_file(name, download=False)


def test_real_ct_is_in_hounsfield_units():
    image = decode(real("CT_small.dcm"))
    raw = pydicom.dcmread(real("CT_small.dcm")).pixel_array
    assert image.values.shape == (128, 128)
    np.testing.assert_array_equal(image.values, raw.astype(np.float32) - 1024)
    assert image.window(40, 400).dtype == np.uint8


@pytest.mark.parametrize(
    "name",
    ["MR_small_RLE.dcm", "MR_small_bigendian.dcm", "MR_small_implicit.dcm", "MR_small_padded.dcm"],
)
def test_real_mr_is_the_same_however_it_is_encoded(name):
    np.testing.assert_array_equal(
        decode(real(name)).by_maximum(), decode(real("MR_small.dcm")).by_maximum()
    )


@pytest.mark.parametrize("name", ["MR_small.dcm", "MR_small_implicit.dcm"])
def test_real_files_are_read_without_their_preamble(tmp_path, name):
    data = pydicom.dcmread(real(name))
    length = 144 + data.file_meta.FileMetaInformationGroupLength  # preamble, DICM, this element
    stripped = tmp_path / "old.dcm"
    stripped.write_bytes(Path(real(name)).read_bytes()[length:])
    np.testing.assert_array_equal(decode(stripped).stored, data.pixel_array)


def test_real_colour_screen_becomes_gray():
    assert decode(real("SC_rgb_small_odd.dcm")).full_range().shape == (3, 3)


def test_real_multi_frame_dose_gives_the_frame_asked_for():
    frames = pydicom.dcmread(real("rtdose.dcm")).pixel_array
    np.testing.assert_array_equal(decode(real("rtdose.dcm"), 7).stored, frames[7])
    with pytest.raises(BadFileError, match="15 frames, no frame 15"):
        decode(real("rtdose.dcm"), 15)


def test_truncated_file_is_named():
    with pytest.raises(BadFileError, match=r"MR_truncated\.dcm: its pixels cannot be decoded"):
        decode(real("MR_truncated.dcm"))


def test_unknown_compression_says_what_to_install():
    with pytest.raises(BadFileError, match="pip install pylibjpeg"):
        decode(real("JPEG-lossy.dcm"))


@pytest.mark.parametrize("content", [b"", b"not a dicom file at all" * 20, b"\0" * 4000])
def test_anything_else_is_a_bad_file(tmp_path, content):
    (tmp_path / "x.dcm").write_bytes(content)
    with pytest.raises(BadFileError, match=r"x\.dcm"):
        decode(tmp_path / "x.dcm")


def test_missing_file_and_report_without_pixels():
    with pytest.raises(BadFileError, match="does not exist"):
        decode("/nowhere/x.dcm")
    with pytest.raises(BadFileError, match="contains no image"):
        decode(real("test-SR.dcm"))


def test_header_that_claims_a_bomb_is_refused_before_decoding(tmp_path):
    path = tmp_path / "bomb.dcm"
    write_dicom(path, np.zeros((2, 2), np.uint8))
    data = pydicom.dcmread(path)
    data.Rows = data.Columns = 65535
    data.save_as(path)
    with pytest.raises(BadFileError, match="65535 x 65535"):
        decode(path)


def test_padding_of_minus_2000_does_not_wrap(tmp_path):
    stored = np.array([[-2000, 0, 1064, 3000]], np.int16)
    path = tmp_path / "ct.dcm"
    write_dicom(path, stored, RescaleSlope=1, RescaleIntercept=-1024, PixelPaddingValue=-2000)
    image = decode(path)
    assert image.window(40, 80).tolist() == [[0, 0, 128, 255]]
    assert image.by_maximum().tolist() == [[0, 0, 90, 255]]
    # the published code's uint8 cast turns the padding into a mid grey
    assert image.by_maximum(wrap=True).tolist() == [[86, 0, 90, 255]]


def test_padding_is_known_even_when_its_tag_was_written_unsigned(tmp_path):
    path = tmp_path / "ct.dcm"
    write_dicom(path, np.array([[-2000, 5]], np.int16), PixelPaddingValue=-2000)
    raw = path.read_bytes().replace(b"\x28\x00\x20\x01SS", b"\x28\x00\x20\x01US")
    path.write_bytes(raw)
    assert decode(path).padding.tolist() == [[True, False]]


def test_monochrome1_is_inverted(tmp_path):
    ramp = np.array([[0, 1000, 4000]], np.uint16)
    for kind in ("MONOCHROME1", "MONOCHROME2"):
        write_dicom(tmp_path / kind, ramp, PhotometricInterpretation=kind)
    one, two = decode(tmp_path / "MONOCHROME1"), decode(tmp_path / "MONOCHROME2")
    assert two.by_maximum().tolist() == [[0, 63, 255]]
    assert one.by_maximum().tolist() == [[255, 192, 0]]
    assert one.full_range().tolist() == [[255, 191, 0]]


def test_black_and_constant_images_are_black_not_nan():
    black = np.zeros((2, 2), np.float32)
    image = Decoded(black, black, black.astype(bool), inverted=False)
    assert image.by_maximum().max() == image.full_range().max() == 0
    padded = Decoded(black, black, np.ones((2, 2), bool), inverted=False)
    assert padded.full_range().max() == 0


def test_window_needs_a_width():
    black = np.zeros((2, 2), np.float32)
    with pytest.raises(ValueError, match="width=0"):
        Decoded(black, black, black.astype(bool), inverted=False).window(40, 0)


@given(
    st.lists(st.integers(-3000, 4000), min_size=2, max_size=9),
    st.floats(-500, 500),
    st.floats(1, 3000),
)
def test_window_is_monotone_in_the_value(values, centre, width):
    row = np.sort(np.array([values], np.float32))
    gray = Decoded(row, row, np.zeros(row.shape, bool), inverted=False).window(centre, width)
    assert (np.diff(gray.astype(int)) >= 0).all()


def test_headers_are_text_and_broken_files_are_blank(tmp_path):
    write_dicom(tmp_path / "a.dcm", np.zeros((2, 2), np.uint8), PixelSpacing=[0.5, 0.7])
    (tmp_path / "b.dcm").write_bytes(b"junk")
    table = read_headers([tmp_path / "a.dcm", tmp_path / "b.dcm"], ["PixelSpacing", "PatientID"])
    assert table.to_numpy().tolist() == [["0.5\\0.7", ""], ["", ""]]


def test_large_single_frames_are_decoded_too(tmp_path):
    stored = np.random.default_rng(0).integers(0, 4000, (900, 900), dtype=np.uint16)  # 1.6 MB
    write_dicom(tmp_path / "x.dcm", stored)
    np.testing.assert_array_equal(decode(tmp_path / "x.dcm").stored, stored)
    frames = stored.reshape(9, 300, 300)
    write_dicom(tmp_path / "y.dcm", frames)
    np.testing.assert_array_equal(decode(tmp_path / "y.dcm", 4).stored, frames[4])
