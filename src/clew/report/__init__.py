"""Plots and pages for people, from plain values."""

from clew.report.page import Code, Figure, Note, Section, Table, page
from clew.report.picture import save_pictures, svg_of
from clew.report.plot import Curve, Level, Plot
from clew.report.terminal import draw_in_terminal

__all__ = [
    "Code",
    "Curve",
    "Figure",
    "Level",
    "Note",
    "Plot",
    "Section",
    "Table",
    "draw_in_terminal",
    "page",
    "save_pictures",
    "svg_of",
]
