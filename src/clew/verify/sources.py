"""What a claim may rest on: the texts of the spans by speaker, and the old record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from clew.record.fence import FENCE_CLOSE, FENCE_OPEN
from clew.record.items import Item, Speaker
from clew.record.record import HandoffRecord
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import CallSeen, answered_in_result, spoken_in_result
from clew.transcript import Message, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from clew.verify.literals import folded, numbers_in
from clew.verify.words import content, sentences

_SEARCHED_CHARS = 20_000
_AROUND_CHARS = 80
_PLACES = 12
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Source:
    """A text with its folded forms, each made once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def folded(self) -> str:
        """The text as claims are compared with it."""
        return folded(self.text)

    @cached_property
    def plain(self) -> str:
        """The folded text without case."""
        return self.folded.casefold()

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Values of the numbers in it, with and without thousands separators read as such."""
        return numbers_in(self.folded) | numbers_in(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that carry meaning."""
        return frozenset(content(self.text))

    @cached_property
    def beside_numbers(self) -> dict[str, list[frozenset[str]]]:
        """For each number of it the stems around the first places where it stands."""
        around: dict[str, list[frozenset[str]]] = {}
        for match in _NUMBER.finditer(self.folded):
            places = around.setdefault(match.group(), [])
            if len(places) < _PLACES:
                start = max(match.start() - _AROUND_CHARS, 0)
                places.append(frozenset(content(self.folded[start : match.end() + _AROUND_CHARS])))
        return around

    @cached_property
    def sentences(self) -> list[tuple[str, frozenset[str]]]:
        """The folded sentences of its beginning, each with the stems and numbers it states."""
        return [(s, substance(s)) for s in map(folded, sentences(self.text[:_SEARCHED_CHARS]))]


def substance(text: str) -> frozenset[str]:
    """What a folded sentence states: its stems and its numbers."""
    return frozenset(content(text)) | numbers_in(text)


class SpanSource(Source):
    """One span: its whole text, and who said which part."""

    def __init__(self, span: SpanView) -> None:
        said = [pair for message in span.messages for pair in _said(message, span.calls)]
        super().__init__("\n".join(text for _, text in said))
        self.handle = span.handle
        self.position = span.position
        self.by = {
            speaker: Source("\n".join(text for who, text in said if who is speaker))
            for speaker in {who for who, _ in said}
        }


class Sources:
    """Every span of a request by handle, the old record, and the handles that exist."""

    def __init__(self, request: SummaryRequest) -> None:
        self.spans = {span.handle: SpanSource(span) for span in request.spans}
        self.tail = {span.handle: SpanSource(span) for span in request.tail}
        self.record = Source(_record_text(request.old, request.goal))
        self.old_evidence = {
            (e.span, folded(e.quote)) for item in request.old.items for e in item.evidence
        }
        self.handles = frozenset({*self.spans, *self.tail, *_handles_of(request.old)} - {""})
        self.known = self.handles | {item.id for item in request.old.items}

    def span(self, handle: str) -> SpanSource | None:
        """The text of a span of the middle or the tail; None for one absorbed earlier."""
        return self.spans.get(handle) or self.tail.get(handle)

    @cached_property
    def everything(self) -> Source:
        """All that the summarizer was shown, as one text."""
        texts = [s.text for s in (*self.spans.values(), *self.tail.values())]
        return Source("\n".join((*texts, self.record.text)))


def _handles_of(record: HandoffRecord) -> Iterable[str]:
    for item in record.items:
        yield from (e.span for e in item.evidence)
    yield from (e.span for e in record.next_evidence)
    yield from (entry.handle for entry in record.index)
    for mention in record.mentions:
        yield from mention.spans


def _record_text(record: HandoffRecord, goal: str) -> str:
    parts = [goal, record.goal, record.next]
    for item in record.items:
        parts.extend(item_texts(item))
        parts.extend(e.quote for e in item.evidence)
    return "\n".join(parts)


def item_texts(item: Item) -> list[str]:
    """Every text of an item that makes a claim."""
    return [
        item.text,
        item.why,
        *(text for rejected in item.rejected for text in (rejected.option, rejected.why)),
        *(value for _, value in item.fields),
    ]


def _said(message: Message, calls: Sequence[CallSeen]) -> Iterable[tuple[Speaker, str]]:
    own = _speaker(message.role)
    for part in message.parts:
        match part:
            case TextPart():
                # A record that comes back in a user message has a user's role, not a user's word.
                yield from _unfenced(own, part.text)
            case ReasoningPart():
                yield Speaker.AGENT, part.text
            case ToolCallPart():
                yield Speaker.AGENT, f"{part.name} {_readable(part.arguments)}"
            case ToolResultPart():
                yield Speaker.TOOL, _readable(part.text)
                if spoken := spoken_in_result(part, calls):
                    yield Speaker.USER, spoken
                for answered in answered_in_result(part, calls):
                    yield Speaker.USER, answered.quote
            case _:
                pass


def _unfenced(own: Speaker, text: str) -> Iterable[tuple[Speaker, str]]:
    """The text, with what a record's fence encloses said by nobody."""
    start = 0
    while (begin := text.find(FENCE_OPEN, start)) >= 0:
        end = text.find(FENCE_CLOSE, begin)
        if end < 0:
            break
        yield own, text[start:begin]
        yield Speaker.DERIVED, text[begin:end]
        start = end + len(FENCE_CLOSE)
    yield own, text[start:]


def _speaker(role: Role) -> Speaker:
    match role:
        case Role.USER | Role.SYSTEM | Role.DEVELOPER:
            return Speaker.USER
        case Role.ASSISTANT:
            return Speaker.AGENT
        case Role.TOOL:
            return Speaker.TOOL


def _readable(text: str) -> str:
    """A JSON text followed by its strings as they read without escapes."""
    if "\\" not in text or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return text + "\n" + "\n".join(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
