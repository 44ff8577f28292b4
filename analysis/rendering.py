"""A figure as files: PNG for the screen, SVG for the web, PDF for a paper."""

import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from analysis.style import style

DPI = 150
FORMS = ("png", "svg", "pdf")
CANVASES = {"png": FigureCanvasAgg, "svg": FigureCanvasSVG, "pdf": FigureCanvasPdf}
UNDATED = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


def pictures(figure: Figure, name: str, forms: tuple[str, ...] = FORMS) -> dict[str, bytes]:
    """The content of each file; equal figures give equal bytes.

    The canvases are called directly: `savefig` would draw the figure once more per form, for a
    layout that is fixed here.

    Args:
        figure: laid out once, then fixed.
        name: salts the ids of the SVG.
        forms: of `FORMS`.
    """
    files = {}
    with style(name):
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")
        figure.set_dpi(DPI)
        for form in forms:
            buffer = io.BytesIO()
            canvas: Any = CANVASES[form](figure)
            getattr(canvas, f"print_{form}")(buffer, metadata=UNDATED[form])
            files[form] = buffer.getvalue()
    return files
