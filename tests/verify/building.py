"""A small middle of a run, and deltas on it, for the tests of verification."""

from __future__ import annotations

from clew.record import Add, Delta, Evidence, HandoffRecord, Item, Operation, Proposer, Speaker
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen.seen import CallSeen
from clew.transcript import Message, Role, TextPart, ToolCallPart, ToolResultPart
from clew.verify import Verdict, verify_delta
from tests.record.building import COUNTER


def message(role: Role, *parts: TextPart | ToolCallPart | ToolResultPart) -> Message:
    return Message(role=role, parts=parts, native=None, plain={}, digest="")


def span(
    handle: str,
    *,
    user: str = "",
    agent: str = "",
    call: str = "",
    tool: str = "",
    calls: tuple[CallSeen, ...] = (),
) -> SpanView:
    """One exchange with what each speaker said; empty texts make no message."""
    messages: list[Message] = []
    if user:
        messages.append(message(Role.USER, TextPart(text=user)))
    if agent or call:
        parts: list[TextPart | ToolCallPart] = [TextPart(text=agent)] if agent else []
        if call:
            parts.append(ToolCallPart(call_id="c", name="bash", arguments=call))
        messages.append(message(Role.ASSISTANT, *parts))
    if tool:
        result = ToolResultPart(call_id="c", parts=(TextPart(text=tool),))
        messages.append(message(Role.TOOL, result))
    return SpanView(
        handle=handle, position=0, positions=tuple(range(len(messages))),
        messages=tuple(messages), calls=calls,
    )  # fmt: skip


def request(*spans: SpanView, old: HandoffRecord | None = None) -> SummaryRequest:
    return SummaryRequest(
        goal="Reconcile the ledgers", old=old or HandoffRecord(goal="Reconcile the ledgers"),
        spans=spans, tail=(), target_tokens=900, counter=COUNTER,
    )  # fmt: skip


def claim(text: str, handle: str, quote: str = "", *, kind: str = "fact",
          said_by: Speaker = Speaker.DERIVED, **fields: str) -> Item:  # fmt: skip
    return Item(
        id="", kind=kind, text=text, said_by=said_by,
        evidence=(Evidence(span=handle, quote=quote),), fields=tuple(fields.items()),
    )  # fmt: skip


def verdict_on(
    asked: SummaryRequest, *operations: Operation | Item, by: Proposer = Proposer.MODEL
) -> Verdict:
    """The verdict on operations; a bare item is added."""
    made = tuple(Add(item=op) if isinstance(op, Item) else op for op in operations)
    return verify_delta(Delta(operations=made, proposed_by=by), asked)
