"""Prices what schedules of compactions bill over whole recorded sessions.

python bench/schedule/run.py            # writes README.md beside this file
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, median_low
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from schedules import Growth, at_calls, best, cost_rule, fixed, price  # noqa: E402

from clew import Budget  # noqa: E402
from clew.counters import resolve_counter  # noqa: E402
from clew.importers import load_session  # noqa: E402
from clew.policy import Policy, Ratios  # noqa: E402
from clew.record.delta import Delta  # noqa: E402
from clew.replay import replay  # noqa: E402
from clew.replay.played import COMPACTED  # noqa: E402
from clew.replay.recording import Recording  # noqa: E402
from clew.summarize.extractive import ExtractiveSummarizer  # noqa: E402
from clew.summarize.request import SummaryRequest  # noqa: E402

FAMILIES = ("claude_code", "codex_cli", "pi_agent", "mini_swe_agent")
WINDOWS = (60_000, 120_000, 200_000)
TAIL_TOKENS, RECORD_TOKENS = 6_000, 1_500
MODES = ("a model summarises", "offline")
TRIGGERS = (0.50, 0.70, 0.85, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One recording at one window: prices over the price of the optimum."""

    name: str
    mode: str
    window: int
    ratios: dict[str, float]
    folds: dict[str, int]
    evictions: int


class Billed:
    """The offline summarizer, billed as a model that reads the middle and writes the record."""

    name = "billed"

    def __init__(self) -> None:
        self._offline = ExtractiveSummarizer()

    def propose(self, request: SummaryRequest) -> Delta:
        return self._offline.propose(request)


def measure(path: Path, window: int, mode: str) -> Row | None:
    """Plays one recording; None when it never gets to 70 % of the budget."""
    imported = load_session(path)
    counter = resolve_counter("chars4")
    recording = Recording(imported, counter)
    calls = recording.calls()
    if not calls:
        return None
    largest = recording.transcript_tokens(calls[-1].shown)
    if largest < 0.7 * (window - recording.fixed_tokens):
        return None
    ratios = Ratios(summarizer_reads=mode != "offline")

    budget = Budget(window, tail_tokens=TAIL_TOKENS, record_tokens=RECORD_TOKENS)
    summarizer = "extractive" if mode == "offline" else Billed()
    policy = Policy(budget=budget, ratios=ratios)
    usual = replay(imported, policy, summarizer=summarizer, counter=counter)
    growth = _growth(recording, usual)
    lowest = best(growth, ratios)
    prices = {"no compaction": price(growth, ratios, lambda n, size: False)}
    for share in TRIGGERS:
        prices[f"fixed {share:.0%}"] = price(growth, ratios, fixed(growth, share))
    prices["every turn"] = price(growth, ratios, lambda n, size: True)
    prices["cost rule alone"] = price(growth, ratios, cost_rule(growth, ratios))
    prices["cost rule above 40%"] = price(growth, ratios, cost_rule(growth, ratios, 0.4))
    folded = frozenset(n for n, c in enumerate(usual.calls) if c.outcome == COMPACTED)
    prices["Clew: moments"] = price(growth, ratios, at_calls(folded))
    prices["Clew"] = (usual.cost.prepared, len(usual.compactions))
    return Row(
        name=path.name,
        mode=mode,
        window=window,
        ratios={name: value / lowest for name, (value, _) in prices.items()},
        folds={name: count for name, (_, count) in prices.items()},
        evictions=len(usual.evictions),
    )


def _growth(recording: Recording, played: Any) -> Growth:
    calls, compactions = played.calls, played.compactions
    fixed_tokens = recording.fixed_tokens + recording.lead_tokens
    left = [c.tokens_after + fixed_tokens for c in compactions]
    modelled = fixed_tokens + recording.head_tokens() + TAIL_TOKENS + RECORD_TOKENS
    floor = median_low(left) if left else modelled
    budget = played.policy["transcript_budget_tokens"]
    return Growth(
        raw_tokens=[c.raw_tokens + fixed_tokens for c in calls],
        floor_tokens=floor,
        head_tokens=min(recording.head_tokens(), floor),
        record_tokens=RECORD_TOKENS,
        limit_tokens=budget + fixed_tokens,
        fixed_tokens=fixed_tokens,
    )


HEAD = """# What a schedule of compactions costs

    python bench/schedule/run.py

Recorded sessions of Claude Code, Codex, pi and mini-SWE-agent that reach 70 % of the budget, priced
whole: uncached input 1, cached read 0.1, cache write 1.25, output 5, tail 6,000, record 1,500; 5 %
of what was folded is fetched back; a token is four characters. The answers of the agent cost the
same in every schedule and are left out. All prices are divided by that of the best schedule that
knows the future (dynamic programming over the growth, with the median floor that Clew's own
compactions left). Each cell: median over the recordings, the worst one, the number of folds in all.

“Clew” is what went out when the session was played through the library: boundaries, evictions,
stubs and real floors included. “Moments” prices its choice of moments alone, with the same floor as
the others. “No compaction” sends everything, whether it fits or not. “Cost rule alone” folds as
soon as what was carried beyond the floor has cost as much as a fold, wherever that is; “above 40%”
waits until the transcript has reached that share of its budget, as the boundary floor makes Clew
do.

The aim was at most 1.08 in the median at each window, and never more than 2 % above the best fixed
trigger on any recording. It is missed; the rows of the cost rule show what the boundary floor has
to do with it.
"""


def readme(rows: list[Row]) -> str:
    """One table for each way to bill the summarizer."""
    text = HEAD
    for mode in MODES:
        text += f"\n## {mode.capitalize()}\n\n" + _table([r for r in rows if r.mode == mode])
    return text


def _table(rows: list[Row]) -> str:
    counts = [f"{w // 1000}k ({sum(r.window == w for r in rows)})" for w in WINDOWS]
    text = f"| schedule | {' | '.join(counts)} |\n|---|---|---|---|\n"
    for name in rows[0].ratios:
        cells = []
        for window in WINDOWS:
            mine = [r for r in rows if r.window == window]
            values = [r.ratios[name] for r in mine] or [0.0]
            folds = sum(r.folds[name] for r in mine)
            cells.append(f"{median(values):.2f}, {max(values):.2f}, {folds}")
        text += f"| {name} | {' | '.join(cells)} |\n"
    above = sum(
        row.ratios["Clew"] > 1.02 * min(row.ratios[f"fixed {share:.0%}"] for share in TRIGGERS)
        for row in rows
    )
    evictions = sum(r.evictions for r in rows)
    return text + (
        f"\nClew is more than 2 % above the best fixed trigger on {above} of {len(rows)}; it made "
        f"{evictions} evictions.\n"
    )


def main() -> None:
    """Plays everything and writes the table; `--rows` keeps rows, so that parts can be joined."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", default=str(HERE.parents[2] / "shared" / "corpora" / "dev"))
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--rows", type=Path, help="JSON lines of rows: read first, then added to")
    options = parser.parse_args()
    rows: list[Row] = []
    if options.rows and options.rows.exists():
        rows += [Row(**json.loads(line)) for line in options.rows.read_text().splitlines()]
    known = {(row.name, row.mode, row.window) for row in rows}
    for family in options.families:
        for path in sorted((Path(options.corpora) / family).iterdir()):
            for window, mode in ((w, m) for w in WINDOWS for m in MODES):
                if (path.name, mode, window) in known:
                    continue
                if row := measure(path, window, mode):
                    rows.append(row)
                    print(row.name[:30], mode, window, round(row.ratios["Clew"], 2), flush=True)
                    if options.rows:
                        with options.rows.open("a") as kept:
                            kept.write(json.dumps(asdict(row)) + "\n")
    (HERE / "README.md").write_text(readme(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
