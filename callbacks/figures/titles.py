"""Titles of figures, and class names that their font can draw."""

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font

from datamodules.spec import DataSpec


def set_title(figure: Figure, text: str, spec: DataSpec) -> None:
    """Set the figure's title: name of the data, marked if it is a stand-in, and the text.

    A figure of one or two columns is too narrow for one line.
    """
    name = f"{spec.title} (stand-in)" if spec.standin else spec.title
    figure.suptitle(f"{name}: {text}", fontsize=10, wrap=True)


def drawn_class_name(spec: DataSpec, label: int) -> str:
    """The name of a class, or "class 3" where the font of figures lacks its characters."""
    name = spec.class_name(label)
    font = get_font(findfont(FontProperties()))
    return name if all(font.get_char_index(ord(sign)) for sign in name) else f"class {label}"
