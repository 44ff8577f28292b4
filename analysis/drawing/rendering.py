"""A figure as files: PNG for the screen; on request SVG for the web and PDF for a paper."""

import io
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from analysis.drawing.style import style

DPI = 150
FORMS = ("png",)
ALL_FORMS = ("png", "svg", "pdf")  # SVG takes as long as PNG; PDF, with its fonts, as both
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def pictures(figure: Figure, name: str, forms: tuple[str, ...] = FORMS) -> dict[str, bytes]:
    """The content of each file; equal figures give equal bytes.

    The figure is laid out once, then fixed. The canvases are called directly: `savefig` would draw
    the figure once more per form. `name` salts the ids of the SVG.
    """
    files = {}
    with style(name):
        figure.set_dpi(DPI)  # before the layout: matplotlib caches the sizes of texts by dpi
        canvas = FigureCanvasAgg(figure)  # before it too: sizes are cached by canvas
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")
        for form in forms:
            buffer = io.BytesIO()
            if form == "png":
                _write_png(canvas, buffer)
            else:
                other = _canvas(form)(figure)
                getattr(other, f"print_{form}")(buffer, metadata=UNDATED[form])
            files[form] = buffer.getvalue()
    return files


def _write_png(canvas: Any, buffer: io.BytesIO) -> None:
    """Without transparency, which no figure has: smaller files in less time."""
    canvas.draw()
    colours = np.asarray(canvas.buffer_rgba())[..., :3]
    # level 6, the usual one, takes a third longer for files smaller by 5 to 15 %
    Image.fromarray(colours).save(buffer, "png", compress_level=1, dpi=(DPI, DPI))


def _canvas(form: str) -> Any:
    if form == "pdf":
        from matplotlib.backends.backend_pdf import FigureCanvasPdf  # reads fonts: 0.1 s

        return FigureCanvasPdf
    return FigureCanvasSVG
