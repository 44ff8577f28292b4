import numpy as np
import pandas as pd
import pytest

from datamodules.errors import BadFileError, DataNotFoundError
from datamodules.readers.prostate_mri import SCORE, ProstateMRI
from datamodules.standins.dicom import write_dicom


def tree(root, rows, slices=8, folder=lambda uid: uid):
    """`rows` of (patient, score, MR series, US series); a slice shows its number."""
    columns = ["Patient ID", SCORE, "seriesInstanceUID_MR", "seriesInstanceUID_US"]
    root.mkdir(exist_ok=True)
    pd.DataFrame(rows, columns=columns).to_excel(root / "Target Data_2019-12-05.xlsx", index=False)
    frames = [np.array([[k + 1, 100]], np.uint8) for k in range(slices)]
    for patient, _, mr, us in rows:
        base = root / "manifest-1" / "Prostate-MRI-US-Biopsy" / patient / "study"
        if us:
            write_dicom(base / folder(us) / "1-1.dcm", np.stack(frames), SeriesInstanceUID=us)
        for k, frame in enumerate(frames, start=1):
            # names count backwards: the slice order is in the header
            path = base / folder(mr) / f"1-{slices - k + 1:02d}.dcm"
            write_dicom(path, frame, SeriesInstanceUID=mr, InstanceNumber=k)
    return root


ROWS = [
    ("P1", 1.0, "1.2.3.4.5.1", "1.2.3.4.5.91"),
    ("P1", 4.0, "1.2.3.4.5.1", "1.2.3.4.5.91"),
    ("P1", 0.0, "1.2.3.4.5.2", "1.2.3.4.5.92"),
    ("P2", 1.0, "1.2.3.4.5.3", "1.2.3.4.5.93"),
    ("P2", None, "1.2.3.4.5.3", "1.2.3.4.5.93"),
    ("P3", None, "1.2.3.4.5.4", "1.2.3.4.5.94"),
]


@pytest.mark.parametrize("modality", ["mr", "us"])
def test_middle_half_of_each_volume_by_instance_number(tmp_path, modality):
    reader = ProstateMRI(tree(tmp_path, ROWS), modality=modality)
    listing = reader.listing()
    assert len(listing) == 3 * 4
    seen = [round(reader.read(i)[0, 0] / 2.55) for i in range(4)]
    assert seen == [3, 4, 5, 6]  # slices [n/4, 3n/4) of eight


def test_volume_label_is_its_highest_score_and_blank_scores_are_dropped(tmp_path):
    listing = ProstateMRI(tree(tmp_path, ROWS)).listing()
    label = dict(zip(listing.groups.tolist(), listing.labels.tolist(), strict=True))
    assert label["P2"] == 0
    assert "P3" not in label
    assert listing.labels.sum() == 4  # the first volume of P1 only
    assert "2 targets without a score left out" in listing.notes


def test_patient_label_covers_all_their_volumes(tmp_path):
    listing = ProstateMRI(tree(tmp_path, ROWS), score="patient").listing()
    assert listing.labels[listing.groups == "P1"].tolist() == [1] * 8


def test_identical_images_never_carry_opposite_labels_unless_asked(tmp_path):
    root = tree(tmp_path, ROWS)

    def conflicts(score):
        reader = ProstateMRI(root, score=score)
        labels = reader.listing().labels
        frames = {}
        for frame, label in zip(reader.frames, labels.tolist(), strict=True):
            frames.setdefault(frame, set()).add(label)
        return sum(len(seen) > 1 for seen in frames.values())

    assert conflicts("volume") == 0
    assert conflicts("patient") == 0
    assert conflicts("target") == 4  # the published code's: one volume, scores 1 and 4


def test_descriptive_folders_are_known_by_their_headers(tmp_path):
    root = tree(tmp_path, ROWS, folder=lambda uid: f"3.000000-t2spc-{uid[-2:]}")
    assert len(ProstateMRI(root).listing()) == 12


def test_volumes_that_are_not_on_disk_are_counted(tmp_path):
    root = tree(tmp_path, ROWS)
    rows = [*ROWS, ("P9", 3.0, "1.2.3.4.5.77", "")]
    columns = ["Patient ID", SCORE, "seriesInstanceUID_MR", "seriesInstanceUID_US"]
    table = pd.DataFrame(rows, columns=columns)
    table.to_excel(root / "Target Data_2019-12-05.xlsx", index=False)
    assert "1 volumes of the table are not on disk" in ProstateMRI(root).listing().notes
    notes = ProstateMRI(root, modality="us").listing().notes
    assert "1 targets without a US series" in notes


def test_missing_things_are_named(tmp_path):
    with pytest.raises(DataNotFoundError, match="Prostate-MRI-US-Biopsy"):
        ProstateMRI(tmp_path).listing()
    (tmp_path / "Prostate-MRI-US-Biopsy").mkdir()
    with pytest.raises(DataNotFoundError, match="Target Data_2019-12-05"):
        ProstateMRI(tmp_path).listing()
    pd.DataFrame({"Patient ID": [], "UCLA Score": [], "seriesInstanceUID_MR": []}).to_excel(
        tmp_path / "Target Data_2019-12-05.xlsx", index=False
    )
    with pytest.raises(BadFileError, match="nearest is `UCLA Score`"):
        ProstateMRI(tmp_path).listing()
