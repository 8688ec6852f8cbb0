"""Prices what schedules of compactions bill over whole recorded sessions.

python bench/schedule/run.py            # writes README.md beside this file
python bench/schedule/run.py --played none      # the schedules alone: seconds, not minutes
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from endings import least_factor  # noqa: E402
from growth import Growth, growth_of  # noqa: E402
from schedules import (  # noqa: E402
    CostRule,
    always,
    at_calls,
    best,
    fixed,
    never,
    price,
)
from tables import ABOVE, FIXED, RULE, readme  # noqa: E402

from clew import Budget  # noqa: E402
from clew.counters import resolve_counter  # noqa: E402
from clew.errors import ClewError  # noqa: E402
from clew.importers import ImportedSession, load_session  # noqa: E402
from clew.policy import Policy, Ratios  # noqa: E402
from clew.record.delta import Delta  # noqa: E402
from clew.replay import Replay, replay  # noqa: E402
from clew.replay.played import COMPACTED  # noqa: E402
from clew.replay.recording import Recording  # noqa: E402
from clew.summarize.extractive import ExtractiveSummarizer  # noqa: E402
from clew.summarize.request import SummaryRequest  # noqa: E402

FAMILIES = (
    "claude_code", "codex_cli", "pi_agent", "mini_swe_agent", "cline", "gemini_cli", "opencode",
)  # fmt: skip
WINDOWS = (60_000, 120_000, 200_000)
TAIL_TOKENS, RECORD_TOKENS = 6_000, 1_500
MODES = ("a model summarises", "offline")
TRIGGERS = (0.50, 0.70, 0.85, 0.95)
AHEAD = "summary made ahead"
LONG_ENOUGH = 0.70
"""Share of the transcript budget that a recording has to reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One recording at one window: prices over the price of the optimum.

    `waits` are the calls that had to wait for a summary. `least_factor` is what any rule can keep
    to the best fixed trigger at every ending, where the cost rule is above it. The others are of
    the session as it was played through the library, empty where it was not.
    """

    name: str
    mode: str
    window: int
    ratios: dict[str, float]
    folds: dict[str, int]
    waits: dict[str, int]
    least_factor: float | None = None
    evictions: int = 0
    causes: dict[str, float] = field(default_factory=dict)
    coverage: dict[str, int] = field(default_factory=dict)
    laws_hold: bool = True


class Billed:
    """The offline summarizer, billed as a model that reads the middle and writes the record."""

    name = "billed"

    def __init__(self) -> None:
        self._offline = ExtractiveSummarizer()

    def propose(self, request: SummaryRequest) -> Delta:
        return self._offline.propose(request)


def measure(
    name: str, imported: ImportedSession, window: int, mode: str, *, played: bool
) -> Row | None:
    """Prices the schedules of one recording; None when it never gets to 70 % of the budget."""
    counter = resolve_counter("chars4")
    recording = Recording(imported, counter)
    calls = recording.calls()
    budget = Budget(window, tail_tokens=TAIL_TOKENS, record_tokens=RECORD_TOKENS)
    room = window - recording.fixed_tokens
    if not calls or recording.transcript_tokens(calls[-1].shown) < LONG_ENOUGH * room:
        return None
    ratios = Ratios(summarizer_reads=mode != "offline")
    resolved = budget.resolve(prefix_tokens=recording.fixed_tokens)
    growth = growth_of(recording, resolved, RECORD_TOKENS)
    ahead = CostRule(growth=growth, ratios=ratios, prefetch=True)
    prices = _prices(growth, ratios, ahead)
    waits = {row: count for row, (_, count) in prices.items()} | {AHEAD: ahead.waits}
    facts: dict[str, Any] = {}
    if played:
        result = _played(imported, Policy(budget=budget, ratios=ratios))
        folded = frozenset(n for n, c in enumerate(result.calls) if c.outcome == COMPACTED)
        prices["Clew: moments"] = price(growth, ratios, at_calls(folded))
        prices["Clew"] = (result.cost.prepared, len(result.compactions))
        facts = {
            "evictions": len(result.evictions),
            "causes": dict(result.cost.causes),
            "coverage": asdict(result.reference_coverage),
            "laws_hold": result.laws_hold,
        }
    triggers = [fixed(growth, share) for share in TRIGGERS]
    above = prices[RULE][0] > ABOVE * min(prices[name][0] for name in FIXED)
    facts["least_factor"] = least_factor(growth, ratios, triggers, LONG_ENOUGH) if above else None
    lowest = best(growth, ratios)
    return Row(
        name=name,
        mode=mode,
        window=window,
        ratios={row: value / lowest for row, (value, _) in prices.items()},
        folds={row: count for row, (_, count) in prices.items()},
        waits=waits,
        **facts,
    )


def _played(imported: ImportedSession, policy: Policy) -> Replay:
    summarizer = Billed() if policy.ratios.summarizer_reads else "extractive"
    return replay(imported, policy, summarizer=summarizer, counter=resolve_counter("chars4"))


def _prices(growth: Growth, ratios: Ratios, ahead: CostRule) -> dict[str, tuple[float, int]]:
    at_once = CostRule(growth=growth, ratios=ratios, boundaries=False)
    return {
        "no compaction": price(growth, ratios, never),
        **{f"fixed {s:.0%}": price(growth, ratios, fixed(growth, s)) for s in TRIGGERS},
        "every turn": price(growth, ratios, always),
        "cost rule, at once": price(growth, ratios, at_once),
        RULE: price(growth, ratios, CostRule(growth=growth, ratios=ratios)),
        AHEAD: price(growth, ratios, ahead),
    }


def _recordings(corpora: Path, families: Sequence[str]) -> list[tuple[str, ImportedSession]]:
    found = []
    for family in families:
        for path in sorted((corpora / family).rglob("*")):
            if not path.is_file():
                continue
            try:
                found.append((str(path.relative_to(corpora)), load_session(path)))
            except (ClewError, UnicodeDecodeError):
                continue
    return found


def main() -> None:
    """Plays everything and writes the table; `--rows` keeps rows, so that parts can be joined."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", default=str(HERE.parents[2] / "shared" / "corpora" / "dev"))
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--windows", nargs="*", type=int, default=list(WINDOWS))
    parser.add_argument("--modes", nargs="*", default=list(MODES))
    parser.add_argument("--played", choices=("all", "none"), default="all")
    parser.add_argument("--rows", type=Path, help="JSON lines of rows: read first, then added to")
    options = parser.parse_args()
    rows: list[Row] = []
    if options.rows and options.rows.exists():
        rows += [Row(**json.loads(line)) for line in options.rows.read_text().splitlines()]
    known = {(row.name, row.mode, row.window) for row in rows}
    for name, imported in _recordings(Path(options.corpora), options.families):
        for window, mode in ((w, m) for w in options.windows for m in options.modes):
            if (name, mode, window) in known:
                continue
            if row := measure(name, imported, window, mode, played=options.played == "all"):
                rows.append(row)
                print(name[-40:], mode, window, flush=True)
                if options.rows:
                    with options.rows.open("a") as kept:
                        kept.write(json.dumps(asdict(row)) + "\n")
    (HERE / "README.md").write_text(readme([asdict(row) for row in rows]), encoding="utf-8")


if __name__ == "__main__":
    main()
