"""`clew demo`: the reconciliation scenario, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.cli.options import JsonOption, OutOption
from clew.cli.screen import colours, progress, say, show_plot, show_table, width, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from clew.demo import Demo
    from clew.report import Plot

NUMBERS = ("calls", "largest", "sent", "loaded", "lost", "retried")


def demo(out: OutOption = None, json: JsonOption = False) -> int:
    """Show which way of filling a context loses 47 rows, and why; no key, no network.

    One scripted agent, one SQLite database, four arms: the full history, a sliding window, a prose
    summary, Clew. The agent sees only what its arm shows it.
    """
    from clew.demo import run_demo

    with progress("demo") as step:
        result = run_demo(step)
    written = _write(result, out) if out is not None else []
    if json:
        write_json(result.as_json())
    else:
        _show(result)
        say(*(f"wrote {path}" for path in written))
    return 0 if result.holds else 1


def plot_of(result: Demo) -> Plot:
    """The sawtooth of the Clew arm against the full history."""
    from clew.report import Curve, Level, Plot

    return Plot(
        title="Tokens in the context at each model call",
        curves=(
            Curve(name="full history", tokens=result.arm("full history").prompt_tokens, quiet=True),
            Curve(name="clew", tokens=result.arm("clew").prompt_tokens),
        ),
        levels=(
            Level(name="window", tokens=result.window_tokens),
            Level(name="trigger", tokens=result.trigger_tokens),
        ),
        events=result.compacted_at["clew"],
        ceiling_tokens=round(result.window_tokens * 1.1),
    )


def _rows(result: Demo) -> list[tuple[str, ...]]:
    return [
        (
            played.arm,
            f"{played.calls:,}",
            f"{played.largest_prompt_tokens:,}",
            f"{played.sent_tokens:,}",
            _key(played.choice.key),
            f"{played.audit.loaded:,}",
            f"{played.audit.lost:,}",
            f"{played.dead_end_retries}",
            f"{played.rule_kept} of {played.rule_asked}",
        )
        for played in result.arms
    ]


def _key(key: str) -> str:
    return "case alone" if key == "case_id" else "tenant, case"


COLUMNS = (
    "arm", "calls", "largest", "sent", "key used", "loaded", "lost", "retried", "rule kept",
)  # fmt: skip
LEGEND = (
    "largest and sent: tokens of the prompts; retried: how often a known dead end was tried again; "
    "rule kept: answers that keep a rule the user gave early on."
)


def _lead(result: Demo) -> str:
    expected = result.arms[0].audit.expected
    calls = result.arms[0].calls
    return (
        f"An agent reconciles the export of two tenants into a ledger, in some {calls} calls with "
        f"a window of {result.window_tokens:,} tokens. Early on it finds that case_id is unique "
        f"only within a tenant. At the end it has to rebuild the ledger: {expected:,} rows are "
        f"expected."
    )


def _show(result: Demo) -> None:
    from clew.demo import why
    from clew.report import draw_in_terminal

    say(_lead(result))
    show_table(COLUMNS, _rows(result), numbers=NUMBERS)
    say(LEGEND, "")
    for played in result.arms:
        say(f"{played.arm}: {why(played)}")
    overflow = _overflow(result)
    say("", *([overflow, ""] if overflow else []))
    show_plot(draw_in_terminal(plot_of(result), width=width(), colour=colours()))
    for law, holds in result.laws.items():
        say(f"{'ok' if holds else 'BROKEN':6} {law}")
    archive = result.archive
    say(
        f"{len(result.folds)} compactions; {archive.brought_back} of {archive.absorbed_messages} "
        f"absorbed messages came back byte for byte, by {archive.handles} handles."
    )


def _overflow(result: Demo) -> str:
    full = result.arm("full history")
    over = [n for n, size in enumerate(full.prompt_tokens, 1) if size > result.window_tokens]
    if not over:
        return ""
    return f"The full history does not fit the window from call {over[0]} on."


def _write(result: Demo, out: Path) -> list[Path]:
    from clew.cli.files import Folder
    from clew.record.markdown import record_to_markdown
    from clew.report import save_pictures

    folder = Folder(out)
    folder.json("demo.json", result.as_json())
    folder.text("record.md", record_to_markdown(result.record))
    folder.note(*save_pictures(plot_of(result), folder.path, "sawtooth"))
    folder.text("demo.html", _page(result))
    return folder.written


def _page(result: Demo) -> str:
    from clew.demo import why
    from clew.report import Code, Figure, Note, Section, Table, page, svg_of

    lost = ", ".join(f"{played.arm} loses {played.audit.lost}" for played in result.arms)
    compactions = len(result.folds)
    picture = Figure(
        svg=svg_of(plot_of(result)), alt=f"Tokens at each call; {compactions} compactions; {lost}."
    )
    arms: tuple[Table | Note, ...] = (
        Table(columns=COLUMNS, rows=tuple(_rows(result))),
        Note(text=LEGEND),
        *(Note(text=f"{played.arm}: {why(played)}") for played in result.arms),
        Note(text=_overflow(result)),
    )
    laws = tuple((law, "yes" if holds else "no") for law, holds in result.laws.items())
    checks = (
        Table(columns=("law", "holds"), rows=laws),
        Table(columns=FOLD_COLUMNS, rows=tuple(_fold_rows(result))),
    )
    return page(
        "Which context loses 47 rows",
        _lead(result),
        (
            Section(heading="The four arms", blocks=arms),
            Section(heading="The sawtooth", blocks=(picture,)),
            Section(heading="What was checked", blocks=checks),
            Section(
                heading="The record in the last context", blocks=(Code(text=result.record_text),)
            ),
        ),
    )


FOLD_COLUMNS = ("before call", "tokens before", "tokens after", "absorbed", "why")


def _fold_rows(result: Demo) -> list[tuple[str, ...]]:
    return [
        (
            f"{fold.call:,}",
            f"{fold.tokens_before:,}",
            f"{fold.tokens_after:,}",
            f"{fold.absorbed_messages:,}",
            fold.reason,
        )
        for fold in result.folds
    ]
