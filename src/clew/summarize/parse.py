"""From a model's reply to a delta: tolerant about what stands around it, strict about meaning.

What cannot be read is an `Unreadable` with its own reason; an operation that makes no sense by
itself is left out and named. Whether an operation is true is for verification.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from clew.ports import ModelReply
from clew.record.claims import one_line
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Evidence, Item, Proposer, Rejected, Status
from clew.record.kinds import Kind, KindTable
from clew.summarize.reply import Unreadable, Unusable, members_of, open_reply, without_thoughts
from clew.summarize.request import SpanView
from clew.summarize.salvage import whole_operations
from clew.summarize.schema import CLOSED_AS, proposable
from clew.summarize.speech import passages, said_sentence, speaker_of

_LONGEST_TEXT_CHARS: Final = 4_000
_MOST_OPERATIONS: Final = 200
_SHORTEST_REASON_CHARS: Final = 12
_BROKEN_OFF: Final = frozenset({Unusable.CUT_OFF, Unusable.BROKEN, Unusable.UNENDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The operations of a reply, and what was left out of it with the reason."""

    delta: Delta
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a reply may speak of: the kinds, the spans, the summarizer's name.

    New items are called `new-<n>` from `first_number` on until they are applied.
    """

    kinds: KindTable
    spans: tuple[SpanView, ...]
    summarizer: str = ""
    first_number: int = 1
    max_reply_chars: int = 120_000


def read_reply(reply: ModelReply, context: Context) -> Parsed | Unreadable:
    """The delta of a reply, or why it holds none."""
    opened = open_reply(reply, context.max_reply_chars)
    broken = ""
    if isinstance(opened, Unreadable):
        whole = _salvaged(opened, reply.text)
        if whole is None:
            return opened
        broken = f"the answer {opened.sentence}: give fewer and shorter operations"
        opened = whole
    reader = _Reader(context)
    operations = tuple(dict.fromkeys(reader.operations(opened)))
    if broken:
        reader.problems.insert(0, broken)
    delta = Delta(
        operations=_numbered(operations[:_MOST_OPERATIONS], context.first_number),
        proposed_by=Proposer.MODEL,
        summarizer=context.summarizer,
    )
    return Parsed(delta=delta, problems=tuple(dict.fromkeys(reader.problems)))


def _salvaged(failed: Unreadable, text: str) -> Mapping[str, Any] | None:
    """The operations that stand whole before an answer breaks off."""
    if failed.reason not in _BROKEN_OFF:
        return None
    found = whole_operations(without_thoughts(text))
    return members_of(found) if found is not None else None


def _numbered(operations: tuple[Operation, ...], number: int) -> tuple[Operation, ...]:
    """The operations with a local name for each new item."""
    named: list[Operation] = []
    for operation in operations:
        if isinstance(operation, Add | Supersede):
            named.append(replace(operation, item=replace(operation.item, id=f"new-{number}")))
            number += 1
        else:
            named.append(operation)
    return tuple(named)


class _WrongError(Exception):
    """A member of a reply that makes no sense."""


class _Reader:
    """Reads the members of one reply; what makes no sense goes to `problems`."""

    def __init__(self, context: Context) -> None:
        self._kinds = {kind.name: kind for kind in proposable(context.kinds)}
        self._spans = {span.handle: span for span in context.spans}
        self._said: dict[str, str] = {}
        self.problems: list[str] = []

    def operations(self, reply: Mapping[str, Any]) -> Iterator[Operation]:
        """Every operation that can be read, in the order of the form."""
        readers = {
            "add": self._add,
            "supersede": self._supersede,
            "revise": self._revise,
            "close": self._close,
            "dismiss": self._dismiss,
        }
        for name, read in readers.items():
            for place, value in enumerate(_listed(reply.get(name))):
                try:
                    if not isinstance(value, Mapping):
                        raise _WrongError("it is no object")
                    yield read(value)
                except _WrongError as wrong:
                    self.problems.append(f"{name} {place + 1} was left out: {wrong}")
        if (following := self._next(reply.get("next"))) is not None:
            yield following

    def _next(self, value: Any) -> SetNext | None:
        """The next action, only in words that the agent or the user used for it.

        It is the one text of a record that is read as something to do: a model chooses among what
        was said and adds no word.
        """
        if isinstance(value, Mapping):
            value = value.get("quote") or value.get("text")
        if not isinstance(value, str) or not value.strip():
            return None
        found = said_sentence(value, self._spans.values())
        if found is None:
            self.problems.append("next was left out: neither the agent nor the user said so")
            return None
        sentence, handle = found
        return SetNext(text=sentence, evidence=(Evidence(span=handle, quote=sentence),))

    def _add(self, value: Mapping[str, Any]) -> Operation:
        return Add(item=self._item(value))

    def _supersede(self, value: Mapping[str, Any]) -> Operation:
        ids = value.get("ids")
        named = [ids] if isinstance(ids, str) else _listed(ids)
        handles = tuple(dict.fromkeys(handle_of(i) for i in named if isinstance(i, str) and i))
        if not handles:
            raise _WrongError("it names no item to supersede")
        return Supersede(ids=handles, item=self._item(value), reason=_text(value, "reason"))

    def _revise(self, value: Mapping[str, Any]) -> Operation:
        evidence = self._evidence(value)
        text = _text(value, "text")
        if not text and not evidence:
            raise _WrongError("it changes nothing")
        return Revise(id=_id(value), text=text, evidence=evidence, reason=_text(value, "reason"))

    def _close(self, value: Mapping[str, Any]) -> Operation:
        status = _text(value, "status").lower()
        if status not in CLOSED_AS:
            raise _WrongError(f"{status!r} is not one of {', '.join(CLOSED_AS)}")
        return Close(
            id=_id(value),
            status=Status(status),
            evidence=self._evidence(value),
            reason=_text(value, "reason"),
        )

    def _dismiss(self, value: Mapping[str, Any]) -> Operation:
        span, reason = handle_of(_text(value, "span")), _text(value, "reason")
        if not span or not reason:
            raise _WrongError("a dismissal needs the span and the reason")
        return Dismiss(span=span, reason=reason)

    def _item(self, value: Mapping[str, Any]) -> Item:
        kind = self._kind(value)
        text = _text(value, "text")
        if not text:
            raise _WrongError("it has no text")
        rejected, fields, why = _rejected(value), _details(value, kind), _text(value, "why")
        evidence = self._evidence(value)
        span = self._spans.get(evidence[0].span) if evidence else None
        position = span.position if span is not None else 0
        reasons = (why, *(r.why for r in rejected), *(detail for _, detail in fields))
        evidence = (*evidence, *self._further(reasons, evidence))
        item = Item(
            id="",
            kind=kind.name,
            text=text,
            status=Status.OPEN if kind.opens or kind.name == "job" else Status.ACTIVE,
            evidence=evidence,
            why=why,
            rejected=rejected,
            fields=fields,
            proposed_by=Proposer.MODEL,
            first_seen=position,
            last_used=position,
        )
        # The voice is read from the history, never taken from the model.
        return replace(item, said_by=speaker_of(evidence[0].quote, span)) if span else item

    def _further(
        self, reasons: tuple[str, ...], cited: tuple[Evidence, ...]
    ) -> tuple[Evidence, ...]:
        """Evidence for reasons that were copied word for word from another span than the cited one.

        The form has room for one quote; an error line or a reason often stands elsewhere.
        """
        found: list[Evidence] = []
        known = [self._words_of(e.span) for e in cited]
        for reason in dict.fromkeys(reasons):
            words = one_line(reason)
            if len(words) < _SHORTEST_REASON_CHARS or any(words in said for said in known):
                continue
            handle = next((h for h in reversed(self._spans) if words in self._words_of(h)), "")
            if handle:
                found.append(Evidence(span=handle, quote=reason))
        return tuple(found)

    def _words_of(self, handle: str) -> str:
        if handle not in self._said:
            span = self._spans.get(handle)
            said = [one_line(p.text) for p in passages(span)] if span is not None else []
            self._said[handle] = "\n".join(said)
        return self._said[handle]

    def _kind(self, value: Mapping[str, Any]) -> Kind:
        name = _text(value, "kind").lower().replace(" ", "_").replace("-", "_")
        kind = self._kinds.get(name)
        if kind is None:
            raise _WrongError(f"a model cannot add a {name or 'thing without a kind'}")
        return kind

    def _evidence(self, value: Mapping[str, Any]) -> tuple[Evidence, ...]:
        given = [value, *(e for e in _listed(value.get("evidence")) if isinstance(e, Mapping))]
        found = (
            Evidence(span=handle_of(_text(each, "span")), quote=_text(each, "quote"))
            for each in given
        )
        return tuple(dict.fromkeys(evidence for evidence in found if evidence.span))


def handle_of(text: str) -> str:
    """A handle as the record writes it, from the ways models write one (`[s41]` is `S-41`)."""
    bare = text.strip().strip("[](){}<>\"'`.,:;# ")
    letters = bare.rstrip("0123456789")
    number = bare[len(letters) :]
    letters = letters.rstrip("-_ –‑")
    if not number or not letters.isalpha():
        return bare
    named = letters.lower() if letters.lower() == "new" else letters.upper()
    if named == "SPAN":
        named = "S"
    return f"{named}-{int(number)}"


def _id(value: Mapping[str, Any]) -> str:
    if not (handle := handle_of(_text(value, "id"))):
        raise _WrongError("it names no item")
    return handle


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name, "")
    if found is None:
        return ""
    if not isinstance(found, str):
        if isinstance(found, bool | int | float):
            return str(found)
        raise _WrongError(f"its {name} is no text")
    if len(found) > _LONGEST_TEXT_CHARS:
        raise _WrongError(f"its {name} has {len(found):,} characters")
    return found.strip()


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _rejected(value: Mapping[str, Any]) -> tuple[Rejected, ...]:
    found: list[Rejected] = []
    for each in _listed(value.get("rejected")):
        if isinstance(each, str) and each.strip():
            found.append(Rejected(option=each.strip()))
        elif isinstance(each, Mapping) and (option := _text(each, "option")):
            found.append(Rejected(option=option, why=_text(each, "why")))
    return tuple(dict.fromkeys(found))


def _details(value: Mapping[str, Any], kind: Kind) -> tuple[tuple[str, str], ...]:
    """The further fields that this kind has, each once; a small model fills in others too."""
    known = (*kind.required, *kind.optional)
    found: dict[str, str] = {}
    given = value.get("details")
    pairs = (
        [{"name": n, "value": v} for n, v in given.items()]
        if isinstance(given, Mapping)
        else [each for each in _listed(given) if isinstance(each, Mapping)]
    )
    for each in pairs:
        name, detail = _text(each, "name"), _text(each, "value")
        if name in known and detail:
            found.setdefault(name, detail)
    return tuple(found.items())
