"""The README of this folder, from what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

HEAD = """# What eviction forgets

    python bench/eviction/run.py

{count} recorded sessions are played ({sessions}; {results:,} results).
Results stay in the window until they take more than 20,000 tokens (o200k_base) together, and are
then evicted down to 75, 50 or 25 % of that; the two newest exchanges stay. A *reference* is an
identifier (path, file, dotted, snake or camel name, ticket, hash; a bare number is none) that the
agent writes and that an earlier result, or its own earlier text, contained. It is a *fault* when
every result that holds it has been evicted, no stub shows it, and it stands in nothing the agent or
a person wrote before.
Whatever a stub takes, its note included, counts as resident. {references:,} references.

The newest exchanges alone are often larger than the target, so no order gets down to it every
time; the second number in each cell is the mean of what was resident after an eviction.

| order | 75 % | 50 % | 25 % |
|---|---|---|---|
"""
FOOT = """
The aim was 450, 500 and 600 faults, below the order that knows the future at each target.
The classical orders take whole results out and leave nothing in their place, so they end a little
lower: the floor below which Clew does not cut the names (1,500 tokens) is resident on top.
“Clew, no floor” gives stubs only what the target leaves: where the newest exchanges take it all,
they show no names at all.

The chances behind the choice of names were fitted on these same recordings (sessions held out:
area under the curve 0.70), so the figures for Clew are a little better than on other sessions.
On sessions of two agents that took no part in the fit (`--families opencode gemini_cli`, 14
sessions, 2,890 references) Clew has 1, 9 and 11 faults, oldest first 35, 36 and 37, the order that
knows the future 34, 34 and 35.
They measure names only: that a stub shows a name does not say that it shows what is said about it.
"""


def table(tallies: Mapping[tuple[str, float], Any], played: Sequence[Any], families: Any) -> str:
    """The whole README."""
    first = next(iter(tallies.values()))
    counts = ", ".join(f"{sum(r.family == f for r in played)} {f}" for f in families)
    results = sum(step.who == "result" for r in played for step in r.steps)
    text = HEAD.format(
        count=len(played), sessions=counts, results=results, references=first.references
    )
    targets = sorted({target for _, target in tallies}, reverse=True)
    for name in dict.fromkeys(name for name, _ in tallies):
        cells = [_cell(tallies[name, target]) for target in targets]
        text += f"| {name} | {' | '.join(cells)} |\n"
    return (
        text
        + _stubs(tallies, targets)
        + _causes(tallies, targets)
        + _by_family(tallies, targets, families)
        + FOOT
    )


def _cell(tally: Any) -> str:
    return f"{tally.faults:,} ({tally.resident_after // max(1, tally.evictions):,})"


def _stubs(tallies: Mapping[tuple[str, float], Any], targets: Sequence[float]) -> str:
    rows = ["\nTokens that stubs take after an eviction, mean, and how many there are:\n"]
    rows += ["| | " + " | ".join(f"{t:.0%}" for t in targets) + " |", "|---|---|---|---|"]
    for name in ("Clew", "Clew, no floor"):
        cells = []
        for target in targets:
            tally = tallies[name, target]
            n = max(1, tally.evictions)
            cells.append(f"{tally.stub_tokens // n:,} in {tally.stubs // n:,}")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _causes(tallies: Mapping[tuple[str, float], Any], targets: Sequence[float]) -> str:
    kinds = sorted({c for t in targets for c in tallies["Clew", t].causes})
    rows = ["\nFaults of Clew by the cause for which the newest holder had been evicted:\n"]
    rows += ["| cause | " + " | ".join(f"{t:.0%}" for t in targets) + " |", "|---|---|---|---|"]
    for kind in kinds:
        cells = [str(tallies["Clew", target].causes[kind]) for target in targets]
        rows.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _by_family(
    tallies: Mapping[tuple[str, float], Any], targets: Sequence[float], families: Sequence[str]
) -> str:
    rows = ["\nFaults by agent, Clew and oldest first:\n"]
    rows += ["| agent | " + " | ".join(f"{t:.0%}" for t in targets) + " |", "|---|---|---|---|"]
    for family in families:
        cells = [
            f"{tallies['Clew', t].families[family]} / {tallies['oldest first', t].families[family]}"
            for t in targets
        ]
        rows.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
