"""What a person said, as a small record lists it: speaker and shared labels are said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from clew.record.claims import one_line
from clew.record.fence import neutral, neutral_block
from clew.record.items import Item

SAID_HEADING = "The user said:\n"

_LABEL = re.compile(r"(?P<label>[^\W\d_][^\n:.!?]{1,30}):\s+(?=\S)")
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A text without the label it opens with; the label is empty where it has none of its own."""

    label: str
    text: str


def labelled(text: str) -> Labelled:
    """A text that opens with a label and a colon ("Note: …", "Open question: …"), taken apart."""
    flat = one_line(text)
    found = _LABEL.match(flat)
    if found is None or len(found["label"].split()) > _MOST_WORDS:
        return Labelled(label="", text=flat)
    label = f"{found['label']}:"
    # What looks like the mark of a speaker would read as a turn of its own.
    if neutral_block(label) != label:
        return Labelled(label="", text=flat)
    return Labelled(label=label, text=flat[found.end() :])


def shared_labels(items: Iterable[Item]) -> dict[str, int]:
    """The labels that more than one of these items opens with, numbered in their order."""
    tally = Counter(labelled(item.text).label for item in items)
    shared = [label for label, count in tally.items() if label and count > 1]
    return {label: place for place, label in enumerate(shared, start=1)}


def label_heading(label: str) -> str:
    """The line under which the items of one label stand, as a quotation."""
    return neutral(f'"{label}"\n')
