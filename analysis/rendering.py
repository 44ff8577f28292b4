"""A figure as files: PNG for the screen, SVG for the web, PDF for a paper."""

import io
from typing import Any

import numpy as np
from matplotlib.backends import backend_agg
from matplotlib.figure import Figure
from PIL import Image

from analysis.png_and_svg import draw_both
from analysis.style import style

DPI = 150
RENDERER: Any = backend_agg.RendererAgg
FORMS = ("png", "svg")
WITH_PDF = (*FORMS, "pdf")  # embeds its fonts, which takes as long as the other two together


def pictures(figure: Figure, name: str, forms: tuple[str, ...] = FORMS) -> dict[str, bytes]:
    """The content of each file; equal figures give equal bytes.

    `savefig` would lay out and draw the figure once per form. Here it is laid out once, and one
    draw makes PNG and SVG.

    Args:
        figure: laid out here, then fixed.
        name: salts the ids of the SVG.
        forms: of `WITH_PDF`.
    """
    with style(name):
        figure.set_dpi(DPI)  # before the layout: matplotlib caches the sizes of texts by dpi
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")
        width, height = figure.get_size_inches()
        pixels = RENDERER(width * DPI, height * DPI, DPI)
        files = {}
        if "svg" in forms:
            files["svg"] = draw_both(figure, pixels)
        else:
            figure.draw(pixels)
        if "pdf" in forms:
            files["pdf"] = _pdf(figure)
    return {"png": _png(pixels), **files}


def _png(drawn: Any) -> bytes:
    """The background is opaque, so the alpha channel is left out."""
    content = io.BytesIO()
    image = Image.fromarray(np.asarray(drawn.buffer_rgba())).convert("RGB")
    image.save(content, format="png", dpi=(DPI, DPI))
    return content.getvalue()


def _pdf(figure: Figure) -> bytes:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf  # reads fonts: 0.1 s

    content = io.BytesIO()
    canvas: Any = FigureCanvasPdf(figure)
    canvas.print_pdf(content, metadata={"CreationDate": None})
    return content.getvalue()
