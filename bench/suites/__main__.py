"""python -m bench.suites [--write]

Plays compaction-conformance-kit, chats of our own, conpact's side constraints and compaction-guard
against Clew with the offline summarizer, in the private environment of the benchmarks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.environment import run_inside

README = Path(__file__).with_name("README.md")
MARK = "<!-- measured -->"


def kit_table() -> str:
    """The kit's own benchmark, on the seeds that rules were learnt from and on fresh ones."""
    from bench.suites import kit

    heads = ("seeds", "budget", "compactor", "within", "survival", "latest", "resolved", "stale",
             "pairs", "size")  # fmt: skip
    lines = [f"| {' | '.join(heads)} |", "|---|--:|---|---|--:|--:|--:|--:|--:|--:|"]
    for seeds in (kit.SEEDS, kit.FRESH_SEEDS):
        name = f"{seeds[0]} to {seeds[-1]}"
        for row in kit.rows(kit.played(seeds)):
            within = "yes" if row["within"] else "**no**"
            lines.append(
                f"| {name} | {row['budget']:.0%} | {row['compactor']} | {within} "
                f"| {row['survival']:.1%} | {row['latest']}/{row['conflicts']} "
                f"| {row['resolved']:.1%} | {row['stale']}/{row['conflicts']} "
                f"| {row['pairs']:.1%} | {row['size']:.1%} |"
            )
    return "\n".join(lines)


def told_table() -> str:
    """Our own chats: paraphrased on four seeds, and the eight that are held out."""
    from bench.suites import everyday, paraphrased

    lines = ["| chats | budget | kept | updates that stand | without the old | stale | size |",
             "|---|--:|--:|--:|--:|--:|--:|"]  # fmt: skip
    for name, rows in (("paraphrased", paraphrased.rows()), ("held out", everyday.rows())):
        lines += [
            f"| {name} | {row['budget']:.0%} | {row['kept']} of {row['of']} "
            f"| {row['latest']} of {row['updates']} | {row['resolved']} | {row['stale']} "
            f"| {row['size']:.1%} |"
            for row in rows
        ]
    return "\n".join(lines)


def pairs_table() -> str:
    """Updates that were seen, and statements that were taken for one."""
    from bench.suites import pairs

    lines = ["| pairs | updates | seen | others | taken for one |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {row['name']} | {row['updates']} | {row['seen']} | {row['others']} | {row['false']} |"
        for row in pairs.rows()
    ]
    return "\n".join(lines)


def constraints_table() -> str:
    """conpact's constraints by place and wording."""
    from bench.suites import side_constraints

    lines = [
        "| place | wording | retained | lost (numbers of the package) | largest context, tokens |",
        "|---|---|--:|---|--:|",
    ]
    for row in side_constraints.rows():
        lost = ", ".join(map(str, row["lost"])) or "–"
        lines.append(
            f"| {row['position']} | {row['frame']} | {row['retained']} of {row['of']} | {lost} "
            f"| {row['largest_tokens']:,} |"
        )
    return "\n".join(lines)


def guard_table() -> str:
    """The guard's verdicts by window."""
    from bench.suites import guarded

    lines = ["| window | tokens before | after | registered | verdicts |", "|--:|--:|--:|--:|---|"]
    for window in (6_000, 8_000, 16_000):
        row = guarded.judged(window)
        verdicts = ", ".join(f"{n} {kind}" for kind, n in row["verdicts"].items())
        lines.append(
            f"| {window:,} | {row['before']:,} | {row['after']:,} | {row['registered']} "
            f"| {verdicts} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    run_inside("bench.suites")
    parts = ["### compaction-conformance-kit 0.8.0", kit_table(), "### Chats of our own",
             told_table(), "### Pairs of statements", pairs_table(), "### conpact 0.1.0",
             constraints_table(), "### compaction-guard 0.1.0", guard_table()]  # fmt: skip
    text = "\n\n".join(parts)
    print(text)
    if chosen.write:
        head = README.read_text(encoding="utf-8").partition(MARK)[0]
        README.write_text(f"{head}{MARK}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
