"""One draw for PNG and SVG.

Most of a draw is spent in matplotlib's artists (ticks, text layout, transforms), not in the
renderers that they call. Here each call goes to two renderers: to Agg in pixels, to SVG in points.
"""

import io
from typing import Any

from matplotlib.backend_bases import RendererBase
from matplotlib.backends import backend_svg
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D, Bbox, TransformedPath

POINTS = 72  # per inch


def draw_both(figure: Figure, pixels: Any) -> bytes:
    """Draw a figure on `pixels`, a `RendererAgg`; returns it as an SVG file."""
    width, height = figure.get_size_inches() * POINTS
    text = io.StringIO()
    renderer: Any = backend_svg.RendererSVG
    svg = renderer(width, height, text, image_dpi=pixels.dpi, metadata={"Date": None})
    figure.draw(_Both(pixels, svg))
    svg.finalize()
    return text.getvalue().encode()


class _Both(RendererBase):
    """Draws with Agg, which also measures text, and repeats each call with SVG, in points."""

    def __init__(self, agg: Any, svg: Any) -> None:
        super().__init__()
        self.agg, self.svg = agg, svg
        self.scale = POINTS / agg.dpi
        self.to_points = Affine2D().scale(self.scale)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agg, name)  # dpi, width, height

    def points_to_pixels(self, points: Any) -> Any:
        return self.agg.points_to_pixels(points)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        return self.agg.get_text_width_height_descent(s, prop, ismath)

    def get_canvas_width_height(self) -> Any:
        return self.agg.get_canvas_width_height()

    def option_image_nocomposite(self) -> bool:
        return True

    def open_group(self, s: str, gid: str | None = None) -> None:
        self.svg.open_group(s, gid)

    def close_group(self, s: str) -> None:
        self.svg.close_group(s)

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:  # noqa: N803
        self.agg.draw_path(gc, path, transform, rgbFace)
        self.svg.draw_path(self._clipped(gc), path, transform + self.to_points, rgbFace)

    def draw_markers(self, gc: Any, marker_path: Any, marker_trans: Any, path: Any, trans: Any,
                     rgbFace: Any = None) -> None:  # fmt: skip  # noqa: N803
        self.agg.draw_markers(gc, marker_path, marker_trans, path, trans, rgbFace)
        marker, place = (one + self.to_points for one in (marker_trans, trans))
        self.svg.draw_markers(self._clipped(gc), marker_path, marker, path, place, rgbFace)

    def draw_path_collection(self, gc: Any, master_transform: Any, paths: Any, all_transforms: Any,
                             offsets: Any, offset_trans: Any, *style: Any,
                             **hatches: Any) -> None:  # fmt: skip
        what = (paths, all_transforms, offsets)
        self.agg.draw_path_collection(gc, master_transform, *what, offset_trans, *style, **hatches)
        shape, place = ((one + self.to_points).frozen() for one in (master_transform, offset_trans))
        self.svg.draw_path_collection(self._clipped(gc), shape, *what, place, *style, **hatches)

    def draw_quad_mesh(self, gc: Any, master_transform: Any, *mesh: Any) -> None:
        self.agg.draw_quad_mesh(gc, master_transform, *mesh)
        *cells, offsets, place, faces, smooth, edges = mesh
        shape, place = ((one + self.to_points).frozen() for one in (master_transform, place))
        own = (*cells, offsets, place, faces, smooth, edges)
        self.svg.draw_quad_mesh(self._clipped(gc), shape, *own)

    def draw_image(self, gc: Any, x: float, y: float, im: Any, transform: Any = None) -> None:
        self.agg.draw_image(gc, x, y, im)
        self.svg.draw_image(self._clipped(gc), x * self.scale, y * self.scale, im)

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float,
                  ismath: Any = False, mtext: Any = None) -> None:  # fmt: skip
        self.agg.draw_text(gc, x, y, s, prop, angle, ismath)
        # both count y from above; the height in pixels is rounded
        y = self.svg.height - (self.agg.height - y) * self.scale
        self.svg.draw_text(self._clipped(gc), x * self.scale, y, s, prop, angle, ismath)

    def _clipped(self, gc: Any) -> Any:
        """The same style, whose widths are in points already, clipped in points."""
        scaled = self.svg.new_gc()
        scaled.copy_properties(gc)
        if (rectangle := gc.get_clip_rectangle()) is not None:
            scaled.set_clip_rectangle(Bbox(rectangle.get_points() * self.scale))
        path, transform = gc.get_clip_path()
        if path is not None:
            scaled.set_clip_path(TransformedPath(path, transform + self.to_points))
        return scaled
