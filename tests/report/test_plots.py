from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from clew.report import Curve, Level, Plot, draw_in_terminal, save_pictures, svg_of

SAWTOOTH = Plot(
    title="Tokens in the context",
    curves=(
        Curve(name="full history", tokens=tuple(range(200, 20_200, 200)), quiet=True),
        Curve(name="clew", tokens=tuple(2_000 + 200 * (n % 26) for n in range(100))),
    ),
    levels=(Level(name="window", tokens=12_000), Level(name="trigger", tokens=7_420)),
    events=(27, 53, 79),
    ceiling_tokens=13_000,
)


def test_a_plot_in_the_terminal_shows_curves_levels_and_names(snapshot: SnapshotAssertion) -> None:
    assert draw_in_terminal(SAWTOOTH, width=78, height=18) == snapshot


def test_without_colour_no_escape_sequence_is_written() -> None:
    assert "\x1b" not in draw_in_terminal(SAWTOOTH)
    assert "\x1b[" in draw_in_terminal(SAWTOOTH, colour=True)


def test_a_curve_ends_where_it_leaves_the_picture() -> None:
    top = draw_in_terminal(SAWTOOTH).splitlines()[2]
    assert "13,000" in top
    assert top.count("·") < 6


@pytest.mark.parametrize("tokens", [(), (0,), (5,), (0, 0, 0)])
def test_a_session_of_hardly_any_call_can_be_drawn(tokens: tuple[int, ...], tmp_path: Path) -> None:
    plot = Plot(title="short", curves=(Curve(name="clew", tokens=tokens),))
    assert "model call" in draw_in_terminal(plot)
    assert all(path.stat().st_size for path in save_pictures(plot, tmp_path, "short"))


def test_the_picture_is_the_same_bytes_each_time_and_holds_no_date(tmp_path: Path) -> None:
    _, svg = save_pictures(SAWTOOTH, tmp_path, "sawtooth")
    text = svg.read_text(encoding="utf-8")
    assert text == svg_of(SAWTOOTH)
    assert "dc:date" not in text
    assert (tmp_path / "sawtooth.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_marks_every_compaction() -> None:
    without = svg_of(Plot(title="t", curves=SAWTOOTH.curves, levels=SAWTOOTH.levels))
    marks = len(re.findall("<use ", svg_of(SAWTOOTH))) - len(re.findall("<use ", without))
    assert marks >= len(SAWTOOTH.events)
