"""Authority: nothing in a delta speaks with a louder voice than its source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.delta import Close, Revise, Supersede
from clew.record.items import Evidence, Item, Proposer, Speaker, Status
from clew.record.kinds import KindTable
from clew.record.record import HandoffRecord
from clew.record.rules import GENERATED, RANK
from clew.verify.finding import Finding, Rule
from clew.verify.grounding import SAME_SUBJECT
from clew.verify.literals import folded
from clew.verify.sources import Sources, SpanSource
from clew.verify.words import content, overlap

_APPROVAL = re.compile(
    r"\b(?:user|customer|owner|client|human|operator)\b[^.;\n]{0,30}?\b(?:approv|agreed|allow|"
    r"confirm|permit|authori[sz]|accept|ok'?ed)\w*|"
    r"\b(?:approval|permission|authori[sz]ation|consent)\s+(?:was\s+|is\s+|has been\s+)?"
    r"(?:given|granted|cleared|received)\b",
    re.IGNORECASE,
)
_NOT_APPROVED = re.compile(
    r"\b(?:not|never|no|without|until|await\w*|pending|need\w*|required?|ask\w*|unless|before|if|"
    r"\w+n't)\b",
    re.IGNORECASE,
)
_WORD_FOR_WORD = frozenset({"invariant", "requirement"})
"""Kinds that bind the agent in the user's name."""
_MOST_WORDS = 0.5
_PIECE = re.compile(r" ?(?:\.\.\.|\[[^\]]{0,80}\]) ?")


def new_item_findings(
    name: str, item: Item, proposed_by: Proposer, sources: Sources
) -> list[Finding]:
    """A model's directive, a speaker that the spans do not show, an approval nobody gave."""
    if item.kind == "goal":
        return [_finding(name, "", "the goal is set once and no operation can touch it")]
    if item.kind == "directive" and proposed_by in GENERATED:
        return [_finding(name, "", "a directive comes from the user alone")]
    found: list[Finding] = []
    if item.kind == "directive":
        found += _directive(name, item, sources)
    elif RANK[item.said_by] > RANK[Speaker.DERIVED]:
        found += _speaker(name, item, sources, reworded=proposed_by in GENERATED)
    if (
        _APPROVAL.search(item.text)
        and not _NOT_APPROVED.search(item.text)
        and not _user_said(item.evidence, item.text, sources)
    ):
        problem = "an approval comes from the user alone, and no cited user message gives one"
        found.append(_finding(name, _first_span(item.evidence), problem))
    return found


def change_findings(
    name: str,
    operation: Revise | Supersede | Close,
    old: HandoffRecord,
    kinds: KindTable,
    proposed_by: Proposer,
    sources: Sources,
) -> list[Finding]:
    """Changes to what the user said that the user did not make."""
    ids = operation.ids if isinstance(operation, Supersede) else (operation.id,)
    found: list[Finding] = []
    for item in (item for item_id in ids if (item := old.get(item_id)) is not None):
        kind = kinds.get(item.kind)
        users_rule = item.said_by is Speaker.USER and kind is not None and kind.protected
        match operation:
            case Revise() if users_rule and (operation.text or operation.fields):
                found.append(_finding(name, "", "the user's own words are not reworded"))
            case Revise() if proposed_by in GENERATED and _of_something_else(operation, item):
                found.append(_finding(name, "", "the new wording speaks of something else"))
            case Supersede() if users_rule and (
                operation.item.said_by is not Speaker.USER
                or (item.kind == "directive" and proposed_by in GENERATED)
            ):
                found.append(_finding(name, "", "what the user said is replaced only by the user"))
            case Close() if users_rule and (
                operation.status is Status.WITHDRAWN or item.kind == "invariant"
            ):
                if not _user_said(operation.evidence, item.text, sources):
                    found.append(_finding(name, "", "only the user withdraws what the user said"))
            case _:
                pass
    return found


def _directive(name: str, item: Item, sources: Sources) -> list[Finding]:
    """The text stands in a user message; a long one may show pieces around an ellipsis."""
    spans = [s for e in item.evidence if (s := sources.span(e.span)) is not None]
    if not spans or _is_word_for_word(item.text, spans):
        return []
    return [_finding(name, spans[0].handle, "the directive is not the user's words")]


def _is_word_for_word(text: str, spans: Sequence[SpanSource]) -> bool:
    """Whether a text, or each of its pieces around an ellipsis, stands in what the user said."""
    said, whole = " ".join(map(_user_text, spans)), folded(text)
    pieces = [piece for piece in _PIECE.split(whole) if piece]
    return whole in said or (bool(pieces) and all(piece in said for piece in pieces))


def _of_something_else(operation: Revise, old: Item) -> bool:
    """Whether a new wording shares too few words with the old one and with what is cited."""
    if not operation.text.strip():
        return False
    quotes = (e.quote for e in (*old.evidence, *operation.evidence))
    known = frozenset(content("\n".join((old.text, old.why, *quotes))))
    return overlap(frozenset(content(operation.text)), known) < SAME_SUBJECT


def _speaker(name: str, item: Item, sources: Sources, *, reworded: bool) -> list[Finding]:
    """Nobody of this authority says so; who rewords (a model) may not put words in a mouth."""
    shown = [span for e in item.evidence if (span := sources.span(e.span)) is not None]
    if not shown or len(shown) < len(item.evidence):
        return []
    if reworded and item.said_by is Speaker.USER and not _is_the_users(item, shown):
        return [_finding(name, shown[0].handle, "the user did not say this in these words")]
    for evidence in item.evidence:
        span = sources.span(evidence.span)
        if span is not None and _loudest(span, evidence, item.text) >= RANK[item.said_by]:
            return []
    problem = f"no {item.said_by.value} says this in the cited span"
    return [_finding(name, shown[0].handle, problem)]


def _is_the_users(item: Item, spans: Sequence[SpanSource]) -> bool:
    """Whether the text is the user's: a rule word for word, anything else in most of its words."""
    if item.kind in _WORD_FOR_WORD or _is_word_for_word(item.text, spans):
        return _is_word_for_word(item.text, spans)
    said = frozenset(content("\n".join(map(_user_text, spans))))
    return overlap(frozenset(content(item.text)), said) >= _MOST_WORDS


def _loudest(span: SpanSource, evidence: Evidence, text: str) -> int:
    """The highest authority among the parts of a span that hold the quote (or speak of this)."""
    quote = folded(evidence.quote)
    ranks = [0]
    for speaker, said in span.by.items():
        if quote:
            holds = quote in said.folded
        else:
            holds = overlap(frozenset(content(text)), frozenset(content(said.text))) >= 0.5
        if holds:
            ranks.append(RANK[speaker])
    return max(ranks)


def _user_said(evidence: Sequence[Evidence], text: str, sources: Sources) -> bool:
    return any(
        _loudest(span, each, text) == RANK[Speaker.USER]
        for each in evidence
        if (span := sources.span(each.span)) is not None
    )


def _user_text(span: SpanSource) -> str:
    said = span.by.get(Speaker.USER)
    return said.folded if said else ""


def _first_span(evidence: Sequence[Evidence]) -> str:
    return evidence[0].span if evidence else ""


def _finding(name: str, span: str, problem: str) -> Finding:
    return Finding(rule=Rule.AUTHORITY, item=name, span=span, problem=problem)
