import numpy as np
import pytest

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.rsna_ih_ct import RSNAHaemorrhage
from datamodules.readers.rsna_labels import KINDS, read_labels
from datamodules.standins.dicom import write_dicom
from datamodules.tasks.all import All
from tests.datamodules.fingerprints import fingerprint


def tree(root, images, patient=lambda k: f"P{k // 2}"):
    """`images`: id -> kinds that bleed; two images per patient."""
    folder = root / "rsna-intracranial-hemorrhage-detection" / "stage_2_train"
    lines = ["ID,Label"]
    for k, (name, kinds) in enumerate(images.items()):
        stored = np.array([[-2000, 1024], [1064, 3000]], np.int16)
        write_dicom(
            folder / f"{name}.dcm",
            stored,
            PatientID=patient(k),
            RescaleSlope=1,
            RescaleIntercept=-1024,
            PixelPaddingValue=-2000,
        )
        there = {*kinds, "any"} if kinds else set()
        lines += [f"{name}_{kind},{int(kind in there)}" for kind in KINDS]
    (folder.parent / "stage_2_train.csv").write_text("\n".join(lines) + "\n")
    return root


SIX = {
    "ID_000000001": (),
    "ID_000000002": ("epidural",),
    "ID_000000003": ("subdural", "epidural"),
    "ID_000000004": (),
    "ID_000000005": ("subarachnoid",),
    "ID_000000006": (),
}


def csv(root):
    return root / "rsna-intracranial-hemorrhage-detection" / "stage_2_train.csv"


def test_any_is_the_label_and_kinds_are_findings_in_kaggles_nested_folder(tmp_path):
    listing = RSNAHaemorrhage(tree(tmp_path, SIX)).listing()
    assert listing.labels.tolist() == [0, 1, 1, 0, 1, 0]
    assert listing.findings["epidural"].tolist() == [0, 1, 1, 0, 0, 0]
    assert listing.findings["subdural"].tolist() == [0, 0, 1, 0, 0, 0]
    assert set(listing.findings) == set(KINDS)
    assert listing.groups.tolist() == ["P0", "P0", "P1", "P1", "P2", "P2"]


def test_repeated_rows_are_dropped_and_contradictory_images_left_out(tmp_path):
    root = tree(tmp_path, SIX)
    lines = csv(root).read_text().splitlines()
    repeated = lines[1:7]  # all six rows of the first image again
    csv(root).write_text("\n".join([*lines, *repeated, "ID_000000002_epidural,0"]) + "\n")
    listing = RSNAHaemorrhage(root).listing()
    assert len(listing) == 5
    assert listing.notes[0].startswith("6 repeated rows, 1 images with contradictory rows")


def test_padding_does_not_wrap_unless_the_published_way_is_asked_for(tmp_path):
    root = tree(tmp_path, SIX)

    def pixels(**options):
        reader = RSNAHaemorrhage(root, **options)
        reader.listing()
        return reader.read(0).tolist()

    assert pixels() == [[0, 0], [128, 255]]
    assert pixels(scaling="maximum") == [[0, 87], [90, 255]]
    assert pixels(scaling="wrapped") == [[86, 87], [90, 255]]
    assert pixels(centre=0, width=2000) == [[0, 128], [133, 255]]


def test_truncated_dicom_is_named_and_the_known_one_left_out(tmp_path):
    root = tree(tmp_path, {**SIX, "ID_6431af929": ()})
    reader = RSNAHaemorrhage(root)
    listing = reader.listing()
    assert "ID_6431af929" not in "".join(listing.names)
    assert "1 known to be truncated" in listing.notes[0]
    reader.files[0].write_bytes(reader.files[0].read_bytes()[:-3])
    with pytest.raises(BadFileError, match=r"ID_000000001\.dcm.*cannot be decoded"):
        reader.read(0)


def test_candidates_keep_the_natural_mix_of_each_kind(tmp_path):
    images = {f"ID_{k:09x}": ("epidural",) if k % 4 == 0 else () for k in range(24)}
    images |= {f"ID_{k:09x}": ("subdural",) for k in range(24, 30)}
    listing = RSNAHaemorrhage(tree(tmp_path, images), candidates=4).listing()
    for kind in ("any", "epidural", "subdural"):
        values = listing.findings[kind]
        assert (values == 1).sum() == (values == 0).sum() == 4
    # a slice drawn for `subdural` alone has no part in `any`, nor in the default task
    assert (listing.labels == -1).sum() == len(listing) - 8
    assert len(All().labels(listing, seed=0).y) == 8


def test_images_without_file_or_patient_and_upper_case_names(tmp_path):
    root = tree(tmp_path, SIX, patient=lambda k: "" if k == 5 else "P")
    folder = csv(root).parent / "stage_2_train"
    (folder / "ID_000000001.dcm").unlink()
    (folder / "ID_000000002.dcm").rename(folder / "ID_000000002.DCM")
    listing = RSNAHaemorrhage(root).listing()
    assert listing.groups.tolist() == ["P", "P", "P", "P", "ID_000000006"]
    assert "1 images without a file" in listing.notes[0]
    assert "1 images without a patient in their header" in listing.notes


def test_headers_are_read_once(tmp_path, monkeypatch):
    root, index = tree(tmp_path / "data", SIX), str(tmp_path / "index")
    first = RSNAHaemorrhage(root, index=index).listing()
    monkeypatch.setattr("datamodules.readers.rsna_ih_ct.read_headers", None)
    again = RSNAHaemorrhage(root, index=index).listing()
    assert fingerprint(again) == fingerprint(first)
    assert again.groups.tolist() == first.groups.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Image,Label\nID_1_any,0\n", "no column `ID`"),
        ("ID,Labels\nID_1_any,0\n", "no column `Label`; the nearest is `Labels`"),
        ("ID,Label\nID_1_any,0\nID_1_epidual,0\n", "row 3"),
        ("ID,Label\nID_1_any,2\n", "row 2"),
        ("ID,Label\nID_1_any_more_parts,0\n", "Kaggle's format|row 2"),
    ],
)
def test_bad_label_files_name_row_or_column(tmp_path, text, message):
    (tmp_path / "stage_2_train.csv").write_text(text)
    with pytest.raises(BadFileError, match=message):
        read_labels(tmp_path / "stage_2_train.csv")


def test_an_image_that_lacks_a_kind_is_left_out(tmp_path):
    path = tmp_path / "stage_2_train.csv"
    rows = [f"ID_{i}_{kind},0" for i in "ab" for kind in KINDS]
    path.write_text("\n".join(["ID,Label", *rows[:-1]]) + "\n")
    table, repeated, contradictory = read_labels(path)
    assert table.index.tolist() == ["ID_a"]
    assert (repeated, contradictory) == (0, 0)


def test_missing_data(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"stage_2_train\.csv"):
        RSNAHaemorrhage(tmp_path).listing()
    (tmp_path / "stage_2_train.csv").write_text("ID,Label\n")
    with pytest.raises(DataNotFoundError, match="the folder `stage_2_train`"):
        RSNAHaemorrhage(tmp_path).listing()
