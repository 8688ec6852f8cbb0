"""The sections of a request: goal, record, what is owed, the offline proposal, the history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from clew.ports import TokenCounter
from clew.record.claims import one_line, shortened
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.fence import neutral
from clew.record.items import Item
from clew.record.kinds import Kind, KindTable
from clew.record.lines import full_line, short_line
from clew.summarize.excerpt import quoted
from clew.summarize.request import SpanView, SummaryRequest
from clew.summarize.speech import Passage, Voice, passages
from clew.tools_seen.seen import CallSeen, Outcome

_NAME_CHARS: Final = 120
_LINE_CHARS: Final = 300
_UNSETTLED: Final = frozenset({Outcome.FAILED, Outcome.REFUSED})


def fenced(name: str, body: str) -> str:
    """A body between marks that nothing in a neutral text can close."""
    return f"<clew-record-{name}>\n{body}\n</clew-record-{name}>"


def history_text(span: SpanView, limit_chars: int) -> str:
    """One span: who spoke, what each call did, and an excerpt of every text."""
    said = passages(span)
    blocks = [f"[{span.handle}]"]
    blocks.extend(f"{_heading(p)}\n{quoted(p.text, limit_chars)}" for p in said)
    if not said:
        blocks.append("nothing readable")
    return "\n".join(blocks)


def failed_calls(spans: Iterable[SpanView], accounted: frozenset[str] = frozenset()) -> list[str]:
    """One line for each call that failed or was refused; those in `accounted` spans are marked."""
    return [
        f"- {span.handle}: {_named(seen.tool)} {_did(seen)}"
        + (f": {_clean(seen.decisive_line)}" if seen.decisive_line else "")
        + (" (in the proposal)" if span.handle in accounted else "")
        for span in spans
        for seen in span.calls
        if seen.outcome in _UNSETTLED
    ]


def user_messages(spans: Iterable[SpanView]) -> list[str]:
    """One line for each span in which the user speaks; a program records the words themselves."""
    return [
        f"- {span.handle}: the user's words, recorded verbatim by a program; does it settle, "
        "change or withdraw anything above?"
        for span in spans
        if any(passage.voice is Voice.USER for passage in passages(span))
    ]


def accounted_spans(offline: Delta | None) -> frozenset[str]:
    """Spans whose failed calls the offline proposal records or dismisses."""
    operations = offline.operations if offline is not None else ()
    return frozenset(
        _span_of(operation)
        for operation in operations
        if isinstance(operation, Dismiss)
        or (isinstance(operation, Add | Supersede) and operation.item.kind == "dead_end")
    )


def open_items(request: SummaryRequest) -> list[str]:
    """Items of the record that are open and have to come out accounted for, one a line."""
    return [
        f"- {item.id} {item.kind}{_only_for(item, kind)}: "
        f"{_clean(shortened(item.text, _LINE_CHARS).text)}"
        for item in request.old.live()
        if (kind := request.kinds.get(item.kind)) is not None and kind.accountable
        if item.kind != "dead_end"
    ]


def _only_for(item: Item, kind: Kind) -> str:
    return f" (only for {_clean(item.field(kind.scope))})" if kind.scope else ""


def record_lines(
    items: Sequence[Item], kinds: KindTable, counter: TokenCounter, limit_tokens: int
) -> list[str]:
    """The live items of a record, short where they do not fit in full, the rest by id."""
    live = [item for item in items if item.live]
    full = [f"- {item.kind} {full_line(item, kinds.get(item.kind))}" for item in live]
    if sum(counter.count_texts(full)) <= limit_tokens:
        return full
    short = [f"- {item.kind} {short_line(item, kind=kinds.get(item.kind))}" for item in live]
    kept = fitting(short, counter, limit_tokens * 9 // 10)
    left = [item.id for item in live[len(kept) :]]
    more = [f"- unchanged, not shown: {', '.join(left)[:_LINE_CHARS]}"] if left else []
    return [*kept, *more]


def proposal_lines(
    offline: Delta | None, spans: Sequence[SpanView], counter: TokenCounter, limit_tokens: int
) -> list[str]:
    """What the offline summarizer proposes for these spans, as far as it fits."""
    if offline is None:
        return []
    handles = {span.handle for span in spans}
    lines = [
        line
        for operation in offline.operations
        if _span_of(operation) in handles and (line := _proposal(operation))
    ]
    return fitting(lines, counter, limit_tokens)


def fitting(lines: list[str], counter: TokenCounter, limit_tokens: int) -> list[str]:
    """The first lines whose tokens fit together."""
    used = 0
    for place, tokens in enumerate(counter.count_texts([f"{line}\n" for line in lines])):
        used += tokens
        if used > limit_tokens:
            return lines[:place]
    return lines


def _heading(passage: Passage) -> str:
    name = _named(passage.name)
    match passage.voice:
        case Voice.USER:
            return f"user {name}:" if name else "user:"
        case Voice.CALL:
            done = f" → {_did(passage.seen)}" if passage.seen is not None else ""
            return f"call {name}{done}:"
        case Voice.RESULT:
            return " ".join(filter(None, ("result", name, f"({len(passage.text):,} characters):")))
        case Voice.HARNESS:
            return "program around the agent, not the user:"
        case Voice.OTHER:
            return f"other ({name}):"
        case Voice.AGENT | Voice.THOUGHT:
            return f"{passage.voice.value}:"


def _did(seen: CallSeen) -> str:
    what = " ".join(filter(None, (seen.action.value, _clean(seen.resource))))
    code = f" (exit {seen.exit_code})" if seen.exit_code else ""
    waits = f", waits for approval {_clean(seen.approval)}" if seen.approval else ""
    return f"{what}: {seen.outcome.value}{code}{waits}"


def _named(name: str) -> str:
    return neutral(one_line(name))[:_NAME_CHARS]


def _clean(text: str) -> str:
    return neutral(one_line(text))[:_LINE_CHARS]


def _span_of(operation: Operation) -> str:
    match operation:
        case Add(item=item) | Supersede(item=item):
            return item.evidence[0].span if item.evidence else ""
        case Revise(evidence=evidence) | Close(evidence=evidence) | SetNext(evidence=evidence):
            return evidence[0].span if evidence else ""
        case Dismiss(span=span):
            return span


def _proposal(operation: Operation) -> str:
    """One operation as a line; empty for directives, which the history shows word for word."""
    match operation:
        case Add(item=item):
            if item.kind == "directive":
                return ""
            return f"- add {item.kind} ({_span_of(operation)}): {_clean(item.text)}"
        case Supersede(ids=ids, item=item):
            return f"- supersede {' '.join(ids)} by {item.kind}: {_clean(item.text)}"
        case Close(id=item_id, status=status):
            return f"- close {item_id}: {status.value} ({_span_of(operation)})"
        case Revise(id=item_id, text=text):
            return f"- revise {item_id}: {_clean(text)}"
        case Dismiss(span=span, reason=reason):
            return f"- dismiss {span}: {_clean(reason)}"
        case SetNext(text=text):
            return f"- next: {_clean(text)}"


def goal_text(goal: str, limit_chars: int) -> str:
    """The goal as quoted lines, its ends when it is long."""
    return quoted(goal, limit_chars)
