"""The agent's own plan: to-do lists that replace each other, and tasks that are kept one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clew.record.delta import Add, Close, Operation, Supersede
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.actions import Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.sentences import containment, topic_words
from clew.tools_seen.seen import TodoItem

_NUMBERED = re.compile(r"#(\d+)|\b[Tt]ask (?:id )?(\d+)")
_SETTLED = {"done": Status.DONE, "dropped": Status.CLOSED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the plan as of its latest call; `task` is its number where it has one."""

    made: Claim
    state: str
    task: str = ""


def plan_operations(attempts: Sequence[Attempt], old: Sequence[Item]) -> list[Operation]:
    """The plan as the new spans leave it against the one in the record, entry by entry."""
    before = [i for i in old if i.kind == "commitment" and i.live and i.field("state")]
    entries: dict[str, Entry] = {}
    closed: dict[str, tuple[str, Evidence]] = {}
    whole: Attempt | None = None
    for attempt in (a for a in attempts if a.call.todo):
        if _is_list(attempt):
            entries, whole = {e.made.item.text.lower(): e for e in _entries(attempt)}, attempt
        elif attempt.call.todo[0].text.isdigit():
            _update(attempt, entries, closed)
        else:
            task = _number_of(attempt)
            entries.update((task or e.made.item.text.lower(), e) for e in _entries(attempt, task))
    settled = [i for i in old if i.kind == "commitment" and not i.live and i.field("state")]
    made, kept = _against(entries.values(), before, settled)
    for item in before:
        if item.id in kept:
            continue
        if (change := closed.get(item.field("task"))) and change[0] in _SETTLED:
            state, shown = change
            made.append(_close(item, state, shown))
        elif whole is not None and not item.field("task"):
            shown = Evidence(span=whole.reading.handle)
            made.append(_close(item, "dropped", shown, reason="left the plan"))
    return made


def _is_list(attempt: Attempt) -> bool:
    """Whether a call writes the whole plan anew, not one task of it."""
    return len(attempt.call.todo) > 1 or not attempt.call.tool.lower().startswith("task")


def _entries(attempt: Attempt, task: str = "") -> list[Entry]:
    return [
        Entry(made=made, state=entry.state, task=task)
        for entry in attempt.call.todo
        if (made := _claim(attempt, entry, task)) is not None
    ]


def _claim(attempt: Attempt, entry: TodoItem, task: str) -> Claim | None:
    quote = verbatim(attempt.reading, entry.text)
    if not quote or sum(map(str.isalpha, entry.text)) < 3:
        return None
    return claim(
        "commitment",
        quote,
        text=entry.text,
        span=attempt.reading.handle,
        position=attempt.reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN,
        fields=(("state", entry.state), ("task", task)),
    )


def _number_of(attempt: Attempt) -> str:
    for result in attempt.reading.results:
        if attempt.call.todo[0].text in result and (found := _NUMBERED.search(result)):
            return found.group(1) or found.group(2)
    return ""


def _update(
    attempt: Attempt, entries: dict[str, Entry], closed: dict[str, tuple[str, Evidence]]
) -> None:
    """A change of one task that is named by its number."""
    task, state = attempt.call.todo[0].text, attempt.call.todo[0].state
    if task in entries:
        entries[task] = replace(entries[task], state=state)
    else:
        closed[task] = (state, Evidence(span=attempt.reading.handle))


def _against(
    entries: Iterable[Entry], before: Sequence[Item], settled: Sequence[Item]
) -> tuple[list[Operation], set[str]]:
    """Entries that are over are kept as well: a plan whose done part is gone is done again."""
    made: list[Operation] = []
    kept: set[str] = set()
    for entry in entries:
        item = entry.made.item
        old = next((i for i in before if i.id not in kept and _same(i, entry.made)), None)
        if old is not None:
            kept.add(old.id)
        if entry.state in _SETTLED:
            if old is not None:
                made.append(_close(old, entry.state, item.evidence[0]))
            elif not any(_same(i, entry.made) for i in settled):
                over = replace(item, status=_SETTLED[entry.state], reason=_says(entry.state))
                made.append(Add(item=over.with_fields({"state": entry.state})))
        elif old is None:
            made.append(Add(item=item.with_fields({"state": entry.state})))
        elif old.field("state") != entry.state:
            changed = item.with_fields({"state": entry.state})
            made.append(Supersede(ids=(old.id,), item=changed, reason="its state changed"))
    return made, kept


def _close(item: Item, state: str, shown: Evidence, *, reason: str = "") -> Close:
    return Close(
        id=item.id,
        status=_SETTLED[state],
        evidence=(shown,),
        reason=reason or _says(state),
    )


def _says(state: str) -> str:
    return f"the plan says {state}"


def _same(item: Item, found: Claim) -> bool:
    if item.text.strip().lower() == found.item.text.strip().lower():
        return True
    topics = topic_words(item.text)
    return len(topics) >= 3 and containment(topics, found.topics) >= 0.8
