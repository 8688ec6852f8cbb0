"""What a search may find: exchanges that left the context, parts that were taken out, items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from clew.history import History
from clew.ports import Span, Stub
from clew.record.items import Item
from clew.record.record import HandoffRecord
from clew.transcript import Exchange, Message, TextPart, ToolCallPart, ToolResultPart
from clew.turn import Turn

_LABEL_CHARS = 200

CITED = "cited"
"""Kind of the spans of exchanges that a record names while they still stand in the context."""

_HANDLE = re.compile(r"\bS-\d+\b")


def search_text(messages: Sequence[Message]) -> str:
    """The text of an exchange for the search index: words, calls and results, in order."""
    pieces: list[str] = []
    for message in messages:
        calls: list[str] = []
        results: list[str] = []
        for part in message.parts:
            if isinstance(part, TextPart):
                pieces.append(part.text)
            elif isinstance(part, ToolCallPart):
                calls.append(f"{part.name} {part.arguments}")
            elif isinstance(part, ToolResultPart):
                results.append(part.text)
        pieces += calls
        pieces += results
    return "\n".join(filter(None, pieces))


def exchange_span(turn: Turn, history: History, exchange: Exchange) -> Span:
    """A whole exchange under its handle, named after its first line, without secrets."""
    messages = [history.body[i] for i in exchange.indices]
    first = history.positions[exchange.first]
    text = search_text([turn.redacted(m) for m in messages])
    return Span(
        handle=history.handle_at(first),
        position=first,
        digests=tuple(m.digest for m in messages),
        label=text.strip().split("\n", 1)[0][:_LABEL_CHARS],
        text=text,
    )


def evicted_spans(turn: Turn, history: History, stubs: Iterable[Stub]) -> tuple[Span, ...]:
    """The exchanges of these stubs, which stand in the context in part.

    They have no digests, since not all of an exchange is in the archive yet; the span that
    absorbs it later has the same handle and takes their place.
    """
    places = {stub.position for stub in stubs}
    return tuple(
        replace(exchange_span(turn, history, exchange), digests=())
        for exchange in history.exchanges
        if any(history.positions[i] in places for i in exchange.indices)
    )


def cited_spans(
    history: History, tail: Iterable[Exchange], record: HandoffRecord, text: str
) -> Iterator[Span]:
    """The exchanges of the tail that the record or its text names, as they are now.

    One may change yet, by a result that comes late; what was named stays what it was. They have no
    text: a search need not find what stands in the context.
    """
    named = set(_HANDLE.findall(text))
    named.update(each.span for item in record.items for each in item.evidence)
    named.update(each.span for each in record.next_evidence)
    for exchange in tail:
        first = history.positions[exchange.first]
        if history.handle_at(first) in named:
            yield Span(
                handle=history.handle_at(first),
                position=first,
                digests=tuple(history.body[i].digest for i in exchange.indices),
                kind=CITED,
            )


def item_spans(items: Iterable[Item]) -> Iterator[Span]:
    """Items of the record under their ids."""
    for item in items:
        yield Span(
            handle=item.id,
            position=item.first_seen,
            digests=(),
            label=item.text.split("\n", 1)[0][:_LABEL_CHARS],
            text="\n".join([item.text, item.why, *(value for _, value in item.fields)]),
            kind=item.kind,
        )
