"""Coverage: what the middle holds of consequence is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.record.delta import Add, Dismiss, Operation, Revise, Supersede
from clew.record.items import Evidence, Item
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen.seen import CallSeen, Outcome
from clew.verify.finding import Finding, Rule


def coverage_findings(operations: Sequence[Operation], request: SummaryRequest) -> list[Finding]:
    """Failed calls that are neither a dead end nor dismissed, and live jobs nobody recorded.

    An operation that an error dropped accounts for nothing: pass those that stand.
    """
    dismissed = {op.span for op in operations if isinstance(op, Dismiss)}
    dead_ends = _cited_dead_ends(operations, request)
    jobs = _recorded_jobs(operations, request)
    found: list[Finding] = []
    for span in request.spans:
        failed = _failures(span)
        accounted = dead_ends.count(span.handle)
        if failed and span.handle not in dismissed and accounted < len(failed):
            call = failed[min(accounted, len(failed) - 1)]
            found.append(_finding(span.handle, f"{call} failed and is not accounted for"))
        found += [
            _finding(span.handle, f"job {call.job} may still run and is not recorded")
            for call in span.calls
            if call.job and not any(call.job in text for text in jobs)
        ]
    return found


def _failures(span: SpanView) -> list[str]:
    """What failed in a span, each cause once."""
    causes: dict[str, str] = {}
    for call in span.calls:
        if call.outcome in (Outcome.FAILED, Outcome.REFUSED):
            causes.setdefault(call.decisive_line or call.command or call.resource, _named(call))
    return list(causes.values())


def _named(call: CallSeen) -> str:
    what = call.command or call.resource
    return f"{call.tool} {what:.80}" if what else call.tool


def _cited_dead_ends(operations: Iterable[Operation], request: SummaryRequest) -> list[str]:
    """A span handle for each dead end that cites it, once a dead end."""
    cited: list[str] = []
    for operation in operations:
        match operation:
            case Add(item=item) | Supersede(item=item) if item.kind == "dead_end":
                cited += _spans(item.evidence)
            case Revise(id=item_id, evidence=evidence):
                old = request.old.get(item_id)
                if old is not None and old.kind == "dead_end":
                    cited += _spans(evidence)
            case _:
                pass
    return cited


def _spans(evidence: Sequence[Evidence]) -> list[str]:
    return list(dict.fromkeys(e.span for e in evidence))


def _recorded_jobs(operations: Iterable[Operation], request: SummaryRequest) -> list[str]:
    items: list[Item] = [item for item in request.old.items if item.kind == "job"]
    items += [
        op.item for op in operations if isinstance(op, Add | Supersede) and op.item.kind == "job"
    ]
    return [" ".join((item.text, *(value for _, value in item.fields))) for item in items]


def _finding(span: str, problem: str) -> Finding:
    return Finding(rule=Rule.COVERAGE, span=span, problem=problem)
