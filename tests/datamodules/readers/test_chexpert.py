from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.formats.locate import existing
from datamodules.readers.chexpert import CheXpert

HEADER = "Path,Sex,Age,Frontal/Lateral,AP/PA,Edema,Pleural Effusion"
ROWS = {  # patient, view -> (Edema, Pleural Effusion)
    ("patient00001", "view1_frontal"): ("1.0", "1.0"),
    ("patient00001", "view2_lateral"): ("0.0", "1.0"),
    ("patient00002", "view1_frontal"): ("", "0.0"),
    ("patient00003", "view1_frontal"): ("", "-1.0"),
    ("patient00004", "view1_frontal"): ("-1.0", ""),
}


def tree(root, base="CheXpert-v1.0-small/train", prefix="CheXpert-v1.0-small/train", suffix=".jpg"):
    lines = [HEADER]
    for k, ((patient, view), (edema, effusion)) in enumerate(ROWS.items()):
        folder = root / base / patient / "study1"
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((8, 8), 40 * k, np.uint8)).save(folder / f"{view}{suffix}")
        kind = "Frontal" if "frontal" in view else "Lateral"
        lines.append(f"{prefix}/{patient}/study1/{view}.jpg,Male,60,{kind},AP,{edema},{effusion}")
    csv = root / base.split("/")[0] / "train.csv" if "/" in base else root / "train.csv"
    csv.write_text("\n".join(lines) + "\n")
    return csv


@pytest.mark.parametrize(
    ("policy", "labels"),
    [
        ("explicit_only", [1, 1, 0, -1, -1]),
        ("u_ignore", [1, 1, 0, -1, 0]),
        ("u_zeros", [1, 1, 0, 0, 0]),
        ("u_ones", [1, 1, 0, 1, 0]),
        (
            "unstated_negative",
            [1, 1, -1, 0, 0],
        ),  # stated negatives: dropped, not positive
    ],
)
def test_every_policy(tmp_path, policy, labels):
    tree(tmp_path)
    listing = CheXpert(tmp_path, labels=policy).listing()
    found = dict(zip(listing.names, listing.labels.tolist(), strict=True))
    by_row = [
        next((y for name, y in found.items() if f"{patient}/study1/{view}" in name), -1)
        for patient, view in ROWS
    ]
    assert by_row == labels


def test_stated_negatives_are_never_positive(tmp_path):
    tree(tmp_path)
    for policy in ("unstated_negative", "u_zeros", "u_ones", "u_ignore", "explicit_only"):
        listing = CheXpert(tmp_path, labels=policy, finding="Edema").listing()
        lateral = [y for n, y in zip(listing.names, listing.labels, strict=True) if "view2" in n]
        assert lateral in ([0], [-1])


def test_other_findings_come_along(tmp_path):
    tree(tmp_path)
    listing = CheXpert(tmp_path, labels="explicit_only").listing()
    assert listing.findings["Edema"].tolist() == [1, 0, -1]
    assert listing.findings["Pleural Effusion"].tolist() == [1, 1, 0]
    assert CheXpert(tmp_path, finding="Edema").listing().classes == ("no Edema", "Edema")


def test_views_of_a_patient_are_one_group_and_laterals_can_be_left_out(tmp_path):
    tree(tmp_path)
    listing = CheXpert(tmp_path).listing()
    assert listing.groups.tolist() == ["patient00001", "patient00001", "patient00002"]
    frontal = CheXpert(tmp_path, frontal=True).listing()
    assert frontal.groups.tolist() == ["patient00001", "patient00002"]
    assert "1 lateral views left out" in frontal.notes


@pytest.mark.parametrize(
    ("base", "prefix"),
    [
        ("CheXpert-v1.0-small/train", "CheXpert-v1.0-small/train"),
        ("train", "CheXpert-v1.0-small/train"),  # Kaggle's copy lacks the outer folder
        ("CheXpert-v1.0 batch 2 (train 1)", "CheXpert-v1.0/train"),  # the newer delivery
    ],
)
def test_paths_of_the_csv_are_mapped_to_what_is_on_disk(tmp_path, base, prefix):
    tree(tmp_path, base, prefix)
    reader = CheXpert(tmp_path)
    assert len(reader.listing()) == 3
    assert abs(int(reader.read(1).mean()) - 40) <= 2


def test_csv_in_a_folder_beside_the_batches(tmp_path):
    csv = tree(tmp_path, "CheXpert-v1.0 batch 2 (train 1)", "CheXpert-v1.0/train")
    (tmp_path / "CheXpert-v1.0 batch 1 (validate & csv)").mkdir()
    csv.rename(tmp_path / "CheXpert-v1.0 batch 1 (validate & csv)" / "train_cheXbert.csv")
    assert len(CheXpert(tmp_path, table="train_cheXbert.csv").listing()) == 3


def test_upper_case_files_are_read(tmp_path):
    tree(tmp_path, suffix=".JPG")
    reader = CheXpert(tmp_path)
    reader.listing()
    assert existing(Path(reader.files[1])).name == "view2_lateral.JPG"
    assert reader.read(1).shape == (8, 8)


def test_repeated_rows_and_absent_patients_are_counted(tmp_path):
    csv = tree(tmp_path)
    lines = csv.read_text().splitlines()
    absent = lines[1].replace("patient00001", "patient99999")
    csv.write_text("\n".join([*lines, lines[1], absent]) + "\n")
    listing = CheXpert(tmp_path).listing()
    assert len(listing) == 3
    assert "1 repeated rows left out" in listing.notes
    assert "1 rows whose patient is not on disk left out" in listing.notes


def test_truncated_jpeg_is_named(tmp_path):
    tree(tmp_path)
    reader = CheXpert(tmp_path)
    reader.listing()
    file = Path(reader.files[0])
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(BadFileError, match=r"view1_frontal\.jpg: is not a complete picture"):
        reader.read(0)


def test_wrong_column_and_missing_data_are_named(tmp_path):
    with pytest.raises(DataNotFoundError, match=r"train\.csv"):
        CheXpert(tmp_path).listing()
    csv = tree(tmp_path)
    with pytest.raises(BadFileError, match="no column `Effusion`; the nearest is `Pleural Effusi"):
        CheXpert(tmp_path, finding="Effusion").listing()
    csv.write_text(
        HEADER + "\nCheXpert-v1.0-small/train/patient7/study1/a.jpg,F,1,Frontal,AP,1,1\n"
    )
    with pytest.raises(BadFileError, match="none of its images"):
        CheXpert(tmp_path).listing()
