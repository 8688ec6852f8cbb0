"""Which items stand in which file, and the text of a file: the record's own markdown, no more."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clew.errors import RecordError
from clew.record.items import Item, Proposer
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.markdown import record_from_markdown, record_to_markdown
from clew.record.record import HandoffRecord

GOAL = "GOAL.md"
NEXT = "NEXT.md"
FINDINGS = "FINDINGS.md"
ARTIFACTS = "artifacts"
CONFLICTS = "conflicts"
STATE = ".clew"

_BY_KIND: Mapping[str, str] = {
    "decision": "DECISIONS.md",
    "dead_end": "DEAD_ENDS.md",
    "invariant": "INVARIANTS.md",
    "directive": NEXT,
    "requirement": NEXT,
    "commitment": NEXT,
    "blocker": NEXT,
}
_TITLES: Mapping[str, str] = {
    FINDINGS: "Findings",
    "DECISIONS.md": "Decisions",
    "DEAD_ENDS.md": "Dead ends",
    "INVARIANTS.md": "Invariants",
    NEXT: "Next",
}
FILES = tuple(_TITLES)
"""The files with items; the goal has a file of its own that nobody edits."""

_HINT = "<!-- edit freely; an entry called `new` gets its id by itself -->"
_FRAME = re.compile(r"(?m)^## ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one file holds."""

    items: tuple[Item, ...] = ()
    next: str = ""


def file_of(kind: str) -> str:
    """The file in which items of a kind stand."""
    return _BY_KIND.get(kind, FINDINGS)


def plain(item: Item) -> Item:
    """An item without what a program keeps of it between compactions: the same claim, no scores."""
    return replace(
        item, proposed_by=Proposer.OFFLINE, verified=True, externalised=False, uses=0,
        first_seen=0, last_used=0, value=0.0,
    )  # fmt: skip


def page_of(record: HandoffRecord, name: str) -> Page:
    """What a file holds of a record: items that hold, and those settled, in the record's order."""
    items = tuple(plain(item) for item in record.items if file_of(item.kind) == name)
    return Page(items=items, next=record.next if name == NEXT else "")


def page_text(page: Page, name: str, *, kinds: KindTable = DEFAULT_KINDS) -> str:
    """The text of a file."""
    document = record_to_markdown(HandoffRecord(items=page.items, next=page.next), kinds=kinds)
    sections = _FRAME.split(document)[1:]
    kept = [part for part in sections if not part.startswith(("Goal\n", "Bookkeeping\n"))]
    if name != NEXT:
        kept = [part for part in kept if not part.startswith("Next\n")]
    body = "".join(f"\n## {part.rstrip()}\n" for part in kept)
    return f"# {_TITLES[name]}\n\n{_HINT}\n{body}"


def read_page(
    text: str,
    name: str,
    counters: Sequence[tuple[str, int]] = (),
    *,
    kinds: KindTable = DEFAULT_KINDS,
) -> Page:
    """What a file holds; `counters` are the last numbers given, so that new items get fresh ids.

    Raises RecordError that names the line (1-based).
    """
    unframed = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = ["" if line.startswith("# ") else line.rstrip() for line in unframed.split("\n")]
    books = ["## Bookkeeping", f"- counters: {json.dumps(dict(counters))}"]
    if any(line.strip() in ("## Bookkeeping", "## Goal") for line in lines):
        raise RecordError("goal and bookkeeping do not stand in this file")
    record = record_from_markdown("\n".join([*lines, *books]), kinds=kinds)
    return Page(items=tuple(plain(item) for item in record.items), next=record.next)
