"""One's own images: a folder per class, or a folder and a csv of path, label and group."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.gray_levels import GrayRule
from datamodules.formats.nifti import VolumeMemory
from datamodules.formats.shown_picture import shown_picture
from datamodules.reader import Listing
from datamodules.readers.dicom_patients import with_patients
from datamodules.readers.folder_item import IMAGES, NIFTI, Item, Labelled
from datamodules.readers.found_images import found_images
from datamodules.readers.label_notes import label_notes
from datamodules.readers.labels_from_folders import labels_from_folders
from datamodules.readers.labels_from_names import labels_from_names
from datamodules.readers.labels_from_table import LabelTable
from datamodules.readers.picture_notes import picture_notes
from datamodules.readers.shared_beginnings import shared_beginnings
from datamodules.readers.too_few_classes import ways_to_classes
from datamodules.readers.volume_slices import nan_voxels, with_slices
from records.counted import counted

TREE = """
<root>/cat/1.png, <root>/cat/2.JPG, <root>/dog/1.png ...
or <root>/train/cat/1.png, <root>/test/cat/2.png ...
or <root>/labels.csv with the columns path,label[,group]; then data.reader.labels=labels.csv
"""
# rules of `Listing.rules`, of sets with such files
DICOM_COLOUR, SIGNED_TYPE = "colour of DICOM", "type: signed integers from their lowest value"
SIGNED = (*NIFTI, ".tif", ".tiff")


@dataclass
class ImageFolder:
    r"""PNG, JPEG, TIFF, BMP, WebP, GIF, DICOM (first frame) and NIfTI (every axial slice).

    Pictures are read as viewers show them: upright, transparent parts white. Volumes are turned to
    one orientation. Bytes are not rescaled. Deeper pixels of any format (16 bit, floats, CT in
    Hounsfield units) need `scale` or `window`, which then apply to every file, bytes included: a
    network could detect a rule that differs between files, and so learn where an image came from.
    Slope and intercept are applied, MONOCHROME1 is inverted.
    """

    version: ClassVar[int] = 3  # of the reading rules: the cache keeps images of each apart

    root: Path  # has one folder per class (images may be deeper), or the files that `labels` names
    # a csv (or xlsx) in `root`, or elsewhere; None takes the folder names as labels
    labels: str | None = None
    path_column: str = "path"  # names each file, relative to `root` or absolute
    # its class; rows where it is blank are left out and counted. Of several columns of 0 and 1 the
    # class is the name of the one with the 1
    label_column: str | list[str] = "label"
    # patient, lesion ... kept apart in splits; None takes the column `group`, if the file has one,
    # or the PatientID of DICOM files
    group_column: str | None = None
    # regular expression for a file's path below `root`; what matches its first parentheses is the
    # group: `(patient\d+)`
    group_pattern: str | None = None
    # regular expression for a file's path below `root`; what matches its first parentheses is the
    # class, instead of a folder's name; files that it does not match are left out
    label_pattern: str | None = None
    # regular expression for paths below `root` of files to leave out, such as masks: `_mask`
    leave_out: str | None = None
    # how pixels become 0..255: `type`, `max`, `minmax` or `percentile`, of each image or volume;
    # `ask` accepts bytes only
    scale: Literal["ask", "type", "max", "minmax", "percentile"] = "ask"
    # [centre, width] of the values that become 0..255, instead of `scale`
    window: list[float] | None = None

    def __post_init__(self) -> None:
        self.rule = GrayRule(self.scale, self.window)
        self.volumes = VolumeMemory(to_gray=self.rule.levels, is_turned=True)
        self.items: list[Item] = []

    @property
    def threadsafe(self) -> bool:
        """Pictures and DICOM files are decoded in parallel; volumes share a cache."""
        return all(item.slice is None for item in self.items)

    def listing(self) -> Listing:
        """Every image with a label, in the order of their paths (or rows)."""
        if not self.root.is_dir():
            how = "put your images there, or set data.root to their folder"
            raise DataNotFoundError(
                "image_folder", self.root, "a folder of images", how, TREE, standin=False
            )
        labelled, notes, warnings = self._labelled()
        labelled, on_patients = with_patients(labelled)
        self.items, on_volumes, rules_of_volumes = with_slices(labelled)
        on_pictures, rules_of_pictures = picture_notes(labelled)
        notes = (*notes, *on_patients, *on_volumes, *on_pictures)
        classes = self._classes((*notes, *warnings))
        grouped = any(item.group or item.slice is not None for item in self.items)
        notes = (*notes, *label_notes(classes))
        if not grouped and not any("data.reader.group_" in note for note in notes):
            notes = (*notes, *shared_beginnings(self.items))
        number = {label: k for k, label in enumerate(classes)}
        files = Files.of(
            self.root,
            (item.path for item in self.items),
            None if self.threadsafe else [item.slice or 0 for item in self.items],
        )
        return Listing(
            labels=np.array([number[item.label] for item in self.items]),
            classes=tuple(classes),
            names=tuple(item.name for item in self.items),
            groups=np.array(self._groups(files)) if grouped else None,
            files=files,
            notes=notes,
            warnings=warnings,
            official_test=self._official_test(),
            rules=(*rules_of_volumes, *rules_of_pictures, *self._rules()),
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, grey or colour, by the rule of the folder."""
        item = self.items[i]
        if not item.path.is_file():
            raise BadFileError(item.where, f"{item.path} does not exist, or is not a regular file.")
        if item.slice is not None:
            return self.volumes.gray_slice(item.path, item.slice)
        if item.is_dicom:
            return decode(item.path, keep_colour=True).levels(self.rule, item.path)
        return self.rule.levels(shown_picture(item.path), item.path)

    def nan_pixels(self) -> tuple[int, int]:
        """Numbers of volumes with NaN and of their NaN voxels."""
        return nan_voxels(self.items)

    def _groups(self, files: Files) -> list[str]:
        """Groups; an image without one is its own group, as are all slices of a volume."""
        file = files.of_images(np.arange(len(self.items))).tolist()
        return [item.group or files.name(k) for item, k in zip(self.items, file, strict=True)]

    def _labelled(self) -> Labelled:
        """Every file with a label, with notes on what was left out."""
        table = LabelTable(
            self.path_column, self.label_column, self.group_column, self.group_pattern
        )
        if self.labels:
            if self.label_pattern is not None:
                raise DataError(
                    f"data.reader.label_pattern={self.label_pattern}: the classes are those of "
                    f"data.reader.labels={self.labels}; use one of the two settings."
                )
            return table.items(self.root, self.labels, self.leave_out)
        if self.group_column is not None:
            raise DataError(
                f"data.reader.group_column={self.group_column}: a column of the label file, and "
                "none is given; set data.reader.labels=<file>, or use data.reader.group_pattern."
            )
        if self.label_pattern is not None:
            return labels_from_names(
                self.root, self.label_pattern, self.group_pattern, self.leave_out
            )
        found = labels_from_folders(self.root, self.group_pattern, self.leave_out)
        return found._replace(notes=(*found.notes, *table.unused(self.root)))

    def _classes(self, notes: tuple[str, ...]) -> list[str]:
        """The names of the classes, two or more, numbers in their order."""
        classes = sorted({item.label for item in self.items}, key=_numeric)
        if len(classes) < 2:
            raise self._too_few(classes, notes)
        return classes

    def _too_few(self, classes: list[str], notes: tuple[str, ...]) -> DataError:
        """The error on fewer than two classes, with where they may be."""
        images = counted(len(self.items), "image")
        number = counted(len(classes), "class", "classes")
        ways = []
        if not self.labels and self.label_pattern is None:
            found = found_images(self.root, self.leave_out)
            ways = ways_to_classes(self.root, found.images or found.images_at_top)
        return DataError(
            f"{self.root}: {images} of {number} ({', '.join(classes) or 'none'}); two or more are "
            + "\n".join(
                [
                    "needed:",
                    *(ways or [TREE.strip()]),
                    f"Names end with {' '.join(IMAGES)}, except of DICOM files",
                    *notes,
                ]
            )
        )

    def _official_test(self) -> np.ndarray | None:
        """The images of the part `test`; None without one, or if there is nothing else."""
        is_test = np.array([item.is_test for item in self.items])
        return is_test if is_test.any() and not is_test.all() else None

    def _rules(self) -> tuple[str, ...]:
        """Rules of some formats that are newer than the first keys of runs."""
        is_type = self.scale == "type" and self.window is None
        found = {
            DICOM_COLOUR: any(item.is_dicom for item in self.items),
            SIGNED_TYPE: is_type and any(item.has_type(SIGNED) for item in self.items),
        }
        return tuple(rule for rule, applies in found.items() if applies)


def _numeric(label: str) -> tuple[int, str]:
    return (int(label), label) if label.isdigit() else (0, label)
