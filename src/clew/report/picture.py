"""A plot as PNG and SVG. The only file that uses matplotlib."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from clew.report.plot import Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2933"
QUIET = "#9aa5b1"
COLOURS = ("#0b6e99", "#c2410c", "#2f855a", "#7c3aed")
SIZE_INCHES = (9.0, 4.0)
DOTS_PER_INCH = 150


def save_pictures(plot: Plot, folder: Path, stem: str) -> tuple[Path, Path]:
    """Write `stem`.png and `stem`.svg into a folder and return their paths.

    The same plot gives the same bytes of SVG. Raises OSError when the folder
    cannot be written.
    """
    figure = _draw(plot)
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    figure.savefig(png, dpi=DOTS_PER_INCH, metadata={"Software": None})
    # Drawn anew: the layout of a figure depends on the resolution of its last drawing.
    svg.write_text(svg_of(plot), encoding="utf-8")
    return png, svg


def svg_of(plot: Plot) -> str:
    """The plot as the text of an SVG document."""
    return _svg(_draw(plot))


def _svg(figure: Figure) -> str:
    import matplotlib

    # Without a salt the ids in the file are random, and without the metadata it holds the date.
    with matplotlib.rc_context({"svg.hashsalt": "clew", "svg.fonttype": "path"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _draw(plot: Plot) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as NewFigure

    figure = NewFigure(figsize=SIZE_INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _curves(plot, axes)
    _levels(plot, axes)
    _dress(plot, axes)
    figure.legend(frameon=False, fontsize=8, loc="outside lower left", ncols=5)
    return figure


def _curves(plot: Plot, axes: Axes) -> None:
    loud = 0
    for curve in plot.curves:
        calls = range(1, len(curve.tokens) + 1)
        if curve.quiet:
            axes.plot(calls, curve.tokens, color=QUIET, linewidth=1.0, label=curve.name)
            continue
        axes.plot(calls, curve.tokens, color=COLOURS[loud % 4], linewidth=1.6, label=curve.name)
        loud += 1


def _levels(plot: Plot, axes: Axes) -> None:
    for level in plot.levels:
        axes.axhline(level.tokens, color=INK, linewidth=0.7, linestyle=(0, (4, 4)))
        axes.annotate(
            f"{level.name} {level.tokens:,}",
            xy=(1.0, level.tokens),
            xycoords=("axes fraction", "data"),
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=8,
            color=INK,
        )


def _dress(plot: Plot, axes: Axes) -> None:
    top = plot.top_tokens
    axes.set_ylim(0, top * 1.06)
    if plot.events:
        axes.plot(
            plot.events,
            [top * 0.015] * len(plot.events),
            linestyle="none",
            marker="^",
            markersize=5,
            color=COLOURS[0],
            label=plot.event_name,
        )
    axes.set_title(plot.title, loc="left", fontsize=11, color=INK)
    axes.set_xlabel("model call", color=INK)
    axes.set_ylabel("tokens in the context", color=INK)
    axes.yaxis.set_major_formatter(lambda value, position: f"{value:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.01)
