"""A plot as text for the terminal. The only file that uses plotext."""

from __future__ import annotations

import re

from clew.report.plot import Plot

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
COLOURS = ("blue", "orange", "green", "magenta")
LEAST_WIDTH = 40
LEAST_HEIGHT = 8
TICKS = 5
QUIET_MARK = "·"


def draw_in_terminal(plot: Plot, *, width: int = 78, height: int = 18, colour: bool = False) -> str:
    """Draw a plot with block characters, `width` columns by `height` lines.

    Without `colour` the text holds no escape sequence at all. A curve ends where it leaves the
    picture.
    """
    import plotext

    plotext.terminal.limit(width=False, height=False)
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(max(width, LEAST_WIDTH), max(height, LEAST_HEIGHT))
    top = plot.top_tokens
    # Loud curves last, so that they lie on top.
    for number, curve in enumerate(sorted(plot.curves, key=lambda curve: not curve.quiet)):
        seen = [(call, n) for call, n in enumerate(curve.tokens, start=1) if n <= top]
        if not seen:
            continue
        calls, heights = [call for call, _ in seen], [tokens for _, tokens in seen]
        signal = figure.signal(calls, heights, marker=QUIET_MARK if curve.quiet else "braille")
        signal.lines().label(curve.name)
        if colour:
            signal.pixel = "gray" if curve.quiet else COLOURS[number % len(COLOURS)]
        figure.draw(signal)
    for level in (level for level in plot.levels if level.tokens <= top):
        figure.line(level.tokens, "h", style="dotted")
    figure.legend(active=False)
    figure.title(_title(plot))
    figure.label("model call", "x")
    last = max((len(curve.tokens) for curve in plot.curves), default=1)
    last = max(last, 2)
    figure.ruler("x").lim(1, last)
    places = sorted({round(1 + (last - 1) * n / TICKS) for n in range(TICKS + 1)})
    figure.ruler("x").ticks(places, [f"{place:,}" for place in places])
    ticks = [round(top * n / (TICKS - 1)) for n in range(TICKS)]
    figure.ruler("y").lim(0, top)
    figure.ruler("y").ticks(ticks, [f"{tick:,}" for tick in ticks])
    text: str = figure.build().string()
    plain = text if colour else ESCAPES.sub("", text)
    return "\n".join([*(line.rstrip() for line in plain.splitlines()), _key(plot)])


def _key(plot: Plot) -> str:
    """Which line is which, for a picture without colours."""
    return "  ".join(f"{QUIET_MARK if c.quiet else '⡠⠊'} {c.name}" for c in plot.curves)


def _title(plot: Plot) -> str:
    levels = ", ".join(f"{level.name} {level.tokens:,}" for level in plot.levels)
    return f"{plot.title} ({levels})" if levels else plot.title
