import numpy as np
import pandas as pd
import pytest

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.dbc import DBC
from datamodules.standins.dbc import write
from datamodules.standins.dicom import uid, write_dicom
from tests.datamodules.fingerprints import fingerprint


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return str(tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    roots = {}
    for style in ("classic", "descriptive"):
        roots[style] = tmp_path_factory.mktemp(style)
        write(roots[style], images=4, size=8, style=style)
    return roots


def by_patient(reader, label):
    listing = reader.listing()
    return {
        p: sorted(int(f.stem.split("-")[1]) for f, g, y in rows if g == p and y == label)
        for rows in [list(zip(reader.files, listing.groups, listing.labels, strict=True))]
        for p in sorted(set(listing.groups.tolist()))
    }


def box(root, patient):
    table = pd.read_excel(root / "Annotation_Boxes.xlsx")
    row = table[table["Patient ID"] == f"Breast_MRI_{patient:03d}"].iloc[0]
    return int(row["Start Slice"]), int(row["End Slice"])


@pytest.mark.parametrize("style", ["classic", "descriptive"])
def test_both_gap_rules_in_both_folder_styles(trees, index, style):
    root = trees[style]
    start, end = box(root, 1)
    symmetric, asymmetric = DBC(root, index=index), DBC(root, gap_rule="asymmetric", index=index)
    assert by_patient(symmetric, 1)[1] == [*range(start, end + 1)]
    assert by_patient(symmetric, 0)[1] == [*range(1, start - 4), *range(end + 5, 61)]
    assert by_patient(asymmetric, 1)[1] == [*range(start, end)]  # the end slice is excluded
    assert by_patient(asymmetric, 0)[1] == [*range(1, start - 4), *range(end + 6, 61)]


def test_only_the_phase_asked_for_is_listed(trees, index):
    listing = DBC(trees["classic"], index=index).listing()
    assert not any("post_1" in name for name in listing.names)
    assert (
        len(DBC(trees["classic"], phase="post_1", index=index).listing()) == 4 * 2
    )  # two slices, all healthy


def test_a_folder_that_is_the_collection_itself_and_tables_as_csv(trees, index, tmp_path):
    (tmp_path / "Duke-Breast-Cancer-MRI").symlink_to(
        next(trees["classic"].glob("manifest-*")) / "Duke-Breast-Cancer-MRI"
    )
    for file in trees["classic"].glob("*.xlsx"):
        pd.read_excel(file).to_csv(tmp_path / f"{file.stem}.CSV", index=False)
    listing = DBC(tmp_path, index=index).listing()
    assert len(listing) == len(DBC(trees["classic"], index=index).listing())


def test_slice_offset_moves_the_boxes(trees, index):
    start, end = box(trees["classic"], 1)
    moved = by_patient(DBC(trees["classic"], slice_offset=1, index=index), 1)[1]
    assert moved == [*range(start - 1, end)]


def test_ids_without_underscores_are_the_same_patient(trees, tmp_path):
    root = tmp_path / "renamed"
    root.mkdir()
    for file in trees["classic"].iterdir():
        (root / file.name).symlink_to(file)
    (root / "Annotation_Boxes.xlsx").unlink()
    table = pd.read_excel(trees["classic"] / "Annotation_Boxes.xlsx")
    table["Patient ID"] = table["Patient ID"].str.replace("_", "")
    table.iloc[1:].to_excel(root / "Annotation_Boxes.xlsx", index=False)
    listing = DBC(root).listing()
    assert set(listing.groups) == {2, 3, 4}
    assert "60 slices of patients without a box left out" in listing.notes


def hand_made(root, spacing=(0.7, 0.7), kind="MONOCHROME2"):
    """One patient, 12 slices, tumour in slice 1."""
    files = []
    for s in range(1, 13):
        path = root / "Duke-Breast-Cancer-MRI" / "Breast_MRI_001" / "s" / "t" / f"1-{s:02d}.dcm"
        pixels = np.array([[0, 100 * s], [50, 25]], np.uint16)
        write_dicom(
            path,
            pixels,
            SOPInstanceUID=uid(s),
            PixelSpacing=list(spacing),
            PhotometricInterpretation=kind,
        )
        files.append((uid(s), f"DICOM_Images/Breast_MRI_001/pre/Breast_MRI_001_pre_{s:03d}.dcm"))
    names = ["sop_instance_UID", "original_path_and_filename"]
    mapping = root / "Breast-Cancer-MRI-filepath_filename-mapping.csv"
    pd.DataFrame(files, columns=names).to_csv(mapping, index=False)
    (root / "Annotation_Boxes.csv").write_text(
        "Patient ID,Start Slice,End Slice\nBreast_MRI_001,1,1\n"
    )
    return DBC(root)


def test_oblong_pixels_are_left_out_and_counted(tmp_path):
    listing = hand_made(tmp_path, spacing=(0.7, 1.4)).listing()
    assert len(listing) == 0
    assert "12 slices with oblong pixels left out" in listing.notes


def test_pixels_are_scaled_by_the_maximum_and_monochrome1_is_inverted(tmp_path):
    plain, inverted = hand_made(tmp_path / "a"), hand_made(tmp_path / "b", kind="MONOCHROME1")
    assert len(plain.listing()) == len(inverted.listing()) == 8
    assert plain.read(0).tolist() == [[0, 255], [127, 63]]
    assert inverted.read(0).tolist() == [[255, 0], [128, 192]]


def test_missing_things_are_named(trees, index, tmp_path):
    with pytest.raises(DataNotFoundError, match="Duke-Breast-Cancer-MRI"):
        DBC(tmp_path).listing()
    (tmp_path / "Duke-Breast-Cancer-MRI").mkdir()
    with pytest.raises(DataNotFoundError, match=r"Annotation_Boxes\.xlsx"):
        DBC(tmp_path).listing()
    with pytest.raises(BadFileError, match=r"data\.reader\.phase"):
        DBC(trees["classic"], phase="post_9", index=index).listing()


def test_headers_are_read_once(trees, tmp_path, monkeypatch):
    first = DBC(trees["classic"], index=str(tmp_path)).listing()
    monkeypatch.setattr("datamodules.readers.tcia.read_headers", None)
    monkeypatch.setattr("datamodules.readers.dbc.DBC._phase", None)
    again = DBC(trees["classic"], index=str(tmp_path)).listing()
    assert fingerprint(again) == fingerprint(first)
