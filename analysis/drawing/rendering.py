"""A figure as files: PNG for the screen; on request SVG for the web and PDF for a paper."""

import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from analysis.drawing.style import style

DPI = 150
FORMS = ("png",)
ALL_FORMS = ("png", "svg", "pdf")  # SVG takes as long as PNG; PDF, with its fonts, as both
CANVASES = {"png": FigureCanvasAgg, "svg": FigureCanvasSVG}
# level 6, the usual one, takes twice as long for files smaller by a fifth
OPTIONS: dict[str, dict[str, Any]] = {"png": {"pil_kwargs": {"compress_level": 1}}}
UNDATED = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


def pictures(figure: Figure, name: str, forms: tuple[str, ...] = FORMS) -> dict[str, bytes]:
    """The content of each file; equal figures give equal bytes.

    The figure is laid out once, then fixed. The canvases are called directly: `savefig` would draw
    the figure once more per form. `name` salts the ids of the SVG.
    """
    files = {}
    with style(name):
        figure.set_dpi(DPI)  # before the layout: matplotlib caches the sizes of texts by dpi
        if engine := figure.get_layout_engine():
            engine.execute(figure)
            figure.set_layout_engine("none")
        for form in forms:
            buffer = io.BytesIO()
            canvas: Any = _canvas(form)(figure)
            options = {"metadata": UNDATED[form], **OPTIONS.get(form, {})}
            getattr(canvas, f"print_{form}")(buffer, **options)
            files[form] = buffer.getvalue()
    return files


def _canvas(form: str) -> Any:
    if form == "pdf":
        from matplotlib.backends.backend_pdf import FigureCanvasPdf  # reads fonts: 0.1 s

        return FigureCanvasPdf
    return CANVASES[form]
