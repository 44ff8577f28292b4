"""BraTS: brain MRI volumes with a segmented glioma; is there tumour in the axial slice?"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from scipy import ndimage

from datamodules.files import Files
from datamodules.formats.locate import folders
from datamodules.formats.nifti import VolumeMemory, load_volume
from datamodules.formats.table_cache import cached_table
from datamodules.identity import stamp
from datamodules.progress import progress
from datamodules.reader import Listing
from datamodules.readers.origin import Origin
from datamodules.readers.slice_rules import apart, followed

ORIGIN = Origin(
    "brats",
    "register at https://www.synapse.org (BraTS challenges 2018 and later), free for research; "
    "take the training data, which has the segmentations.",
    """
MICCAI_BraTS_2018_Data_Training/
    HGG/Brats18_2013_2_1/Brats18_2013_2_1_flair.nii.gz   (and _seg, _t1, _t1ce, _t2)
    LGG/...
or  BraTS2021_00000/BraTS2021_00000_flair.nii.gz         (2019 to 2021)
or  BraTS-GLI-00000-000/BraTS-GLI-00000-000-t2f.nii.gz   (2023 and later)
""",
)
SINCE_2023 = {"flair": "t2f", "t1": "t1n", "t1ce": "t1c", "t2": "t2w"}


@dataclass
class BraTS:
    """Axial slices of one MR sequence, labelled by the segmentation.

    Intensities run from the volume's 0.1 to its 99.9 percentile. Slices with little brain are left
    out: the smallest that the published extraction kept has 7,000 of 240 x 240 pixels.
    """

    root: Path  # folder of any release, at any nesting
    # `flair` (the paper's), `t1`, `t1ce` or `t2`, in any release's spelling
    sequence: Literal["flair", "t1", "t1ce", "t2"] = "flair"
    # `symmetric`: negatives are at least `gap` slices from a tumour slice; `asymmetric`: the
    # published code's, a slice is used if the next nine have its label
    gap_rule: Literal["symmetric", "asymmetric"] = "symmetric"
    gap: int = 5  # smallest distance, in slices
    brain_area: float = 7000 / 240**2  # smallest part of the slice that is brain
    one_component: bool = True  # leave out slices whose brain falls into pieces
    # of other file names, such as `_flair_n4.nii.gz`; None for those of the releases
    image_ending: str | None = None
    mask_ending: str | None = None  # the same for the segmentation
    # folder where the labels of slices are stored, so that they are computed once
    index: str | None = None
    megabytes: int = 500  # of volumes held in memory while decoding

    def __post_init__(self) -> None:
        names = f"{self.sequence}|{SINCE_2023[self.sequence]}"
        self.image_name = _ending(self.image_ending, rf"[-_]({names})\.nii(\.gz)?")
        self.mask_name = _ending(self.mask_ending, r"[-_]seg\.nii(\.gz)?")
        self.memory = VolumeMemory(self.megabytes)

    def listing(self) -> Listing:
        """Slices that pass the rules, grouped by patient."""
        pairs, unpaired = self._volumes()
        stamps = [stamp(file) for pair in pairs for file in pair]
        slices = cached_table(self.index, "brats", stamps, lambda: _measure(pairs)).astype(float)
        kept = [
            self._keep(of_volume, pairs[int(v)][0])
            for v, of_volume in slices.groupby("volume", sort=True)
        ]
        table = pd.concat(kept)
        self.items = [(Path(f), k) for f, k in zip(table["file"], table["slice"], strict=True)]
        return Listing(
            labels=table["label"].to_numpy(np.int64),
            classes=("no tumour", "tumour"),
            names=tuple(f"{file}, slice {k}" for file, k in self.items),
            groups=table["patient"].to_numpy(str),
            files=Files.of(self.root, table["file"], table["slice"].tolist()),
            notes=(
                f"{len(pairs)} volumes; {len(slices) - len(table)} of {len(slices)} slices left "
                f"out by the gap rule `{self.gap_rule}` or for too little brain",
                f"{unpaired} volumes without a segmentation left out",
            ),
        )

    def read(self, i: int) -> np.ndarray:
        """Slice `i`, (H, W) uint8."""
        return self.memory.gray_slice(*self.items[i])

    def _volumes(self) -> tuple[list[tuple[Path, Path]], int]:
        images: dict[str, Path] = {}
        masks: dict[str, Path] = {}
        for folder, _, files in folders(self.root):  # image and mask may be in different folders
            for name in files:
                for kind, found in ((self.image_name, images), (self.mask_name, masks)):
                    if kind.search(name):
                        found.setdefault(kind.sub("", name), folder / name)
        pairs = [(images[case], masks[case]) for case in images if case in masks]
        if not pairs:
            wanted = "volumes with their segmentation (`*_flair.nii.gz` and `*_seg.nii.gz`)"
            raise ORIGIN.missing(self.root, wanted)
        return pairs, len(images) - len(pairs)

    def _keep(self, slices: pd.DataFrame, image: Path) -> pd.DataFrame:
        slices = slices.sort_values("slice")
        positive = slices["tumour"].to_numpy() > 0
        rule = apart(positive, self.gap) if self.gap_rule == "symmetric" else followed(positive)
        keep = rule & (slices["brain"].to_numpy() >= self.brain_area)
        if self.one_component:
            keep &= slices["components"].to_numpy() == 1
        case = self.image_name.sub("", image.name)
        return pd.DataFrame(
            {
                "file": str(image),
                "slice": slices["slice"].to_numpy(int)[keep],
                "label": positive[keep].astype(int),
                # since 2023 a patient may be scanned again: BraTS-GLI-00000-000, -001
                "patient": re.sub(r"^(BraTS-\w+-\d+)-\d+$", r"\1", case),
            }
        )


def _ending(own: str | None, released: str) -> re.Pattern[str]:
    return re.compile((re.escape(own) if own else released) + "$", re.IGNORECASE)


def _measure(pairs: list[tuple[Path, Path]]) -> pd.DataFrame:
    """Per slice: tumour pixels, part of the slice that is brain, connected pieces of brain."""
    rows = []
    with progress("labels of slices", len(pairs)) as advance:
        for v, (image, mask) in enumerate(pairs):
            tumour = (load_volume(mask) > 0).sum(axis=(0, 1))
            brain = load_volume(image) > 0  # skulls are stripped: outside is 0
            for k in range(brain.shape[2]):
                area = float(brain[:, :, k].mean())
                pieces = ndimage.label(brain[:, :, k])[1] if area else 0
                rows.append((v, k, int(tumour[k]), area, pieces))
            advance(1)
    return pd.DataFrame(rows, columns=["volume", "slice", "tumour", "brain", "components"])
