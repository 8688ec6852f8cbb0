"""Formats that are known by sight and not read: the error then names them and the way on."""

from __future__ import annotations

from collections.abc import Callable

from clew.importers.shapes import mapping, sequence
from clew.importers.source import Source

_ADVICE = "export the conversation as a JSON list of messages, which is expected here"


def foreign_format(source: Source) -> str:
    """What a source is that no importer reads, with the way on; empty when nobody knows it."""
    for name, looks_like in _FORMATS:
        if looks_like(source):
            return f"recognised as {name}, which is not read; {_ADVICE}"
    return ""


def _langsmith(source: Source) -> bool:
    document = mapping(source.document)
    return "post" in document and "patch" in document


def _langfuse(source: Source) -> bool:
    document = mapping(source.document)
    return "trace" in document and "observations" in document


def _telemetry(source: Source) -> bool:
    document = mapping(source.document)
    spans = sequence(source.document) or sequence(document.get("spans"))
    first = mapping(spans[0]) if spans else {}
    jaeger = mapping((sequence(document.get("data")) or [None])[0])
    return (
        "spans" in jaeger
        or any(key in document for key in ("batches", "resourceSpans"))
        or ("attributes" in first and any(k in first for k in ("span_id", "context", "spanId")))
        or any("resourceSpans" in line.value for line in source.lines[:3])
    )


def _moatless(source: Source) -> bool:
    document = mapping(source.document)
    return "transitions" in document and "transition_rules" in document


def _cline_screen(source: Source) -> bool:
    entries = sequence(source.document)
    return bool(entries) and all(
        "ts" in mapping(e) and ("say" in mapping(e) or "ask" in mapping(e)) for e in entries[:5]
    )


def _terminal(source: Source) -> bool:
    return source.document is None and "\x1b[" in source.text[:5000]


def _banners(source: Source) -> bool:
    head = source.text[:50_000]
    return source.document is None and ("AGENT:" in head or "\nmessages:" in head)


def _event_page(source: Source) -> bool:
    return "kind" in mapping(source.document) and "timestamp" in mapping(source.document)


_FORMATS: tuple[tuple[str, Callable[[Source], bool]], ...] = (
    ("a LangSmith run", _langsmith),
    ("a Langfuse trace", _langfuse),
    ("OpenTelemetry spans", _telemetry),
    ("a Moatless trajectory", _moatless),
    (
        "the screen file of a Cline task (name its folder or api_conversation_history.json)",
        _cline_screen,
    ),
    ("one event of OpenHands (name the folder of events)", _event_page),
    ("a terminal recording", _terminal),
    ("a text log of an agent", _banners),
)
