"""Hand-made bombs: each is refused with the reader's own error, in little memory."""

import pytest

from tests.fuzz import bombs
from tests.fuzz.bombs import BIG, MEGABYTE, archive, dicom, gz, npy
from tests.fuzz.subjects import SUBJECTS
from tests.memory import peak_memory

CASES = {
    "npz, images": (
        "npz",
        lambda: archive(x__npy=npy((2, 20_000, 20_000)), y__npy=npy((2,), 2)),
        "claims rows",
    ),
    "npz, labels": (
        "npz",
        lambda: archive(x__npy=b"", y__npy=npy((BIG,), BIG)),
        "claims 314,572,800 bytes",
    ),
    "array of a run": (
        "array",
        lambda: archive(a__npy=npy((BIG,), BIG)),
        "claims 314,572,800 bytes",
    ),
    "direction": (
        "direction",
        lambda: archive(a__npy=npy((2**31,), MEGABYTE)),
        "claims 2,147,483,648 bytes",
    ),
    "nifti, size": (
        "nifti packed",
        lambda: gz(bombs.nifti((2000, 2000, 2000))),
        "claims 2000 x 2000 x 2000",
    ),
    "nifti, extension": (
        "nifti packed",
        lambda: gz(bombs.nifti(offset=BIG + 352, extension=BIG)),
        "at once",
    ),
    "idx, header": (
        "idx packed",
        lambda: gz(b"\0\0\x08\x01" + (2**28).to_bytes(4, "big")),
        "claims 268,435,456 bytes",
    ),
    "idx, content": (
        "idx packed",
        lambda: gz(b"\0\0\x08\x01\0\0\0\x02"),
        "more bytes instead of 2",
    ),
    "tar, header": ("tar", lambda: bombs.tar("header"), "at once"),
    "tar, files": ("tar", lambda: bombs.tar("files"), "more than 1,000 files"),
    "pickle, lists": ("cifar pickle", bombs.nested, "labels that are not numbers"),
    "pickle, key": ("cifar pickle", bombs.tuple_key, "keys are not names"),
    "pickle, memo": ("cifar pickle", bombs.memo, "no CIFAR batch"),
    "pickle, array": ("cifar pickle", bombs.huge_array, "no CIFAR batch"),
    "mat, claim": ("mat", lambda: bombs.mat(2**30), "unpacks to 1,073,741,824 bytes"),
    "mat, content": ("mat", lambda: bombs.mat(100), "has no variable"),
    "dicom, deflated": ("dicom", bombs.deflated, "inflates to more than"),
    "dicom, jpeg": (
        "dicom",
        dicom(bombs.JPEG_FILES["JPEG"], bombs.jpeg("JPEG")),
        "packs 60000 x 60000",
    ),
    "dicom, jpeg 2000": (
        "dicom",
        dicom(bombs.JPEG_FILES["JPEG2000"], bombs.jpeg("JPEG2000")),
        "packs 60000 x 60000",
    ),
    "dicom, run lengths": (
        "dicom",
        dicom(bombs.RLE, bombs.run_lengths()),
        "more than its pixels have",
    ),
    "excel, strings": ("excel", lambda: bombs.excel(b"", bytes(BIG)), "unpacks to 314,"),
    "excel, rows": ("excel", lambda: bombs.excel(bombs.FAR_ROW), "more than 1,048,576 rows"),
    "csv, line": ("csv", lambda: b"id,label\n" + b"," * 20 * MEGABYTE, "a line of more than"),
    "csv, header": ("csv", lambda: b"," * 20 * MEGABYTE + b"\na,b\n", "a line of more than"),
    "png": ("png", lambda: bombs.png(60_000, 60_000), "(claims 60000 x 60000|exceeds limit)"),
    "png within Pillow's limit": (
        "png",
        lambda: bombs.png(10_001, 10_000),
        "claims 10001 x 10000 pixels",
    ),
}


SLOW = {"excel, rows"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CASES]
)
@pytest.mark.filterwarnings("ignore")
def test_a_bomb_is_refused_in_little_memory(name, tmp_path):
    kind, make, reason = CASES[name]
    subject = SUBJECTS[kind]
    content = make()
    path = bombs.write(tmp_path / "arrays" / subject.file, content)
    assert len(content) < 25 * MEGABYTE
    del content
    with peak_memory() as peak, pytest.raises(subject.own, match=reason):
        subject.read(path)
    assert peak.bytes < 120 * MEGABYTE
