"""One error for all images of more than 8 bits for which no rule was chosen."""

from collections.abc import Sequence

from datamodules.errors import DataError, DeepPixelsError
from records.counted import counted

ENOUGH = 100  # such images that are looked for: of a set of 16-bit files all are


def deep_pixels(found: Sequence[DeepPixelsError], plain: int, unreadable: int) -> DataError:
    """The kinds of pixels with counts, and the rule that changes none of the `plain` 8-bit images.

    Without such images the first error says all.
    """
    if not plain:
        return found[0]
    kinds: dict[str, list[DeepPixelsError]] = {}
    for error in found:
        kinds.setdefault(error.kind, []).append(error)
    lines = [
        f"    {counted(len(own), 'image')} of {kind}, from {min(one.low for one in own):g} to "
        f"{max(one.high for one in own):g}; the first is {own[0].name}"
        for kind, own in kinds.items()
    ]
    if unreadable:
        lines.append(f"    {counted(unreadable, 'file')} that cannot be read")
    if all(error.takes_type for error in found):
        advice = (
            f"data.reader.scale=type leaves the {plain:,} of 8 bits as they are; max, minmax, "
            "percentile and data.reader.window change them too."
        )
    else:
        advice = (
            "Convert these files to 8 bits, or choose a rule, which changes all images: "
            "data.reader.scale=minmax|percentile or data.reader.window=[centre,width]."
        )
    at_least = "At least " if len(found) >= ENOUGH else ""
    first = f"{at_least}{len(found)} of {len(found) + plain + unreadable:,} images read have"
    return DataError("\n".join([f"{first} other than 8-bit pixels, and no rule:", *lines, advice]))
