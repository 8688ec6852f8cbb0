"""Sessions for the stories, and what must hold of every context they give."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import clew
from clew.codecs import codec_for
from clew.transcript import Format
from tests.failures.stories import Native, dumped
from tests.wire.check import violations

FENCE = "<clew-record>"


def session_of(
    wire: Format, window: int, *, summarizer: Any = "extractive", store: Any = None, **budget: Any
) -> clew.Session:
    """A session with a window in tokens of four characters each."""
    settings: dict[str, Any] = {"output_reserve_tokens": window // 10, **budget}
    policy = clew.Policy(clew.Budget(window, **settings))
    return clew.Session(
        policy=policy, format=wire, counter="chars4", summarizer=summarizer, store=store
    )


def prepared(session: clew.Session, wire: Format, messages: list[Native]) -> clew.Context:
    """Prepare, and judge what came out."""
    context = session.prepare(messages)
    judge(session, wire, messages, context)
    return context


def folded(session: clew.Session, wire: Format, messages: list[Native]) -> clew.Context:
    """Prepare and compact at once; something must have been folded."""
    context = prepared(session, wire, messages)
    if not isinstance(context.outcome, clew.Compacted):
        context = session.compact()
        judge(session, wire, messages, context)
    assert session.spans(), context.report.reason
    return context


def judge(
    session: clew.Session, wire: Format, messages: list[Native], context: clew.Context
) -> None:
    """Valid for the provider, within the budget, and nothing is out of reach."""
    assert violations(wire.value, context.messages, sent=False) == []
    assert context.report.tokens_after <= context.report.budget
    json.dumps(context.messages, ensure_ascii=False).encode("utf-8")
    out_of_reach = missing(session, messages, context)
    assert out_of_reach == [], out_of_reach[:1]


def missing(session: clew.Session, messages: list[Native], context: clew.Context) -> list[Native]:
    """Messages of the story that are neither in the context nor in the archive."""
    reachable = {*dumped(context.messages), *dumped(archived(session))}
    return [m for m, text in zip(messages, dumped(messages), strict=True) if text not in reachable]


def archived(session: clew.Session) -> list[Any]:
    """Every message that can be read back, spans and stubbed messages in view alike."""
    found: list[Any] = []
    for handle, _ in session.spans():
        found.extend(json.loads(session.recall(handle)))
    checkpoint = session.store.latest(session.session_id or "")
    if checkpoint is not None:
        digests = sorted({stub.digest for stub in checkpoint.stubs})
        found.extend(json.loads(kept.json) for kept in session.store.messages(digests).values())
    return found


def text_of(context: clew.Context) -> str:
    """Everything the model reads, as text."""
    return "\n".join(said(context.messages))


def said(value: Any) -> Iterator[str]:
    """Every string inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from said(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from said(inner)


def records_in(context: clew.Context) -> list[str]:
    """The rendered records in a context; there is at most one."""
    return [text for text in said(context.messages) if FENCE in text]


def record_text(context: clew.Context) -> str:
    """The rendered record; there is exactly one."""
    (text,) = records_in(context)
    return text


def roles_of(wire: Format, messages: list[Native]) -> list[str]:
    """Roles as Clew's own words."""
    codec = codec_for(wire)
    return [str(codec.parse(message, n).role) for n, message in enumerate(messages)]
