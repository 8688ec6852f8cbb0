"""Reference coverage of whole sessions, one search for what is neither shown nor named.

    python -m bench.coverage.searched [--only NAME] [--every N] [--target TOKENS]

Here the policy chooses the moment, the store keeps the archive, and the query is what the agent
wrote around an identifier, without it. Budget: compaction from some 20,000 tokens, tail 4,000.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import clew
from bench.coverage.playing import CORPUS, COUNTER, FAMILIES, TAIL_TOKENS
from clew.importers import load_session
from clew.replay import replay
from clew.replay.coverage import summed
from clew.replay.played import Coverage

WINDOW_TOKENS = 28_600
"""Of which 70 % are 20,000."""


def budget_of(record_tokens: int) -> clew.Budget:
    """The sawtooth of the other tables, as a budget."""
    return clew.Budget(
        WINDOW_TOKENS,
        prefix_tokens=0,
        output_reserve_tokens=1,
        tail_tokens=TAIL_TOKENS,
        record_tokens=record_tokens,
    )


def shares(coverage: Coverage) -> str:
    """The four shares in per cent."""
    parts = (coverage.visible, coverage.addressable, coverage.searchable, coverage.lost)
    return " | ".join(f"{100 * part / max(1, coverage.needed):.1f}" for part in parts)


def main() -> None:
    """Print one table for each record target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--target", type=int, action="append")
    options = parser.parse_args()
    paths: list[tuple[str, Path]] = [
        (family, path)
        for family, pattern in FAMILIES.items()
        for path in sorted((CORPUS / family).glob(pattern))
        if options.only in str(path)
    ]
    for target in options.target or (900, 2_000, 4_000):
        by_family: dict[str, list[Coverage]] = defaultdict(list)
        for family, path in paths[:: options.every]:
            result = replay(load_session(path), clew.Policy(budget_of(target)), counter=COUNTER)
            by_family[family].append(result.reference_coverage)
        print(f"\nrecord target {target} tokens\n")
        print("| recordings | needed | visible % | addressable % | searchable % | lost % |")
        print("|---|--:|--:|--:|--:|--:|")
        everything = summed(c for parts in by_family.values() for c in parts)
        print(f"| all | {everything.needed} | {shares(everything)} |")
        for family, parts in by_family.items():
            whole = summed(parts)
            print(f"| {family} | {whole.needed} | {shares(whole)} |")


if __name__ == "__main__":
    main()
