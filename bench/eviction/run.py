"""Plays recorded sessions through orders of eviction and counts what the agent misses.

python bench/eviction/run.py            # writes README.md beside this file
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from orders import CLASSICAL, Held, Order, State, clew_order  # noqa: E402
from recordings import FAMILIES, Recording, recordings  # noqa: E402
from table import table  # noqa: E402

from clew.counters import resolve_counter  # noqa: E402
from clew.evict.plan import PlanRules  # noqa: E402

CAP_TOKENS = 20_000
TARGETS = (0.75, 0.50, 0.25)
KEEP_EXCHANGES = 2


@dataclass(slots=True)
class Tally:
    """What one order did on all recordings."""

    references: int = 0
    faults: int = 0
    evictions: int = 0
    resident_after: int = 0
    stub_tokens: int = 0
    stubs: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    families: Counter[str] = field(default_factory=Counter)


def play(recording: Recording, order: Order, target: float, tally: Tally) -> None:
    """One recording through one order, down to `target` of the cap at each eviction."""
    first_write: dict[str, int] = {}
    for number, step in enumerate(recording.steps):
        if step.who == "agent":
            for name in step.names:
                first_write.setdefault(name, number)
    state = State([], 0, 0, set(), set(), [], first_write)
    results: set[str] = set()
    written: set[str] = set()
    lately: list[tuple[int, tuple[str, ...]]] = []
    for number, step in enumerate(recording.steps):
        state.exchange, state.step = step.exchange, number
        if step.who == "result":
            assert step.resident is not None
            results.update(step.names)
            if step.seen is not None:
                state.calls.append((step.exchange, step.seen))
            state.held.append(Held(step.resident, number, step.exchange))
            if sum(h.tokens for h in state.held) > CAP_TOKENS:
                state.recent = {n for e, names in lately if e >= step.exchange - 2 for n in names}
                order(state, int(CAP_TOKENS * target), KEEP_EXCHANGES)
                _after(state, tally)
            continue
        if step.who == "agent":
            names = set(step.names)
            lately.append((step.exchange, step.names))
            for held in state.held:
                if not names.isdisjoint(held.visible):
                    held.last, held.uses = step.exchange, held.uses + 1
            _count(state, names, written, results, recording, tally)
            written |= names
        state.said.update(step.names)


def _count(
    state: State,
    names: set[str],
    written: set[str],
    results: set[str],
    recording: Recording,
    tally: Tally,
) -> None:
    tally.references += len(names & (written | results))
    wanted = (names & results) - state.said
    if not wanted:
        return
    visible = set().union(*(h.visible for h in state.held)) if state.held else set()
    missing = wanted - visible
    tally.faults += len(missing)
    tally.families[recording.family] += len(missing)
    for name in missing:
        holder = next((h for h in reversed(state.held) if name in h.resident.names), None)
        tally.causes[holder.why.name.lower() if holder and holder.why else "gone"] += 1


def _after(state: State, tally: Tally) -> None:
    size = sum(h.tokens for h in state.held)
    stubs = [h.tokens for h in state.held if h.resident.stub]
    tally.evictions += 1
    tally.resident_after += size
    tally.stub_tokens += sum(stubs)
    tally.stubs += len(stubs)


def main() -> None:
    """Plays everything and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", default=str(HERE.parents[2] / "shared" / "corpora" / "dev"))
    parser.add_argument("--families", nargs="+", default=list(FAMILIES))
    parser.add_argument("--only", default="", help="play only orders whose name holds this")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    for name in ("whole_share", "stub_tokens", "names_floor_tokens"):
        kind = float if name == "whole_share" else int
        parser.add_argument(f"--{name}", type=kind, default=getattr(PlanRules(), name))
    options = parser.parse_args()
    counter = resolve_counter("o200k_base")
    rules = PlanRules(
        whole_share=options.whole_share,
        stub_tokens=options.stub_tokens,
        names_floor_tokens=options.names_floor_tokens,
    )
    orders = {
        **CLASSICAL,
        "Clew": clew_order(counter, rules),
        "Clew, no floor": clew_order(counter, replace(rules, names_floor_tokens=0)),
    }
    played = list(recordings(Path(options.corpora), counter, options.families))
    tallies: dict[tuple[str, float], Tally] = {}
    for name, order in orders.items():
        if options.only not in name:
            continue
        for target in TARGETS:
            tally = tallies[name, target] = Tally()
            for recording in played:
                play(recording, order, target, tally)
            mean = tally.resident_after // max(1, tally.evictions)
            print(
                name,
                target,
                tally.references,
                tally.faults,
                tally.evictions,
                mean,
                tally.stub_tokens // max(1, tally.evictions),
                dict(tally.causes),
                flush=True,
            )
    if not options.dry:
        (HERE / "README.md").write_text(table(tallies, played, FAMILIES), encoding="utf-8")


if __name__ == "__main__":
    main()
