"""When an item of a record is what a label quotes, and what a person judged of the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bench.labels.labelled import KINDS, Label, Summed
from clew.record.items import Item
from clew.record.record import HandoffRecord

JUDGED = Path(__file__).parent / "judged.json"
ENOUGH = 0.6
ENOUGH_IN_SPAN = 0.4
_WORDS = re.compile(r"\w+")


def tokens(text: str) -> frozenset[str]:
    """The words and numbers of a text in lower case."""
    return frozenset(_WORDS.findall(text.lower()))


def words_of(item: Item) -> frozenset[str]:
    """The words of an item, its quotes included."""
    return tokens("\n".join((item.text, *(evidence.quote for evidence in item.evidence))))


def shares(label: Label, item: Item) -> float:
    """The share of the quoted words that stand in the item, 0 to 1."""
    quoted = tokens(label.quote)
    return len(quoted & words_of(item)) / len(quoted)


def cites(label: Label, item: Item) -> bool:
    """Whether the item rests on the exchange that the label is about.

    Where calls are text, the result is the message behind the call.
    """
    near = (f"S-{label.at + 1}", f"S-{label.at}")
    return any(evidence.span in near for evidence in item.evidence)


def finds(label: Label, item: Item) -> bool:
    """Whether the item says what the label quotes."""
    share = shares(label, item)
    return share >= ENOUGH or (share >= ENOUGH_IN_SPAN and cites(label, item))


def found(label: Label, record: HandoffRecord) -> bool:
    """Whether an item of a fitting kind says what the label quotes.

    A rule may also stand in the goal, word for word, and a promise in `next`.
    """
    if label.kind == "rule" and label.quote in record.goal:
        return True
    if label.kind == "promise":
        quoted = tokens(label.quote)
        if len(quoted & tokens(record.next)) >= ENOUGH * len(quoted):
            return True
    return any(item.kind in KINDS[label.kind] and finds(label, item) for item in record.items)


def labelled(item: Item, summed: Summed) -> bool:
    """Whether the item says what any label of its middle quotes."""
    return any(cites(label, item) and finds(label, item) for label in summed.labelled.labels)


def judgements() -> dict[tuple[str, str, str], bool]:
    """What a person said of items without a label: by compaction, kind and first words."""
    if not JUDGED.exists():
        return {}
    kept = json.loads(JUDGED.read_text(encoding="utf-8"))
    return {(one["compaction"], one["kind"], one["text"]): one["right"] for one in kept}


def beginning(item: Item) -> str:
    """What a judgement is kept under: the first 120 characters, white space collapsed."""
    return " ".join(item.text.split())[:120]
