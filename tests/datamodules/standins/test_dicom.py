import numpy as np
import pydicom
import pytest

from datamodules.standins.dicom import uid, write_dicom


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int16])
@pytest.mark.parametrize("shape", [(3, 5), (4, 3, 5)])
def test_pydicom_reads_back_what_was_written(tmp_path, kind, shape):
    pixels = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    if kind == np.int16:
        pixels -= 20
    padding = -2000 if kind == np.int16 else 7
    write_dicom(
        tmp_path / "a" / "x.dcm",
        pixels,
        PatientID="Breast_MRI_001",
        PixelSpacing=[0.7, 0.75],
        RescaleIntercept=-1024,
        RescaleSlope=1,
        PixelPaddingValue=padding,
        InstanceNumber=12,
        SeriesInstanceUID=uid("a", 1),
    )
    data = pydicom.dcmread(tmp_path / "a" / "x.dcm")  # without force: the preamble is right
    np.testing.assert_array_equal(data.pixel_array, pixels)
    assert data.pixel_array.dtype == kind
    assert data.PatientID == "Breast_MRI_001"
    assert list(data.PixelSpacing) == [0.7, 0.75]
    assert data.RescaleIntercept == -1024
    assert data.PixelPaddingValue == padding
    assert data.InstanceNumber == 12
    assert data.SeriesInstanceUID == uid("a", 1)
    assert data.SeriesInstanceUID.is_valid
    assert data.file_meta.MediaStorageSOPInstanceUID == data.SOPInstanceUID


def test_written_file_survives_pydicoms_own_writer_unchanged(tmp_path):
    write_dicom(tmp_path / "x.dcm", np.eye(4, dtype=np.uint16), Modality="MR", PatientID="P")
    pydicom.dcmread(tmp_path / "x.dcm").save_as(tmp_path / "y.dcm", enforce_file_format=True)
    assert pydicom.dcmread(tmp_path / "y.dcm") == pydicom.dcmread(tmp_path / "x.dcm")


def test_unknown_keyword_is_named(tmp_path):
    with pytest.raises(ValueError, match="`PatientIdentity` is no DICOM keyword"):
        write_dicom(tmp_path / "x.dcm", np.zeros((2, 2), np.uint8), PatientIdentity="P")
