"""The agent's own plan, as a call wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from clew.tools_seen.seen import TodoItem

_STATES = {
    "pending": "open", "open": "open", "todo": "open", "not_started": "open", "not-started": "open",
    "queued": "open", "": "open", "new": "open", "blocked": "open", "planned": "open",
    "in_progress": "active", "in-progress": "active", "active": "active", "doing": "active",
    "started": "active", "in progress": "active", "current": "active", "working": "active",
    "completed": "done", "complete": "done", "done": "done", "finished": "done", "closed": "done",
    "cancelled": "dropped", "canceled": "dropped", "dropped": "dropped", "skipped": "dropped",
    "deleted": "dropped", "removed": "dropped", "abandoned": "dropped",
}  # fmt: skip
_TEXT_KEYS = ("content", "step", "text", "title", "task", "description", "subject", "name", "item")
_STATE_KEYS = ("status", "state", "completed", "done")
_CHECK = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]*\[([ xX~/>\-])\]\s+(.+?)\s*$", re.MULTILINE)
_NOT_QUITE = re.compile(
    r"\b(?:except|but|partly|partially|without|not|pending|half|almost|\d+ ?(?:/|of) ?\d+)\b"
)
_MARKS = {" ": "open", "x": "done", "X": "done", "~": "active", "/": "active", ">": "active",
          "-": "dropped"}  # fmt: skip


def todo_of(arguments: Mapping[str, Any], keys: Sequence[str]) -> tuple[TodoItem, ...]:
    """The entries under the first of `keys` that holds any; states open, active, done, dropped.

    A call that changes one task by its id gives one entry whose text is that id.
    """
    for key in keys:
        if key in arguments and (items := _items(arguments[key], arguments)):
            return items
    return ()


def checklist(text: str) -> tuple[TodoItem, ...]:
    """The entries of a markdown checklist, in order."""
    return tuple(TodoItem(text=t, state=_MARKS[mark]) for mark, t in _CHECK.findall(text))


def state_of(value: object) -> str:
    """The normalised state; a word nobody knows counts as open, which promises nothing.

    Of a phrase its first word counts (`dropped by the user`), unless the rest takes a `done` back.
    """
    if isinstance(value, bool):
        return "done" if value else "open"
    phrase = str(value).strip().lower()
    if phrase in _STATES:
        return _STATES[phrase]
    state = _STATES.get(re.split(r"[\s:;,(]", phrase, maxsplit=1)[0], "open")
    return "active" if state == "done" and _NOT_QUITE.search(phrase) else state


def _items(value: object, arguments: Mapping[str, Any]) -> tuple[TodoItem, ...]:
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            try:
                return _items(json.loads(value), arguments)
            except (ValueError, RecursionError):
                return checklist(value)
        if found := checklist(value):
            return found
        single = value.strip()
        return (
            (TodoItem(text=value, state=state_of(arguments.get("status", "pending"))),)
            if single and ("subject" in arguments or "status" in arguments)
            else ()
        )
    if isinstance(value, Mapping):
        return _items(list(value.values()), arguments)
    if not isinstance(value, Sequence):
        return ()
    return tuple(item for entry in value if (item := _entry(entry)) is not None)


def _entry(entry: object) -> TodoItem | None:
    if isinstance(entry, str):
        found = checklist(entry)
        return found[0] if found else TodoItem(text=entry, state="open")
    if not isinstance(entry, Mapping):
        return None
    text = next((entry[k] for k in _TEXT_KEYS if isinstance(entry.get(k), str)), "")
    state = next((entry[k] for k in _STATE_KEYS if k in entry), "pending")
    return TodoItem(text=text, state=state_of(state)) if text else None
