"""What the record allows: the table's rules and the law that no text gains authority."""

from __future__ import annotations

from math import isfinite
from operator import attrgetter

from clew.errors import RecordError
from clew.record.delta import Close
from clew.record.items import Evidence, Item, Proposer, Rejected, Speaker, Status
from clew.record.kinds import Kind, KindTable, Proof

TRUSTED = frozenset({Proposer.CALLER, Proposer.PERSON})
"""Who may act on the user's behalf without evidence."""

GENERATED = frozenset({Proposer.MODEL, Proposer.AGENT})
"""Whose words a language model wrote; they can hold anything a tool result told it."""

RANK = {Speaker.DERIVED: 0, Speaker.TOOL: 1, Speaker.AGENT: 2, Speaker.USER: 3}
"""Authority, lowest first."""

_texts_of = attrgetter("id", "kind", "text", "why", "superseded_by", "reason")
_numbers_of = attrgetter("uses", "first_seen", "last_used")
_closed_of = attrgetter("status", "said_by", "verified")


def texts(*values: object) -> bool:
    """Whether every value is a text."""
    return set(map(type, values)) == {str} or all(isinstance(value, str) for value in values)


def well_formed_evidence(evidence: object) -> bool:
    """Whether this is a tuple of Evidence with texts inside."""
    return isinstance(evidence, tuple) and all(
        isinstance(e, Evidence) and texts(e.span, e.quote) for e in evidence
    )


def well_formed_fields(fields: object) -> bool:
    """Whether this is a tuple of pairs of texts."""
    return isinstance(fields, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and texts(*pair) for pair in fields
    )


def well_formed_rejected(rejected: object) -> bool:
    """Whether this is a tuple of Rejected with texts inside."""
    return isinstance(rejected, tuple) and all(
        isinstance(r, Rejected) and texts(r.option, r.why) for r in rejected
    )


def check_shape(item: object) -> None:
    """Refuse a value that is no item inside, whatever a third-party summarizer made of it."""
    if not isinstance(item, Item):
        raise RecordError("an operation holds no item")
    value: object = item.value
    whole = (
        texts(*_texts_of(item))
        and set(map(type, _numbers_of(item))) == {int}
        and (type(value) is int or (type(value) is float and isfinite(value)))
        and tuple(map(type, _closed_of(item))) == (Status, Speaker, bool)
        and well_formed_evidence(item.evidence)
        and well_formed_fields(item.fields)
        and well_formed_rejected(item.rejected)
    )
    if not whole:
        raise RecordError("an item holds a value of the wrong type")


def kind_of(item: Item, kinds: KindTable) -> Kind:
    """The kind of an item; refuses the goal, the next action and kinds that do not exist."""
    if item.kind == "goal":
        raise RecordError("the goal is set once and no operation can touch it")
    if item.kind == "next":
        raise RecordError("the next action is set, not added")
    kind = kinds.get(item.kind)
    if kind is None:
        raise RecordError(f"no kind is called {item.kind!r}")
    return kind


def check_new(item: Item, kind: Kind, proposed_by: Proposer) -> None:
    """Refuse a new item that breaks its kind's rules or claims authority it cannot show."""
    if not item.text.strip():
        raise RecordError(f"a {kind.name} needs a text")
    if lacking := [name for name in kind.required if not item.field(name).strip()]:
        raise RecordError(f"a {kind.name} needs {' and '.join(lacking)}")
    if item.status is Status.SUPERSEDED:
        raise RecordError("a new item cannot be superseded already")
    if kind.name == "requirement" and item.status is Status.DONE and not item.evidence:
        raise RecordError("a requirement is done only with evidence")
    if kind.name == "directive":
        if item.said_by is not Speaker.USER:
            raise RecordError("a directive comes from the user alone")
        if proposed_by in GENERATED:
            raise RecordError(f"a {proposed_by.value} cannot create a directive")
    if item.said_by is Speaker.USER and proposed_by in GENERATED and not _is_quoted(item):
        raise RecordError("what the user is said to have said needs a quote from a span")
    check_shown(item, kind, proposed_by)


def check_shown(item: Item, kind: Kind, proposed_by: Proposer) -> None:
    """Refuse a new item that does not show what its kind asks for; see `Proof`.

    Callers and people need no quote; whose words an item reports is checked for them too.
    """
    if kind.evidence is Proof.CITED:
        return
    missing = proposed_by not in TRUSTED and not _is_quoted(item)
    match kind.evidence:
        case Proof.QUOTE if missing:
            raise RecordError(f"a {kind.name} needs a quote from a span")
        case Proof.USER if missing or item.said_by is not Speaker.USER:
            raise RecordError(f"a {kind.name} needs a quote of the user's own words")
        case Proof.TOOL if missing or (
            item.said_by is not Speaker.TOOL and proposed_by not in TRUSTED
        ):
            raise RecordError(f"a {kind.name} needs a quote of a tool's result")
        case _:
            return


def _is_quoted(item: Item) -> bool:
    """Whether an item quotes a span."""
    return any(e.span and e.quote.strip() for e in item.evidence)


def check_replaceable(old: Item, new: Item, kind: Kind, proposed_by: Proposer) -> None:
    """Refuse to replace an item that is settled, or the user's own rule by somebody else's words.

    `kind` is the kind of the old item.
    """
    if not old.live:
        raise RecordError(f"is {old.status.value} already", item=old.id)
    if proposed_by in TRUSTED:
        return
    if kind.name == "directive" and proposed_by in GENERATED:
        raise RecordError(f"a {proposed_by.value} cannot replace a directive", item=old.id)
    if kind.scope and (new.kind != old.kind or new.field(kind.scope) != old.field(kind.scope)):
        raise RecordError(
            f"counts only for {kind.scope} {old.field(kind.scope)}; nothing about another "
            f"takes its place",
            item=old.id,
        )
    guarded = kind.protected and old.said_by is Speaker.USER
    if guarded and new.said_by is not Speaker.USER:
        raise RecordError("what the user said is replaced only by what the user said", item=old.id)


def check_close(old: Item, kind: Kind, operation: Close, proposed_by: Proposer) -> None:
    """Refuse to close without a settled status, or without the evidence that the kind needs."""
    if not old.live:
        raise RecordError(f"is {old.status.value} already", item=old.id)
    settled = (Status.DONE, Status.ANSWERED, Status.WITHDRAWN, Status.CLOSED)
    if operation.status not in settled:
        raise RecordError(
            f"closing needs one of {', '.join(settled)}, not {operation.status}", item=old.id
        )
    shown = any(e.span for e in operation.evidence)
    if kind.name == "requirement" and operation.status is Status.DONE and not operation.evidence:
        raise RecordError("a requirement is done only with evidence", item=old.id)
    if proposed_by in TRUSTED:
        return
    accountable = kind.accountable or kind.name == "requirement" or old.said_by is Speaker.USER
    if accountable and not shown:
        raise RecordError(f"a {kind.name} is closed only with evidence", item=old.id)
    if not shown and not operation.reason.strip():
        raise RecordError("closing needs evidence or a reason", item=old.id)
