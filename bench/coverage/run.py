"""Reference coverage of the offline record on recordings; prints the table of the README.

python -m bench.coverage.run [--only NAME] [--every N] [--target TOKENS]
"""

from __future__ import annotations

import argparse
from collections import defaultdict

from bench.coverage.playing import COUNTER, Played, play, recordings
from clew.replay.coverage import coverage_at, summed
from clew.replay.played import Coverage

TARGETS = (900, 2_000, 4_000)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def row(name: str, coverage: Coverage) -> str:
    whole = coverage.needed
    reachable = coverage.visible + coverage.addressable
    return (
        f"| {name} | {whole} | {share(coverage.visible, whole)} | {share(reachable, whole)} "
        f"| {share(whole - reachable, whole)} |"
    )


def measure(played: Played) -> tuple[Coverage, int]:
    rendered = played.rendered()
    return coverage_at(rendered.text, played.needs, played.absorbed()), rendered.tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--target", type=int, action="append")
    options = parser.parse_args()
    kept = [r for i, r in enumerate(recordings(options.only)) if i % options.every == 0]
    for target in options.target or TARGETS:
        by_family: dict[str, list[Coverage]] = defaultdict(list)
        tokens: list[int] = []
        for recorded in kept:
            for played in play(recorded, target):
                coverage, size = measure(played)
                by_family[recorded.family].append(coverage)
                tokens.append(size)
        everything = summed(c for parts in by_family.values() for c in parts)
        print(f"\nrecord target {target} tokens ({COUNTER.name}), {len(tokens)} compactions, "
              f"mean record {sum(tokens) // max(1, len(tokens))} tokens\n")  # fmt: skip
        print("| recordings | needed | visible % | visible or addressable % | neither % |")
        print("|---|--:|--:|--:|--:|")
        print(row("all", everything))
        for family, parts in by_family.items():
            print(row(family, summed(parts)))


if __name__ == "__main__":
    main()
