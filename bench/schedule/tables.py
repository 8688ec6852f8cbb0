"""The text and the tables of the figure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

Row = dict[str, Any]

HEAD = """# What a schedule of compactions costs

    python bench/schedule/run.py

Recorded sessions of Claude Code, Codex, pi, mini-SWE-agent, Cline, Gemini CLI and opencode that
reach 70 % of the transcript budget, priced whole: uncached input 1, cached read 0.1, cache write
1.25, output 5, tail 6,000, record 1,500; 5 % of what was folded or evicted is fetched back; a token
is four characters. The answers of the agent cost the same in every schedule and are left out.

All prices are divided by that of the best schedule that knows the future (dynamic programming over
the growth). Before each call a compaction leaves what the laws of cuts make it leave there: head,
tail and kept messages of that very history, and a record of the target's size. The schedules are
priced on these floors, so none of them can be below the optimum. Each cell: median over the
recordings, the worst one, the number of folds in all.

“Cost rule, at once” folds as soon as carrying has cost as much as a compaction takes to set up; “at
boundaries” waits for one, within the policy's patience, which is what Clew does by default;
“summary made ahead” has a model work in the background from when compaction is armed, ready by the
next call. “Clew” is what went out when a session was played through the library: real records,
evictions and shortened tails included, which the optimum does not know; “moments” prices its choice
of moments on the same floors as the others.

The aim is at most 1.08 in the median at each window, never more than 2 % above the best fixed
trigger on any recording, and half as many calls that wait for a compaction. The best fixed trigger
is chosen for each recording with hindsight, out of four.

An open loop of calls whose reasoning is signed (recordings of Claude Code) stays whole while it
fits. Floors that are read off the whole history, where it soon does not, cannot know that: there
Clew folds later and dearer than the schedules.

“At every ending any rule can keep” is the least that a rule which does not know when the run ends
can promise on that recording: the run may end after any call from 70 % of the budget on, or go on
for as long again with the same growth. Whatever it does up to a call it does for every later
ending, so the best schedule for all of them together is found exactly (`endings.py`).
"""

FIXED = ("fixed 50%", "fixed 70%", "fixed 85%", "fixed 95%")


RULE = "cost rule, at boundaries"
ABOVE = 1.02
"""More than this factor over the best fixed trigger misses the aim."""

AHEAD = "summary made ahead"


def readme(rows: Sequence[Row]) -> str:
    """The whole page."""
    text = HEAD
    for mode in dict.fromkeys(row["mode"] for row in rows):
        mine = [row for row in rows if row["mode"] == mode]
        text += f"\n## {mode.capitalize()}\n\n{_prices(mine)}\n{_above(mine, RULE)}"
        if mode != "offline":
            text += f"\n{_above(mine, AHEAD)}\n{_waits(mine)}"
        if played := [row for row in mine if row["causes"]]:
            text += f"\n{_above(played, 'Clew')}\n{_causes(played)}"
    return text + "\n" + _counted(rows)


def _counted(rows: Sequence[Row]) -> str:
    names = {row["name"] for row in rows}
    played = [row for row in rows if row["causes"]]
    text = f"{len(names)} recordings, {len(rows)} cases by window and summarizer"
    if not played:
        return f"{text}; `--played none` leaves out what takes minutes: Clew itself.\n"
    held = sum(row["laws_hold"] for row in played)
    return f"{text}; {len(played)} played, goal, validity and archive held in {held}.\n"


def _windows(rows: Sequence[Row]) -> list[int]:
    return sorted({row["window"] for row in rows})


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    every = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in every)


def _prices(rows: Sequence[Row]) -> str:
    windows = _windows(rows)
    by = {window: [row for row in rows if row["window"] == window] for window in windows}
    lines = []
    for name in dict.fromkeys(name for row in rows for name in row["ratios"]):
        if name == AHEAD and rows[0]["mode"] == "offline":
            continue
        cells = [name]
        for window in windows:
            mine = [row for row in by[window] if name in row["ratios"]]
            values = [row["ratios"][name] for row in mine] or [0.0]
            folds = sum(row["folds"][name] for row in mine)
            some = f" (of {len(mine)})" if len(mine) < len(by[window]) else ""
            cells.append(f"{median(values):.2f}, {max(values):.2f}, {folds}{some}")
        lines.append(cells)
    return _table(["schedule", *(f"{w // 1000}k ({len(by[w])})" for w in windows)], lines)


def _above(rows: Sequence[Row], schedule: str) -> str:
    """Where a schedule costs more than the best fixed trigger, recording by recording."""
    said = []
    for row in rows:
        over = row["ratios"][schedule] / min(row["ratios"][name] for name in FIXED)
        if over > ABOVE:
            where = " ".join(row["name"].split("/")[:2])[:44]
            line = f"- {over - 1:.0%} on {where} at {row['window'] // 1000}k"
            if schedule == RULE and (least := row.get("least_factor")):
                line += f"; at every ending any rule can keep {least - 1:.0%}"
            said.append((over, line))
    text = (
        f"“{schedule}” is more than 2 % above the best fixed trigger on {len(said)} of {len(rows)}"
    )
    if not said:
        return f"{text}.\n"
    return "\n".join([f"{text}:\n", *(line for _, line in sorted(said, reverse=True))]) + "\n"


def _causes(rows: Sequence[Row]) -> str:
    """What Clew's price was paid for."""
    causes = list(rows[0]["causes"])
    lines = []
    for window in _windows(rows):
        mine = [row for row in rows if row["window"] == window]
        total = sum(sum(row["causes"].values()) for row in mine)
        parts = [sum(row["causes"][cause] for row in mine) / total for cause in causes]
        gone = [sum(row["coverage"][k] for row in mine) for k in ("needed", "visible", "lost")]
        lines.append(
            [
                f"{window // 1000}k",
                *(f"{part:.0%}" for part in parts),
                str(sum(row["evictions"] for row in mine)),
                f"{gone[0]:,}, {gone[1] / max(1, gone[0]):.0%}, {gone[2]:,}",
            ]
        )
    head = ["Clew", *(cause.replace("_", " ") for cause in causes), "evictions"]
    return _table([*head, "needed later of what was folded, still in view, lost"], lines)


def _waits(rows: Sequence[Row]) -> str:
    """How many calls have to wait for the model that summarises."""
    windows = _windows(rows)
    names = {
        **{name: name for name in FIXED},
        RULE: f"{RULE}, summary made on the spot",
        AHEAD: f"{RULE}, {AHEAD}",
    }
    lines = [
        [said, *(str(sum(r["waits"][name] for r in rows if r["window"] == w)) for w in windows)]
        for name, said in names.items()
    ]
    return _table(["calls that wait", *(f"{w // 1000}k" for w in windows)], lines)
