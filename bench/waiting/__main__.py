"""python -m bench.waiting [FILE …] [--window TOKENS …] [--quick] [--triggers] [--write]

How long an agent waits for its compactions, with and without a summary that is made before it is
needed. Recorded sessions are played on a clock of their own, so that the load of the machine is
not measured. `--quick` plays a short list made from the project's own source, `--triggers` fixed
triggers beside Clew, at the first speed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from bench.suites.haystack import haystack
from bench.waiting.playing import Speeds, Waits, fixed, play
from clew.importers import ImportedSession, load_session
from clew.transcript import Format

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpora" / "dev"
LONG = (
    "claude_code/cli_03a1382e.jsonl",
    "codex_cli/rollout-git-sync_019ddaf2-047a-7a63-839e-79f4476f3b44.jsonl",
    "pi_agent/auth-go_019e44d4.jsonl",
)
README = Path(__file__).with_name("README.md")
MARKS = {"speeds": "<!-- measured: speeds -->", "triggers": "<!-- measured: triggers -->"}
TRIGGERS = (0.50, 0.70, 0.85, 0.95)
SPEEDS = (
    ("a call in 10 s", Speeds()),
    ("a call in 3 s", Speeds(call_seconds=3.0)),
    ("a call in 10 s, a slow model", Speeds(write_tokens=20.0, read_tokens=1_000.0)),
)


def row(name: str, window: int, prefetch: bool, plays: Iterable[Waits]) -> str:
    """One line of the table."""
    plays = list(plays)
    waits = [seconds for each in plays for seconds in each.waits]
    none = sum(seconds == 0 for seconds in waits)
    uses = Counter(use for each in plays for use in each.uses)
    cells = (
        name,
        f"{window:,}",
        "yes" if prefetch else "no",
        len(waits),
        f"{100 * none / len(waits):.0f} %" if waits else "–",
        f"{median(waits):.1f} s" if waits else "–",
        f"{max(waits):.1f} s" if waits else "–",
        sum(each.summaries for each in plays),
        ", ".join(f"{use} {count}" for use, count in sorted(uses.items())),
    )
    return f"| {' | '.join(map(str, cells))} |"


def table(sessions: list[ImportedSession], windows: list[int]) -> str:
    """Every window and speed, without and with."""
    lines = [
        "| | window | made before | compactions | no wait | median wait | longest | asked | how |",
        "|---|--:|---|--:|--:|--:|--:|--:|---|",
    ]
    for window in windows:
        for name, speeds in SPEEDS:
            for prefetch in (False, True):
                print(f"{window} {name} {prefetch}", file=sys.stderr)
                plays = [play(s, window, speeds, prefetch=prefetch) for s in sessions]
                lines.append(row(name, window, prefetch, plays))
    return "\n".join(lines)


def triggers(sessions: list[ImportedSession], windows: list[int]) -> str:
    """How many calls wait under fixed triggers, and under Clew without and with a summary ahead."""
    lines = [
        "| | window | compactions | calls that wait | seconds in all |",
        "|---|--:|--:|--:|--:|",
    ]
    speeds = SPEEDS[0][1]
    for window in windows:
        plays = {
            f"folded at {share:.0%}": [
                play(s, window, speeds, prefetch=False, policy=fixed(window, share))
                for s in sessions
            ]
            for share in TRIGGERS
        }
        for name, ahead in (("made on the spot", False), ("made before", True)):
            plays[f"Clew, summary {name}"] = [
                play(s, window, speeds, prefetch=ahead) for s in sessions
            ]
        for name, played in plays.items():
            waits = [seconds for each in played for seconds in each.waits]
            waited = sum(seconds > 0 for seconds in waits)
            lines.append(f"| {name} | {window:,} | {len(waits)} | {waited} | {sum(waits):,.0f} |")
    return "\n".join(lines)


def put(name: str, table: str) -> None:
    """Put a table behind its mark in the README; what stands behind the next blank line stays."""
    before, mark, after = README.read_text(encoding="utf-8").partition(MARKS[name])
    assert mark, f"the README has no {MARKS[name]}"
    rest = after.lstrip("\n").split("\n\n", 1)[1:]
    README.write_text("\n\n".join([f"{before}{mark}\n{table}", *rest]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--window", type=int, nargs="+", default=[48_000])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--triggers", action="store_true", help="fixed triggers beside Clew")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    if chosen.quick:
        told = tuple(haystack(20_000))
        listed = ImportedSession(source="", format=Format.OPENAI_CHAT, family="made", messages=told)
        print(table([listed], [8_000]))
        return
    files = [Path(f) for f in chosen.files] or [CORPUS / name for name in LONG]
    sessions = [load_session(path) for path in files]
    name = "triggers" if chosen.triggers else "speeds"
    made = (triggers if chosen.triggers else table)(sessions, chosen.window)
    print(made)
    if chosen.write:
        put(name, made)


if __name__ == "__main__":
    main()
