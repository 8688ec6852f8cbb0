"""Check a delta against what its author was shown, operation by operation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.errors import RecordError
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Evidence, Item, Proposer, Speaker
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.rules import (
    GENERATED,
    TRUSTED,
    check_shape,
    texts,
    well_formed_evidence,
    well_formed_fields,
)
from clew.summarize.request import SummaryRequest
from clew.verify.authority import change_findings, new_item_findings
from clew.verify.contradiction import contradicted
from clew.verify.coverage import coverage_findings
from clew.verify.domain import kind_findings, scope_change_findings
from clew.verify.finding import Finding, Rule, Severity, Verdict
from clew.verify.grounding import (
    evidence_findings,
    literal_findings,
    place_findings,
    subject_findings,
)
from clew.verify.literals import CHECKED_CHARS, LiteralKind, folded, literals, stands_in, values_of
from clew.verify.qualifying import kept_findings, qualifier_findings
from clew.verify.reasons import with_said_reasons
from clew.verify.sources import Sources, item_texts

ITEM_TOKENS = 400
"""An item above this size holds content where it should hold a claim and a handle."""

COMPOSED = frozenset({"directive", "dead_end", "effect", "environment", "artifact", "job"})
"""Kinds whose texts are put together from parts and are no sentence from one place."""

_HANDLE = re.compile(r"(?<![\w-])([A-Z])-(\d+)(?![\w-])")
_FENCE = re.compile(r"[<＜]\s{0,16}/?\s{0,16}clew[-_\s‐-―]?record", re.IGNORECASE)


def verify_delta(
    delta: Delta, request: SummaryRequest, kinds: KindTable = DEFAULT_KINDS
) -> Verdict:
    """All findings on a delta, with the operations that stand and those that an error drops.

    A claim that gives an old subject another number stands as what supersedes the old one.
    Operations of callers and people are checked for shape, forged handles and fences alone.
    """
    check = _Check(delta.proposed_by, request, kinds)
    accepted: list[Operation] = []
    dropped: list[Operation] = []
    findings: list[Finding] = []
    for place, operation in enumerate(delta.operations, start=1):
        name = f"operation {place}"
        found = check.operation(name, operation)
        findings += found
        if any(finding.severity is Severity.ERROR for finding in found):
            dropped.append(operation)
            continue
        doubtful = any(finding.severity is Severity.WARNING for finding in found)
        standing, more = check.reconciled(name, operation, doubtful)
        findings += more
        accepted.append(standing)
    findings += coverage_findings(accepted, request)
    return Verdict(findings=tuple(findings), accepted=tuple(accepted), dropped=tuple(dropped))


class _Check:
    """One delta under check; remembers the items that already stand."""

    def __init__(self, proposed_by: Proposer, request: SummaryRequest, kinds: KindTable) -> None:
        self._by = proposed_by
        self._request = request
        self._kinds = kinds
        self._sources = Sources(request)
        self._ids = {item.id for item in request.old.items}
        self._standing: list[Item] = []

    def operation(self, name: str, operation: Operation) -> list[Finding]:
        """The findings on one operation."""
        try:
            _check_types(operation)
        except RecordError as error:
            return [Finding(rule=Rule.FORGERY, item=name, problem=str(error))]
        match operation:
            case Add():
                return self._new_item(name, operation.item)
            case Supersede():
                return [
                    *self._known(name, operation.ids),
                    *self._change(name, operation),
                    *self._new_item(name, operation.item),
                ]
            case Revise():
                return self._revise(name, operation)
            case Close():
                return [
                    *self._known(name, (operation.id,)),
                    *self._change(name, operation),
                    *self._evidence(name, operation.evidence),
                    *self._marks(name, (operation.reason,)),
                    *self._literals(name, operation.reason),
                ]
            case Dismiss():
                return [*self._span(name, operation.span), *self._marks(name, (operation.reason,))]
            case SetNext():
                return [
                    *self._evidence(name, operation.evidence),
                    *self._marks(name, (operation.text,)),
                    *self._literals(name, operation.text),
                ]

    def reconciled(
        self, name: str, operation: Operation, doubtful: bool
    ) -> tuple[Operation, list[Finding]]:
        """The operation as it stands: marked unverified, or superseding what it contradicts."""
        if not isinstance(operation, Add | Supersede):
            return operation, []
        item = replace(operation.item, verified=False) if doubtful else operation.item
        found: list[Finding] = []
        if self._by in GENERATED:
            item, found = with_said_reasons(name, item, self._chosen(operation), self._sources)
        standing: Operation = replace(operation, item=item)
        if isinstance(operation, Add) and self._by not in TRUSTED:
            rival = contradicted(item, self._request.old.items)
            if rival is not None and not (
                rival.said_by is Speaker.USER and item.said_by is not Speaker.USER
            ):
                problem = f"{rival.id} says another number of the same; it is superseded"
                found.append(_contradiction(name, rival.id, problem, Severity.NOTE))
                standing = Supersede(ids=(rival.id,), item=item, reason="another number")
        self._standing.append(item)
        return standing, found

    def _chosen(self, operation: Add | Supersede) -> list[str]:
        """What other decisions chose and still choose: of the record and earlier in this delta."""
        replaced = operation.ids if isinstance(operation, Supersede) else ()
        old = (item for item in self._request.old.live() if item.id not in replaced)
        return [each.text for each in (*old, *self._standing) if each.kind == "decision"]

    def _new_item(self, name: str, item: Item) -> list[Finding]:
        found = self._marks(name, (*item_texts(item), *(e.quote for e in item.evidence)))
        if self._by in TRUSTED:
            return found
        found += new_item_findings(name, item, self._by, self._sources)
        if not item.evidence:
            found.append(_ungrounded(name, "", "the item cites nothing"))
        if (kind := self._kinds.get(item.kind)) is not None:
            others = (*self._request.old.live(), *self._standing)
            found += kind_findings(name, item, kind, self._by, others=others, sources=self._sources)
        found += self._evidence(name, item.evidence)
        if item.kind != "directive":
            claims = self._claims(item)
            found += literal_findings(name, claims, item.evidence, self._sources)
            found += subject_findings(name, item.text, item.evidence, self._sources)
            found += self._size(name, item)
        if item.kind not in COMPOSED:
            found += place_findings(name, item.text, item.evidence, self._sources)
            found += qualifier_findings(
                name, _claim_of(item), item.evidence, self._sources, reason=item.why
            )
        found += self._conflicts(name, item)
        return found

    def _claims(self, item: Item) -> list[str]:
        """The texts of an item whose literals the evidence holds; a scope has its own rule."""
        kind = self._kinds.get(item.kind)
        scope = item.field(kind.scope) if kind is not None and kind.scope else ""
        return [text for text in item_texts(item) if not scope or text != scope]

    def _conflicts(self, name: str, item: Item) -> list[Finding]:
        """A number against the user's word or against an earlier operation of the same delta."""
        if twin := contradicted(item, self._standing):
            problem = f"an earlier operation gives another number: {twin.text:.80}"
            # Two measurements at two times may differ; one place cannot say both.
            one_place = {e.span for e in item.evidence} & {e.span for e in twin.evidence}
            severity = Severity.ERROR if one_place else Severity.NOTE
            return [_contradiction(name, "", problem, severity)]
        rival = contradicted(item, self._request.old.items)
        if rival and rival.said_by is Speaker.USER and item.said_by is not Speaker.USER:
            problem = f"{rival.id} is the user's word and gives another number"
            return [_contradiction(name, rival.id, problem, Severity.ERROR)]
        return []

    def _revise(self, name: str, operation: Revise) -> list[Finding]:
        found = self._known(name, (operation.id,)) + self._change(name, operation)
        values = [value for _, value in operation.fields]
        found += self._marks(name, (operation.text, operation.reason, *values))
        found += self._evidence(name, operation.evidence)
        old = self._request.old.get(operation.id)
        if self._by in TRUSTED or old is None:
            return found
        evidence = (*operation.evidence, *old.evidence)
        found += literal_findings(name, (operation.text, *values), evidence, self._sources)
        if operation.text:
            found += place_findings(name, operation.text, operation.evidence, self._sources)
            found += qualifier_findings(name, operation.text, operation.evidence, self._sources)
            if not operation.evidence:
                found += kept_findings(name, folded(operation.text), folded(old.text))
        return found

    def _change(self, name: str, operation: Revise | Supersede | Close) -> list[Finding]:
        if self._by in TRUSTED:
            return []
        old = self._request.old
        scoped = (
            scope_change_findings(name, operation, old, self._kinds)
            if isinstance(operation, Revise | Supersede)
            else []
        )
        return [
            *scoped,
            *change_findings(name, operation, old, self._kinds, self._by, self._sources),
        ]

    def _evidence(self, name: str, evidence: Sequence[Evidence]) -> list[Finding]:
        if self._by in TRUSTED:
            return []
        return evidence_findings(name, evidence, self._sources)

    def _known(self, name: str, ids: Sequence[str]) -> list[Finding]:
        return [
            Finding(rule=Rule.FORGERY, item=name, problem=f"no item is called {item_id!r}")
            for item_id in ids
            if item_id not in self._ids
        ]

    def _span(self, name: str, span: str) -> list[Finding]:
        if span in self._sources.spans:
            return []
        problem = f"{span!r} is no span of this compaction"
        return [Finding(rule=Rule.FORGERY, item=name, span=span, problem=problem)]

    def _literals(self, name: str, text: str) -> list[Finding]:
        """Literals of a text that cites nothing itself: anything that was shown will do."""
        if self._by in TRUSTED:
            return []
        everything = self._sources.everything
        return [
            _ungrounded(name, "", f"{each.kind.value} {each.text!r} stands nowhere")
            for each in literals(folded(text))
            if not (
                values_of(each.text) & everything.numbers
                if each.kind is LiteralKind.NUMBER
                else stands_in(each, everything.plain) or each.text in self._sources.known
            )
        ]

    def _marks(self, name: str, written: Sequence[str]) -> list[Finding]:
        """Look-alikes of the record's fence, and handles that nobody gave out."""
        found: list[Finding] = []
        for text in written:
            if _FENCE.search(text):
                problem = "the text imitates the fence of the record"
                found.append(Finding(rule=Rule.FORGERY, item=name, problem=problem))
            for match in _HANDLE.finditer(text):
                if not self._handle_exists(match):
                    problem = f"{match.group()} is no handle of this session"
                    found.append(
                        Finding(rule=Rule.FORGERY, item=name, span=match.group(), problem=problem)
                    )
        return found

    def _handle_exists(self, match: re.Match[str]) -> bool:
        handle = match.group()
        ours = match[1] == "S" or self._kinds.by_letter(match[1]) is not None
        return not ours or handle in self._sources.known or handle in self._sources.everything.text

    def _size(self, name: str, item: Item) -> list[Finding]:
        tokens = self._request.counter.count_text(item.text)
        limit = max(ITEM_TOKENS, self._request.target_tokens // 3)
        unchecked = any(len(text) > CHECKED_CHARS for text in item_texts(item))
        if tokens <= limit and not unchecked:
            return []
        problem = f"{tokens:,} tokens are content, not a claim; a claim and a handle will do"
        severity = Severity.WARNING if unchecked else Severity.NOTE
        return [Finding(rule=Rule.SIZE, item=name, problem=problem, severity=severity)]


def _claim_of(item: Item) -> str:
    """What an item claims, with the fields in which a qualifier may stand."""
    return " ".join((item.text, *(value for _, value in item.fields)))


def _check_types(operation: object) -> None:
    """Refuse operations with values of the wrong type inside."""
    match operation:
        case Add():
            check_shape(operation.item)
            whole = True
        case Supersede():
            check_shape(operation.item)
            whole = texts(operation.reason, *operation.ids)
        case Revise():
            whole = texts(operation.id, operation.text, operation.reason)
            whole = whole and well_formed_evidence(operation.evidence)
            whole = whole and well_formed_fields(operation.fields)
        case Close():
            whole = texts(operation.id, operation.reason, operation.status)
            whole = whole and well_formed_evidence(operation.evidence)
        case Dismiss():
            whole = texts(operation.span, operation.reason)
        case SetNext():
            whole = texts(operation.text) and well_formed_evidence(operation.evidence)
        case _:
            raise RecordError(f"{type(operation).__name__} is no operation on a record")
    if not whole:
        raise RecordError("the operation holds a value of the wrong type")


def _ungrounded(name: str, span: str, problem: str) -> Finding:
    return Finding(rule=Rule.GROUNDING, item=name, span=span, problem=problem)


def _contradiction(name: str, span: str, problem: str, severity: Severity) -> Finding:
    return Finding(
        rule=Rule.CONTRADICTION, item=name, span=span, problem=problem, severity=severity
    )
