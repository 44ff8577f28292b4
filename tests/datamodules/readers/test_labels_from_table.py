import numpy as np
import pytest
from PIL import Image

from datamodules.errors import BadFileError, DataError
from datamodules.readers.image_folder import ImageFolder


@pytest.fixture
def root(tmp_path):
    for name in ("x/0.png", "x/1.png", "y/0.png", "y/1.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / name)
    return tmp_path


def listed(root, text):
    (root / "labels.csv").write_text(text)
    return ImageFolder(root, labels="labels.csv").listing()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found(root, separator):
    rows = [["path", "label", "group"], ["x/0.png", "a", "p1"], ["y/0.png", "b", "p2"]]
    listing = listed(root, "\n".join(separator.join(row) for row in rows))
    assert listing.classes == ("a", "b")
    assert listing.groups.tolist() == ["p1", "p2"]


def test_a_comma_at_the_end_of_rows_moves_no_column(root):
    listing = listed(root, "path,label\nx/0.png,a,\ny/0.png,b,\n")
    assert listing.classes == ("a", "b")
    assert listing.files.names == ["x/0.png", "y/0.png"]
    assert listed(root, "path,label\nx/0.png,a,,\ny/0.png,b,,\n").labels.tolist() == [0, 1]
    with pytest.raises(BadFileError, match=r"rows of 3 fields under 2 names"):
        listed(root, "path,label\n1,x/0.png,a\n2,y/0.png,b\n")


def test_two_spellings_of_a_path_are_one_image(root):
    listing = listed(root, "path,label\nx/0.png,a\n./x/0.png,a\nx\\1.png,a\ny/../y//0.png,b\n")
    assert listing.files.names == ["x/0.png", "x/1.png", "y/0.png"]
    assert listing.notes == ("1 repeated row", "1 image below the root is not in labels.csv")
    with pytest.raises(DataError, match=r"row 3: \./x/0\.png is labelled `b`, but `a` in .*row 2"):
        listed(root, "path,label\nx/0.png,a\n./x/0.png,b\n")


def test_not_a_number_is_blank(root):
    text = "path,label,group\nx/0.png,a,nan\nx/1.png,nan,p\ny/0.png,b,p\nNaN,a,p\ny/1.png,NaN,p\n"
    listing = listed(root, text)
    assert listing.classes == ("a", "b")
    assert listing.groups.tolist() == ["x/0.png", "p"]
    assert listing.notes == (
        "3 blank rows",
        "1 row without a group: each such image is its own group",
    )


def test_labels_that_are_equal_as_numbers_are_noted(root):
    listing = listed(root, "path,label\nx/0.png,1.0\nx/1.png,1\ny/0.png,0\ny/1.png,a\n")
    assert listing.notes == (
        "the labels `1` and `1.0` are equal as numbers, but are 2 classes here; spell them alike "
        "to join them",
    )


def test_an_old_excel_file_says_what_to_save(root):
    (root / "labels.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600)
    with pytest.raises(BadFileError, match=r"Excel's old format\. Save it as \.xlsx or \.csv"):
        ImageFolder(root, labels="labels.xls").listing()


def test_paths_below_another_folder_are_one_error_and_not_one_per_image(root):
    with pytest.raises(DataError, match=r"of its 2 paths none is a file below .*as z/0\.png"):
        listed(root, "path,label\nz/0.png,a\nz/1.png,b\n")


def test_a_table_of_windows_keeps_its_classes_apart_and_is_noted(root):
    rows = "path,label\nx/0.png,Kröte\nx/1.png,Kräte\ny/0.png,b\ny/1.png,b\n"
    (root / "labels.csv").write_bytes(rows.encode("cp1252"))
    listing = ImageFolder(root, labels="labels.csv").listing()
    assert listing.classes == ("Kräte", "Kröte", "b")
    assert listing.notes == (
        "labels.csv is not UTF-8: read as cp1252; if letters are wrong, save it as UTF-8",
    )
    (root / "labels.csv").write_bytes(rows.encode())
    assert ImageFolder(root, labels="labels.csv").listing().notes == ()


def test_files_that_do_not_exist_are_a_warning_before_any_image_is_read(root):
    rows = "path,label\nx/0.png,a\nx/1.png,a\ny/0.png,b\ny/8.png,b\ny/9.png,b\n"
    listing = listed(root, rows)
    assert listing.warnings == (
        "of the 5 paths in labels.csv, 2 files are missing (y/8.png, y/9.png)",
    )
    assert listing.notes == ("1 image below the root is not in labels.csv",)


def test_paths_of_a_deeper_folder_say_which_root_has_them(root):
    (root / "set").mkdir()
    (root / "x").rename(root / "set" / "x")
    with pytest.raises(DataError, match=r"data\.root; set data\.root=\S+/set data\.reader\.la"):
        listed(root, "path,label\nx/0.png,a\nx/1.png,b\n")
    with pytest.raises(DataError, match=r"below it there is `set/x/0\.png`: write paths so"):
        listed(root, "path,label\nx/0,a\nx/1,b\n")


@pytest.mark.parametrize("ending", ["", ".png"])
def test_names_without_their_folder_are_found_in_all_folders(root, ending):
    for k in (0, 1):  # as two parts of one published set
        (root / "y" / f"{k}.png").rename(root / "y" / f"{k + 2}.png")
    rows = "".join(f"{k}{ending},{k % 2}\n" for k in range(5))
    listing = listed(root, "path,label\n" + rows)
    assert listing.files.names == ["x/0.png", "x/1.png", "y/2.png", "y/3.png", f"4{ending}"]
    assert listing.labels.tolist() == [0, 1, 0, 1, 0]
    assert listing.notes == ("images are named without their folder: found in x, y",)
    assert listing.warnings == (f"of the 5 paths in labels.csv, 1 file is missing (4{ending})",)
    text = (root / "labels.csv").read_text().replace("path,label", "image_id,dx")
    with pytest.raises(BadFileError, match=r"path_column=image_id data\.reader\.label_column=dx\."):
        listed(root, text)


def test_names_that_several_folders_have_are_not_taken_from_one(root):
    alike = r"`x/0\.png` and `y/0\.png` have this name: write paths so, or set data\.root=\S+/x "
    with pytest.raises(DataError, match=alike):
        listed(root, "path,label\n0.png,a\n1.png,b\n")
    with pytest.raises(DataError, match=alike):
        listed(root, "path,label\n0,a\n1,b\n")


def test_images_moved_out_of_the_root_stay_out(root):
    (root / "x" / "0.png").rename(root / "0.png")
    listing = listed(root, "path,label\n0.png,a\n1.png,b\n")  # 1.png is in x and in y
    assert listing.warnings == ("of the 2 paths in labels.csv, 1 file is missing (1.png)",)
    (root / "y" / "1.png").unlink()
    listing = listed(root, "path,label\n0.png,a\n1.png,b\n")  # only one folder has it
    assert listing.warnings == ("of the 2 paths in labels.csv, 1 file is missing (1.png)",)


def test_a_column_of_reports_is_no_path(root):
    text = "name,report,dx\n" + "".join(f"{k},{f'word{k} ' * 80},{k}\n" for k in range(3))
    with pytest.raises(BadFileError, match=r"has no column `path`"):
        listed(root, text)
    with pytest.raises(DataError, match=r"of its 3 paths none is a file"):
        ImageFolder(root, "labels.csv", path_column="report", label_column="name").listing()


def test_columns_are_suggested_by_their_content(root):
    rows = "Age,PatientID,Filename,Diagnosis\n5,p,x/0.png,a\n6,q,y/0.png,a\n7,q,y/1.png,b\n"
    with pytest.raises(BadFileError) as caught:
        listed(root, rows)
    assert str(caught.value).endswith(
        "has no column `path` and no column `label` (it has Age, PatientID, Filename, Diagnosis). "
        "By their content: data.reader.path_column=Filename data.reader.label_column=Diagnosis "
        "data.reader.group_column=PatientID."
    )


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        ("dx,dx_type,sex", "dx"),
        ("Patient Gender,Finding Labels,Follow-up #", "Finding Labels"),
        ("x,width,Target", "Target"),
        ("x_min,class_id,class_name", "class_name"),
        ("age_approx,sex,MEL", "MEL"),
    ],
)
def test_labels_are_suggested_by_their_name(root, columns, label):
    rows = "".join(f"x/{k % 2}.png,{k % 4},{k % 4},{k % 4}\n" for k in range(8))
    if label == "MEL":
        rows = rows.replace(",3\n", ",2\n")
    with pytest.raises(BadFileError, match=rf"label_column='?{label}\b"):
        listed(root, f"image,{columns}\n{rows}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "image,grade,,,\nx/0.png,1,,,\nx/1.png,1,,,\ny/0.png,2,,,\n",
            r"\(it has image, grade\)\. .*label_column=grade\.$",  # without columns of no name
        ),
        ("1 1\n2 1\n", r"Separate its columns by commas, semicolons or tabs"),
    ],
)
def test_the_error_on_other_columns_says_what_to_write(root, text, message):
    with pytest.raises(BadFileError, match=message):
        listed(root, text)


@pytest.mark.parametrize("prefix", ["", "set/"])
def test_a_row_that_names_a_folder_labels_the_images_in_it(root, prefix):
    (root / "set").mkdir()
    for name in "xy":
        (root / name).rename(root / "set" / name)
    listing = listed(root, f"path,label\n{prefix}x,b\n{prefix}y,a\n")
    assert listing.files.names == [
        f"set/{name}" for name in ("x/0.png", "x/1.png", "y/0.png", "y/1.png")
    ]
    assert listing.labels.tolist() == [1, 1, 0, 0]
    assert listing.groups.tolist() == [f"{prefix}x"] * 2 + [f"{prefix}y"] * 2
    assert listing.notes == (
        "2 rows name folders: the images in a folder have its label and are one group",
    )
    by_name = ImageFolder(root, labels="labels.csv", group_pattern=r"([01])\.png").listing()
    assert by_name.groups.tolist() == ["0", "1"] * 2
    with pytest.raises(DataError, match=r"row 3: set/x/1 is labelled `a`, but `b` in .*row 2"):
        listed(root, "path,label\nset/x,b\nset/x/1,a\n")


def test_one_column_for_two_parts_is_an_error(root):
    rows = "path,label,who\nx/0.png,a,p\ny/0.png,b,q\n"
    (root / "labels.csv").write_text(rows)
    for name in ("path", "label"):
        with pytest.raises(DataError, match=rf"group_column={name}: .* also that of the {name}s"):
            ImageFolder(root, "labels.csv", group_column=name).listing()
    with pytest.raises(DataError, match=r"label_column=path: .* the paths; name another column\."):
        ImageFolder(root, "labels.csv", label_column="path").listing()


def test_files_that_are_left_out_are_no_second_choice(root):
    text = "path,label\n0,a\n1,b\n"
    (root / "labels.csv").write_text(text)
    listing = ImageFolder(root, "labels.csv", leave_out="^y/").listing()
    assert listing.files.names == ["x/0.png", "x/1.png"]
    assert listing.notes == (
        "2 files left out by data.reader.leave_out",
        "images are named without their folder: found in x",
    )
    with pytest.raises(DataError, match=r"data\.root=\S+/x or data\.root=\S+/y, whichever"):
        listed(root, text)


def test_rows_of_files_that_are_left_out_are_no_images(root):
    text = "path,label\nx/0.png,a\nx/1.png,b\ny/0.png,a\n"
    (root / "labels.csv").write_text(text)
    listing = ImageFolder(root, "labels.csv", leave_out="^y/").listing()
    assert listing.files.names == ["x/0.png", "x/1.png"]
    assert listing.notes == ("1 left-out row", "2 files left out by data.reader.leave_out")
    with pytest.raises(DataError, match=r"leave_out=_mask: matches no file below "):
        ImageFolder(root, "labels.csv", leave_out="_mask").listing()


def test_labels_that_differ_only_in_case_or_blanks_are_noted(root):
    listing = listed(
        root, "path,label\nx/0.png,No Finding\nx/1.png,no  finding\ny/0.png,b\ny/1.png,b\n"
    )
    assert listing.notes == (
        "the labels `No Finding` and `no  finding` differ only in case or blanks, but are 2 "
        "classes here; spell them alike to join them",
    )


def test_names_without_an_ending_are_the_images(root):
    listing = listed(root, "path,label\nx/0,a\nx/1.png,a\ny/0,b\ny/0.png,b\n")
    assert listing.files.names == ["x/0.png", "x/1.png", "y/0.png"]
    assert listing.notes == ("1 repeated row", "1 image below the root is not in labels.csv")
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / "x/0.bmp")  # now two files fit
    with pytest.raises(DataError, match=r"is a file below .*, such as x/0; .*there is `x/0\.bmp`"):
        listed(root, "path,label\nx/0,a\nz/0,b\n")


def test_a_path_that_is_nearly_a_file_names_the_file(root):
    with pytest.raises(DataError, match=r"below it there is `x/1\.png`: write paths so"):
        listed(root, "path,label\ndata/set/1.PNG,a\nelse/0.png,b\n")


def test_a_table_without_names_of_columns_loses_no_image(root):
    with pytest.raises(BadFileError, match=r"no names of columns in its first row \(x/0\.png, a\)"):
        listed(root, "x/0.png,a\nx/1.png,a\ny/0.png,b\n")


def test_a_table_that_is_not_there_says_which_are(root):
    (root / "labels.csv").write_text("path,label\n")
    with pytest.raises(BadFileError, match=r"label\.csv: does not exist\. .* \(labels\.csv\)"):
        ImageFolder(root, labels="label.csv").listing()


def test_a_column_of_patients_that_is_not_used_is_noted(root):
    rows = "x/0.png,a,p1\nx/1.png,a,p1\ny/0.png,b,p2\ny/1.png,b,p3\n"
    (note,) = listed(root, f"path,label,patient_id\n{rows}").notes
    assert "data.reader.group_column=patient_id keeps images of the same value" in note
    (note,) = listed(root, f"path,label,patient no\n{rows}").notes
    assert "\"data.reader.group_column='patient no'\" keeps" in note
    assert listed(root, f"path,label,group\n{rows}").notes == ()
    assert listed(root, f"path,label,weight\n{rows}").notes == ()
    for name in ("age_group", "Patient Sex", "lesion_type", "study date"):
        assert listed(root, f"path,label,{name}\n{rows}").notes == ()
    assert listed(root, f"path,label,case\n{rows.replace('p3', 'p2')}").notes == ()  # a mark
    twice = rows.replace(",p", ",0,p")  # pandas tells the names apart by their blank
    (note,) = listed(root, f"path,label,patient, patient\n{twice}").notes
    assert "data.reader.group_column=patient" in note


def test_a_column_of_parts_is_the_official_split(root):
    text = "path,label,Split\nx/0.png,a,train\nx/1.png,a,Test\ny/0.png,b,\ny/1.png,b,Test\n"
    listing = listed(root, text)
    assert listing.official_test.tolist() == [False, True, False, True]
    assert listing.notes == (
        "the column `split` has the parts Test, train: all images are one set, which is split "
        "anew, unless data.split=official, which tests on Test",
    )
    blank = listed(root, text.replace("a,Test", ",Test").replace("b,Test", ",Test"))
    assert blank.notes == ("2 blank rows",)  # no test image has a label
    folds = listed(root, text.replace("Test", "1").replace("train", "0"))  # no parts
    assert (folds.official_test, folds.notes) == (None, ())


def test_measurements_are_no_classes(root):
    for k in range(40):
        Image.fromarray(np.zeros((4, 4), np.uint8)).save(root / f"{k}.png")

    def table(values):
        return "path,label\n" + "".join(f"{k}.png,{value}\n" for k, value in enumerate(values))

    with pytest.raises(BadFileError, match=r"`label` has 40 different numbers for 40 images"):
        listed(root, table(50 + k / 7 for k in range(40)))
    assert len(listed(root, table(k % 5 / 2 for k in range(40))).classes) == 5  # grades
    assert len(listed(root, table(k // 2 for k in range(40))).classes) == 20  # persons


def test_missing_values_of_other_programs_are_noted(root):
    listing = listed(root, "path,label\nx/0.png,0\nx/1.png,NA\ny/0.png,1\ny/1.png,n/a\n")
    assert set(listing.classes) == {"0", "1", "NA", "n/a"}
    assert sum("if it means that the label is missing" in note for note in listing.notes) == 2


def test_labels_of_several_findings_are_noted(root):
    listing = listed(root, "path,label\nx/0.png,Mass\nx/1.png,Mass|Nodule\ny/0.png,Hernia|Mass\n")
    assert len(listing.classes) == 3
    assert any("2 labels with `|` (first: `Hernia|Mass`)" in note for note in listing.notes)
