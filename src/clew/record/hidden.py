"""What a view does not show: counted in one line, and names that nobody needs again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from clew.record.aside import is_set_aside
from clew.record.fence import neutral
from clew.record.items import Item, Speaker
from clew.record.record import HandoffRecord

CHANGED = "[changed]"
"""Stands in a rule for a value that a later statement gives anew."""

_NAME = re.compile(r"[\w./-]+\w")


def rest_note(hidden: Sequence[Item], *, recall_available: bool, brief: bool = False) -> str:
    """One line that counts what is not shown, by kind unless `brief`; empty when all is shown.

    What was set aside holds, and is counted with what holds.
    """
    if not hidden:
        return ""
    if brief:
        return f"{len(hidden)} more {'behind recall' if recall_available else 'in the archive'}."
    tally = Counter(
        i.kind.replace("_", " ") if i.live or is_set_aside(i) else "settled" for i in hidden
    )
    listed = ", ".join(f"{n} {word}" for word, n in sorted(tally.items()))
    where = "behind recall and search" if recall_available else "in the archive"
    return neutral(f"{len(hidden)} more {where} ({listed}).")


def replaced_names(record: HandoffRecord) -> str:
    """Names that only replaced words of the user hold and the agent never wrote, and their spans.

    The label of such a span would say the old words again.
    """
    written = {mention.name for mention in record.mentions if mention.agent_uses}
    holds = "\n".join(item.text for item in record.items if item.live)
    gone = [
        (text, span)
        for item in record.items
        if item.said_by is Speaker.USER
        for text, span in _old_words(item)
    ]
    names = {name for text, _ in gone for name in _NAME.findall(text)}
    kept = sorted(name for name in names if name not in written and name not in holds)
    return "\n".join([*kept, *sorted({span for _, span in gone})])


def _old_words(item: Item) -> list[tuple[str, str]]:
    if item.superseded_by:
        return [(item.text, e.span) for e in item.evidence]
    if item.kind not in {"fact", "invariant"} or not item.live or item.why:
        return []
    if CHANGED in item.text:
        return [(e.quote, e.span) for e in item.evidence]
    return [(e.quote, e.span) for e in item.evidence[1:]]
