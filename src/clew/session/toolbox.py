"""Running the recall tools for an agent: bounded answers, errors as text."""

from __future__ import annotations

import json
from typing import Any, Protocol

from clew.errors import ClewError
from clew.ports import Hit
from clew.record.items import Item
from clew.session.agent_tools import LIST_TOOL, MAP_TOOL, NOTE_TOOL, RECALL_TOOL, SEARCH_TOOL

MOST_CHARS = 24_000
"""A recalled text longer than this is paged: about 6,000 tokens, so that a page never floods."""

_AGENT_KINDS = ("fact", "decision", "dead_end", "commitment", "blocker", "invariant", "artifact")


class _Host(Protocol):
    def recall(self, handle: str) -> bytes: ...
    def search(self, query: str, limit: int = ...) -> list[Hit]: ...
    def spans(self) -> list[tuple[str, str]]: ...
    def note(self, kind: str, text: str, *, why: str = ...) -> Item: ...
    def map_detail(self, what: str) -> str: ...


def call_tool(host: _Host, name: str, arguments: dict[str, Any] | str) -> str:
    """The answer of one tool; never raises for what an agent may have written."""
    try:
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except ValueError as error:
        return f"The arguments are no JSON object: {error}."
    if not isinstance(given, dict):
        return "The arguments are no JSON object."
    try:
        return _answer(host, name, given)
    except ClewError as error:
        return f"Error: {error}."


def handle_asked(arguments: dict[str, Any] | str) -> str:
    """The handle that the arguments of a recall name; empty when they name none."""
    try:
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except ValueError:
        return ""
    return str(given.get("handle", "")) if isinstance(given, dict) else ""


def _answer(host: _Host, name: str, given: dict[str, Any]) -> str:
    if name == RECALL_TOOL:
        return _recall(host, given)
    if name == SEARCH_TOOL:
        limit = given.get("limit")
        count = limit if isinstance(limit, int) and 1 <= limit <= 20 else 5
        hits = host.search(str(given.get("query", "")), count)
        return "\n\n".join(_shown(hit) for hit in hits) or "Nothing was found."
    if name == LIST_TOOL:
        rows = [f"{handle} {label}".rstrip() for handle, label in host.spans()]
        return _page("\n".join(rows)) or "Nothing has left the window yet."
    if name == NOTE_TOOL:
        kind = str(given.get("kind", ""))
        if kind not in _AGENT_KINDS:
            return f"kind is one of {', '.join(_AGENT_KINDS)}."
        item = host.note(kind, str(given.get("text", "")), why=str(given.get("why", "")))
        return f"Kept as a {item.kind}."
    if name == MAP_TOOL:
        return _page(host.map_detail(str(given.get("what", ""))))
    return f"There is no tool {name!r}."


def _recall(host: _Host, given: dict[str, Any]) -> str:
    text = host.recall(str(given.get("handle", ""))).decode("utf-8", "replace")
    first, last = given.get("first_line"), given.get("last_line")
    if isinstance(first, int) or isinstance(last, int):
        lines = text.split("\n")
        start = max(1, first) if isinstance(first, int) else 1
        end = last if isinstance(last, int) else len(lines)
        text = "\n".join(lines[start - 1 : end])
    return _page(text)


def _page(text: str) -> str:
    if len(text) <= MOST_CHARS:
        return text
    lines = text.count("\n") + 1
    return (
        f"{text[:MOST_CHARS]}\n[{len(text):,} characters in {lines:,} lines; this is the start. "
        f"Use first_line and last_line for the rest.]"
    )


def _shown(hit: Hit) -> str:
    label = f" {hit.label}" if hit.label else ""
    return f"{hit.handle} ({hit.kind}){label}\n{hit.excerpt}"
