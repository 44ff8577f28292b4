"""Folders of patients beside a table of their labels."""

import numpy as np
import pytest
from PIL import Image

from datamodules.readers.image_folder import ImageFolder


@pytest.fixture
def patients(tmp_path):
    """Five patients with two images each."""
    for number in range(5):
        folder = tmp_path / f"P{number}"
        folder.mkdir()
        for k in range(2):
            Image.fromarray(np.full((4, 4), 20 * number + k, np.uint8)).save(folder / f"{k}.png")
    return tmp_path


def test_a_table_of_the_folders_is_named_with_settings_that_read_it(patients):
    rows = "".join(f"P{k};{'ad' if k % 2 else 'healthy'};{60 + k}\n" for k in range(5))
    (patients / "clinical.csv").write_text("PatientID;Diagnosis;Age\n" + rows)
    listing = ImageFolder(patients).listing()
    assert listing.warnings == (
        "the 5 class folders are rows of clinical.csv, which has 2 labels in `Diagnosis`; if the "
        "folders are patients or the like: data.reader.labels=clinical.csv "
        "data.reader.path_column=PatientID data.reader.label_column=Diagnosis",
    )
    listing = ImageFolder(
        patients, "clinical.csv", path_column="PatientID", label_column="Diagnosis"
    ).listing()
    assert (listing.classes, len(listing), len(set(listing.groups))) == (("ad", "healthy"), 10, 5)


@pytest.mark.parametrize(
    "text",
    [
        "name,text\n" + "".join(f"P{k},class {k}\n" for k in range(5)),  # describes classes
        "PatientID,Diagnosis\nP0,a\nP1,b\n",  # of other images
        "only a text\n",
        "",
    ],
)
def test_other_tables_are_no_reason_to_warn(patients, text):
    (patients / "notes.csv").write_text(text)
    assert ImageFolder(patients).listing().warnings == ()
