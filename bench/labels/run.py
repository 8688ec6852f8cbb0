"""Recall and precision of the offline summarizer by kind on the hand-labelled middles.

    python -m bench.labels.run [--held-out | --fresh | --unseen | --later | --last | --blind |
                                --newest] [--misses] [--unjudged]

Recall: the share of labels that an item of a fitting kind says, live or settled. Precision: the
share of items that a label of their exchange says or that a person judged right; the items that
nobody judged count as the judged ones of their kind do.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.labels.labelled import (
    BLIND,
    FOLDER,
    FRESH,
    HELD_OUT,
    KINDS,
    LAST,
    LATER,
    NEWEST,
    UNSEEN,
    Summed,
    all_labels,
    summed,
)
from bench.labels.matching import beginning, found, judgements, labelled
from clew.record.items import Item

COUNTED = (
    "directive", "invariant", "decision", "dead_end", "commitment", "blocker", "effect", "job",
    "fact",
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """Items of one kind: all, those with a label, and what was judged of the others."""

    items: int = 0
    labelled: int = 0
    right: int = 0
    wrong: int = 0
    unjudged: list[tuple[str, Item]] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of right items, 0 to 1."""
        judged = self.right + self.wrong
        others = self.items - self.labelled
        share = self.right / judged if judged else 0.0
        return (self.labelled + others * share) / self.items if self.items else 0.0


def recall_of(results: Sequence[Summed]) -> dict[str, tuple[int, int]]:
    """Found and all labels by kind."""
    made = dict.fromkeys(KINDS, (0, 0))
    for result in results:
        for label in result.labelled.labels:
            hits, whole = made[label.kind]
            made[label.kind] = (hits + found(label, result.record), whole + 1)
    return made


def precision_of(results: Sequence[Summed]) -> dict[str, Tally]:
    """What is right by kind of item."""
    judged = judgements()
    made: dict[str, Tally] = defaultdict(Tally)
    for result in results:
        for item in (i for i in result.items if i.kind in COUNTED):
            tally = made[item.kind]
            tally.items += 1
            verdict = judged.get((result.labelled.name, item.kind, beginning(item)))
            if labelled(item, result):
                tally.labelled += 1
            elif verdict is None:
                tally.unjudged.append((result.labelled.name, item))
            else:
                tally.right += verdict
                tally.wrong += not verdict
    return made


def show_misses(results: Sequence[Summed]) -> None:
    """The labels that nothing found."""
    for result in results:
        for label in result.labelled.labels:
            if not found(label, result.record):
                print(f"{result.labelled.name} #{label.at} {label.kind}: {label.quote}")


def show_tables(results: Sequence[Summed]) -> None:
    """The two tables of the README."""
    recall = recall_of(results)
    print(f"{len(results)} compactions, {sum(n for _, n in recall.values())} labels\n")
    print("| label | labels | found | recall |\n|---|--:|--:|--:|")
    for kind, (hits, whole) in recall.items():
        print(f"| {kind} | {whole} | {hits} | {hits / whole:.2f} |" if whole else f"| {kind} | 0 |")
    print("\n| item | items | labelled | judged right | judged wrong | precision |")
    print("|---|--:|--:|--:|--:|--:|")
    for kind, tally in sorted(precision_of(results).items()):
        print(
            f"| {kind} | {tally.items} | {tally.labelled} | {tally.right} | {tally.wrong} "
            f"| {tally.precision:.2f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    chosen = parser.add_mutually_exclusive_group()
    others = {
        "--held-out": HELD_OUT,
        "--fresh": FRESH,
        "--unseen": UNSEEN,
        "--later": LATER,
        "--last": LAST,
        "--blind": BLIND,
        "--newest": NEWEST,
    }
    for name, other in others.items():
        chosen.add_argument(name, dest="folder", action="store_const", const=other)
    parser.set_defaults(folder=FOLDER)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--unjudged", action="store_true")
    options = parser.parse_args()
    results = [summed(one) for one in all_labels(options.folder)]
    show_tables(results)
    if options.misses:
        show_misses(results)
    if options.unjudged:
        for kind, tally in precision_of(results).items():
            for name, item in tally.unjudged:
                print(f"{kind} {name} {item.evidence[0].span} {item.status.value}: "
                      f"{beginning(item)}")  # fmt: skip


if __name__ == "__main__":
    main()
