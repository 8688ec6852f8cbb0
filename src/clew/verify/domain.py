"""What a kind of the policy asks of its items: required fields, evidence, and one scope each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clew.errors import RecordError
from clew.record.delta import Revise, Supersede
from clew.record.items import Evidence, Item, Proposer, Speaker
from clew.record.kinds import Kind, KindTable, Proof
from clew.record.record import HandoffRecord
from clew.record.rules import check_shown
from clew.verify.finding import Finding, Rule
from clew.verify.literals import folded
from clew.verify.sources import Sources, SpanSource

_WORD = re.compile(r"[A-Za-z0-9][\w./#-]*")
_DIGITS = re.compile(r"\d+")
_SPEAKERS = {Proof.USER: Speaker.USER, Proof.TOOL: Speaker.TOOL}


def kind_findings(
    name: str,
    item: Item,
    kind: Kind,
    proposed_by: Proposer,
    *,
    others: Sequence[Item],
    sources: Sources,
) -> list[Finding]:
    """Required fields that are missing, evidence that the kind refuses, a scope nobody named.

    `others` are live items of the record and of the same delta. The first evidence is the proof;
    what else is cited explains, but proves nothing.
    """
    found = [
        Finding(rule=Rule.FIELDS, item=name, problem=f"a {kind.name} needs the detail {field!r}")
        for field in kind.required
        if not item.field(field).strip()
    ]
    try:
        check_shown(item, kind, proposed_by)
    except RecordError as error:
        return [*found, Finding(rule=Rule.EVIDENCE, item=name, problem=str(error))]
    speaker = _SPEAKERS.get(kind.evidence)
    if speaker is not None and not _spoken(item.evidence[0], speaker, others, sources):
        problem = f"the quote of a {kind.name} has to be the {speaker.value}'s own words"
        span = item.evidence[0].span
        found.append(Finding(rule=Rule.EVIDENCE, item=name, span=span, problem=problem))
    if kind.scope and item.field(kind.scope).strip() and item.evidence:
        found += _scope_findings(name, item, kind, others, sources)
    return found


def _spoken(proof: Evidence, speaker: Speaker, others: Iterable[Item], sources: Sources) -> bool:
    """Whether this speaker said the quote in its span; for an earlier one, as the record has it."""
    quote = folded(proof.quote)
    span = sources.span(proof.span)
    if span is not None:
        said = span.by.get(speaker)
        return said is not None and quote in said.folded
    return any(
        item.said_by is speaker and any(e.span == proof.span for e in item.evidence)
        and any(quote in folded(t) for t in (item.text, *(e.quote for e in item.evidence)))
        for item in others
    )  # fmt: skip


def scope_change_findings(
    name: str, operation: Revise | Supersede, old: HandoffRecord, kinds: KindTable
) -> list[Finding]:
    """A change that would let an item count for another thing than it was given for."""
    ids = operation.ids if isinstance(operation, Supersede) else (operation.id,)
    found: list[Finding] = []
    for item in (item for item_id in ids if (item := old.get(item_id)) is not None):
        kind = kinds.get(item.kind)
        if kind is None or not kind.scope:
            continue
        mine = item.field(kind.scope)
        if isinstance(operation, Revise):
            changed = dict(operation.fields).get(kind.scope, mine) != mine
            # Another wording of what one thing was allowed is how an allowance grows.
            changed = changed or bool(operation.text)
        else:
            new = operation.item
            changed = new.kind != item.kind or new.field(kind.scope) != mine
        if changed:
            problem = f"{item.id} counts only for {kind.scope} {mine!r} as it was said"
            found.append(_scope(name, item.evidence, problem))
    return found


def _scope_findings(
    name: str, item: Item, kind: Kind, others: Iterable[Item], sources: Sources
) -> list[Finding]:
    value, proof = item.field(kind.scope), item.evidence[0]
    if names(value, proof.quote):
        return _also_in_text(name, item, kind, value)
    if rivals := _alike(value, f"{proof.quote}\n{_whole(proof, kind, sources)}"):
        problem = f"the words name {', '.join(sorted(rivals))}; the quote has to name {value!r}"
        return [_scope(name, item.evidence, problem)]
    if not names(value, _asked_before(proof, sources)):
        problem = f"neither the quote nor what was asked just before names {kind.scope} {value!r}"
        return [_scope(name, item.evidence, problem)]
    for other in others:
        same = any(e.span == proof.span and e.quote == proof.quote for e in other.evidence)
        if other.kind == item.kind and same and other.field(kind.scope) != value:
            problem = f"these words already count for {kind.scope} {other.field(kind.scope)!r}"
            return [_scope(name, item.evidence, problem)]
    return _also_in_text(name, item, kind, value)


def _whole(proof: Evidence, kind: Kind, sources: Sources) -> str:
    """All that the speaker of a proof said in its span: a quote may have been cut short."""
    span = sources.span(proof.span)
    said = span.by.get(_SPEAKERS.get(kind.evidence, Speaker.USER)) if span is not None else None
    return said.text if said is not None else ""


def _also_in_text(name: str, item: Item, kind: Kind, value: str) -> list[Finding]:
    """A text that names another thing of the same shape than the scope does."""
    rivals = {word for word in _alike(value, item.text) if not names(word, value)}
    if not rivals:
        return []
    problem = f"it counts for {kind.scope} {value!r} and speaks of {', '.join(sorted(rivals))}"
    return [_scope(name, item.evidence, problem)]


def names(value: str, text: str) -> bool:
    """Whether a text names a thing, as a word of its own and not as the beginning of another."""
    wanted = folded(value).casefold().strip()
    if not wanted:
        return False
    pattern = rf"(?<![\w#-]){re.escape(wanted)}(?![\w#]|[-./]\w)"
    return re.search(pattern, folded(text).casefold()) is not None


def _alike(value: str, text: str) -> set[str]:
    """Words of a text with the shape of a value: the same letters around other digits."""
    if not (_DIGITS.search(value) and any(c.isalpha() for c in value)):
        return set()
    shape = _shape(value)
    words = (word.rstrip("./-#") for word in _WORD.findall(folded(text)))
    return {w for w in words if _shape(w) == shape and w.casefold() != folded(value).casefold()}


def _shape(word: str) -> str:
    return _DIGITS.sub("0", folded(word).casefold())


def _asked_before(evidence: Evidence, sources: Sources) -> str:
    """What the agent last said before the cited span: the question that a bare yes answers."""
    shown: Sequence[SpanSource] = (*sources.spans.values(), *sources.tail.values())
    ordered = sorted(shown, key=lambda span: span.position)
    handles = [span.handle for span in ordered]
    if evidence.span not in handles:
        return ""
    at = handles.index(evidence.span)
    here = ordered[at].by.get(Speaker.AGENT)
    asked = here or (ordered[at - 1].by.get(Speaker.AGENT) if at else None)
    return asked.text if asked is not None else ""


def _scope(name: str, evidence: Sequence[Evidence], problem: str) -> Finding:
    span = evidence[0].span if evidence else ""
    return Finding(rule=Rule.SCOPE, item=name, span=span, problem=problem)
