"""One's own images: a folder per class, or a folder and a csv of path, label and group."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from datamodules.errors import BadFileError, DataError, DataNotFoundError
from datamodules.files import Files
from datamodules.formats.dicom import decode
from datamodules.formats.gray_levels import GrayRule
from datamodules.formats.locate import folders
from datamodules.formats.nifti import VolumeMemory, volume_shape
from datamodules.formats.picture import picture_values
from datamodules.formats.tables import read_table
from datamodules.reader import Listing
from records.counted import counted

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp")
DICOM = (".dcm", ".dicom", ".ima")
NIFTI = (".nii", ".nii.gz")
IMAGES = (*PICTURES, *DICOM, *NIFTI)
LONGEST_LINE = 10_000  # characters of a csv's column names
GROUP = "group"  # the default column of groups that stay together
TREE = """
<root>/cat/1.png, <root>/cat/2.JPG, <root>/dog/1.png ...
or <root>/labels.csv with the columns path,label[,group]; then data.reader.labels=labels.csv
"""


@dataclass(frozen=True)
class _Item:
    path: Path
    label: str
    group: str | None
    where: str  # its name in messages: the file, or the row that names it
    slice: int | None = None  # of a NIfTI volume

    @property
    def name(self) -> str:
        """The file and slice, also where `where` is a row of a table."""
        path = str(self.path)
        piece = "" if self.slice is None else f", slice {self.slice}"
        return self.where if path in self.where else path + piece


@dataclass
class ImageFolder:
    r"""PNG, JPEG, TIFF, BMP, WebP, DICOM (first frame) and NIfTI (every axial slice).

    Bytes are not rescaled. Deeper pixels of any format (16 bit, floats, CT in Hounsfield units)
    need `scale` or `window`, which then apply to every file, bytes included: a network could detect
    a rule that differs between files, and so learn where an image came from. Slope and intercept
    are applied, MONOCHROME1 is inverted.
    """

    root: Path  # has one folder per class (images may be deeper), or the files that `labels` names
    # a csv (or xlsx) in `root`, or elsewhere; None takes the folder names as labels
    labels: str | None = None
    path_column: str = "path"  # names each file, relative to `root` or absolute
    label_column: str = "label"  # its class; rows where it is blank are left out and counted
    # patient, lesion ... kept apart in splits; None takes the column `group`, if the file has one
    group_column: str | None = None
    # regular expression for a file's path below `root`; what matches its first parentheses is the
    # group: `(patient\d+)`
    group_pattern: str | None = None
    # how pixels become 0..255: `type`, `max`, `minmax` or `percentile`, of each image or volume;
    # `ask` accepts bytes only
    scale: Literal["ask", "type", "max", "minmax", "percentile"] = "ask"
    # [centre, width] of the values that become 0..255, instead of `scale`
    window: list[float] | None = None

    def __post_init__(self) -> None:
        self.rule = GrayRule(self.scale, self.window)
        self.volumes = VolumeMemory(to_gray=self.rule.levels)
        self.items: list[_Item] = []

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
        items, notes = self._from_table() if self.labels else self._from_folders()
        self.items = [part for item in items for part in _slices(item)]
        classes = sorted({item.label for item in self.items}, key=_numeric)
        if len(classes) < 2:
            images = counted(len(self.items), "image")
            raise DataError(
                f"{self.root}: {images} of {counted(len(classes), 'class', 'classes')} "
                f"({', '.join(classes) or 'none'}); two or more are needed:\n{TREE.strip()}\n"
                f"Names end with {' '.join(IMAGES)}\n" + "\n".join(notes)
            )
        number = {label: k for k, label in enumerate(classes)}
        grouped = any(item.group or item.slice is not None for item in self.items)
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
        )

    def read(self, i: int) -> np.ndarray:
        """Image `i`, grey or colour, by the rule of the folder."""
        item = self.items[i]
        name = item.path.name.lower()
        if not item.path.is_file():
            raise BadFileError(item.where, f"{item.path} does not exist, or is not a regular file.")
        if item.slice is not None:
            return self.volumes.gray_slice(item.path, item.slice)
        if name.endswith(DICOM):
            return decode(item.path).levels(self.rule, item.path)
        return self.rule.levels(picture_values(item.path), item.path)

    def _groups(self, files: Files) -> list[str]:
        """Groups; an image without one is its own group, as are all slices of a volume."""
        file = files.of_images(np.arange(len(self.items))).tolist()
        return [item.group or files.name(k) for item, k in zip(self.items, file, strict=True)]

    def _from_folders(self) -> tuple[list[_Item], tuple[str, ...]]:
        if self.group_column is not None:
            raise DataError(
                f"data.reader.group_column={self.group_column}: a column of the label file, and "
                "none is given; set data.reader.labels=<file>, or use data.reader.group_pattern."
            )
        items, left_out = [], Counter[str]()
        for folder, _, names in folders(self.root):
            below = folder.relative_to(self.root)
            for name in names:
                if not below.parts or not name.lower().endswith(IMAGES):
                    left_out["outside class folders" if not below.parts else "of other types"] += 1
                    continue
                path = folder / name
                items.append(_Item(path, below.parts[0], self._group(below / name), str(path)))
        counts = [f"{counted(count, 'file')} {what} left out" for what, count in left_out.items()]
        return items, (*counts, *self._empty_classes(items), *self._unused_tables())

    def _empty_classes(self, items: list[_Item]) -> list[str]:
        """A note on class folders without images, which may be a copy that failed."""
        classes = {item.label for item in items}
        names = [path.name for path in sorted(self.root.iterdir()) if path.is_dir()]
        empty = [name for name in names if name not in classes and not name.startswith(".")]
        return [f"no images in {', '.join(empty)}: not a class of this task"] if empty else []

    def _unused_tables(self) -> list[str]:
        """Notes on csv files in the root that have the columns of a table of labels."""
        wanted = {self.path_column, self.label_column}
        return [
            f"{file.name} looks like a table of labels: data.reader.labels={file.name} uses it"
            for file in sorted(self.root.glob("*.csv"))
            if wanted <= _columns(file)
        ]

    def _from_table(self) -> tuple[list[_Item], tuple[str, ...]]:
        file = self.root / Path(str(self.labels)).expanduser()
        named = [] if self.group_column is None else [self.group_column]
        table = read_table(
            file,
            (self.path_column, self.label_column, *named),
            optional=() if named else (GROUP,),
            way_out="Name them: data.reader.path_column=... data.reader.label_column=... "
            "data.reader.group_column=...",
        )
        items: dict[str, _Item] = {}
        blank = repeated = 0
        columns = (self.path_column, self.label_column, *(named or [GROUP]))
        rows = zip(*(table[column] for column in columns), strict=True)
        for row, (name, label, group) in enumerate(rows, start=2):  # row 1 has the column names
            where = f"{file}, row {row}"
            if not name or not label:
                blank += 1
            elif name not in items:
                group = group or self._group(Path(name))
                items[name] = _Item(self.root / name, label, group or None, where)
            elif items[name].label == label:
                repeated += 1
            else:
                first = items[name]
                raise DataError(
                    f"{where}: {name} is labelled `{label}`, but `{first.label}` in {first.where}; "
                    "remove one of the two rows."
                )
        odd = {"blank": blank, "repeated": repeated}
        notes = [counted(number, f"{kind} row") for kind, number in odd.items() if number]
        return list(items.values()), tuple(notes)

    def _group(self, path: Path) -> str | None:
        if self.group_pattern is None:
            return None
        found = re.search(self.group_pattern, path.as_posix())
        if not found or not found.groups():
            raise DataError(
                f"data.reader.group_pattern={self.group_pattern}: its first parentheses match "
                f"nothing in `{path.as_posix()}`."
            )
        return found.group(1)


def _slices(item: _Item) -> list[_Item]:
    """A volume becomes its slices, which form a group; anything else stays one image."""
    if not item.path.name.lower().endswith(NIFTI) or not item.path.is_file():
        return [item]
    try:
        depth = volume_shape(item.path)[2]
    except BadFileError:
        depth = 1  # reading it will report or skip it
    where = [f"{item.where}, slice {k}" for k in range(depth)]
    return [_Item(item.path, item.label, item.group, where[k], k) for k in range(depth)]


def _columns(table: Path) -> set[str]:
    """Names in the first line of a csv; none where it cannot be read."""
    try:
        with table.open(encoding="utf-8-sig", errors="replace") as lines:
            first = lines.readline(LONGEST_LINE)
    except OSError:
        return set()
    return {name.strip().strip('"') for name in re.split("[,;\t]", first)}


def _numeric(label: str) -> tuple[int, str]:
    return (int(label), label) if label.isdigit() else (0, label)
