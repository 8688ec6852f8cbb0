"""What an agent keeps open beside its work: its plan, skills in use, files the user attached.

They are shown as they stand, in a few lines with a share of the record of their own, and never in
a summarizer's words. What is behind a pointer is fetched with its handle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.ports import TokenCounter
from clew.record.claims import one_line, shortened
from clew.record.fence import neutral
from clew.record.items import Item, Status

SKILL = "skill in use: "
ATTACHED = "attached: "
"""How the text of an artifact begins that is a skill or a file the user attached."""

_ENTRY_CHARS = 90
_NAME_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Lines for the record, each with its line break, and the ids of the items they show."""

    text: str = ""
    shown: frozenset[str] = frozenset()


def standing(items: Sequence[Item], counter: TokenCounter, most_tokens: int) -> Standing:
    """The lines that fit: skills, then what was attached, then what of the plan is done.

    Open entries of the plan are commitments, which a record always shows; this adds what has been
    done already, so that it is neither forgotten nor done again.
    """
    text, shown, left = "", set[str](), most_tokens
    pointers = [item for item in items if item.kind == "artifact" and item.live]
    for heading, members, form in (
        ("Skills in use", [i for i in pointers if i.text.startswith(SKILL)], _pointer),
        ("Attached by the user", [i for i in pointers if i.text.startswith(ATTACHED)], _pointer),
        (_plan_heading(items), _done(items), _entry),
    ):
        most = left if form is _pointer else min(left, most_tokens // 2)
        line, names = _line(heading, [(i.id, form(i)) for i in members], counter, most)
        text += line
        shown |= names
        left -= counter.count_text(line) if line else 0
    return Standing(text=text, shown=frozenset(shown))


def _line(
    heading: str, parts: Sequence[tuple[str, str]], counter: TokenCounter, most_tokens: int
) -> tuple[str, set[str]]:
    """The newest parts that fit on one line, in order, and how many there are besides."""
    for first in range(len(parts)):
        more = f"{first} earlier; " if first else ""
        line = neutral(f"{heading}: {more}{'; '.join(part for _, part in parts[first:])}") + "\n"
        if counter.count_text(line) <= most_tokens:
            return line, {name for name, _ in parts[first:]}
    return "", set()


def _plan_heading(items: Iterable[Item]) -> str:
    plan = [i for i in items if i.kind == "commitment" and i.field("state")]
    plan = [item for item in plan if not item.superseded_by]
    return f"Plan, {sum(i.status is Status.DONE for i in plan)} of {len(plan)} done"


def _done(items: Iterable[Item]) -> list[Item]:
    done = [i for i in items if i.kind == "commitment" and i.status is Status.DONE]
    return [item for item in done if item.field("state") and not item.superseded_by]


def _entry(item: Item) -> str:
    return f"[x] {shortened(one_line(item.text), _ENTRY_CHARS).text}"


def _pointer(item: Item) -> str:
    name = one_line(item.text).removeprefix(SKILL).removeprefix(ATTACHED)
    span = next((e.span for e in item.evidence if e.span), "")
    return f"{name[:_NAME_CHARS]} ({span})" if span else name[:_NAME_CHARS]
