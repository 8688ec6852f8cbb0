"""From a summarizer's answer to deltas that are safe to apply.

Whoever proposes, the offline delta goes first and whole: it accounts for every directive, failed
call, commitment and side effect, so that what a model leaves out is never missing. What the model
adds is applied behind it, under the rules for generated text; a claim that both make merges.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.record.delta import Add, Delta, Operation, SetNext, Supersede
from clew.record.items import Proposer
from clew.summarize.request import SummaryRequest
from clew.verify import Finding, Rule, Severity, verify_delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """The part of a proposal that passed verification, and what was found against the rest."""

    accepted: Delta
    findings: tuple[Finding, ...]


def combine(request: SummaryRequest, proposed: Delta) -> Combined:
    """Verify a proposal; only operations that passed are left.

    What the proposal does not account for is no finding here, since the offline delta does. A next
    action needs evidence, or anybody's words could become the agent's next step.
    """
    verdict = verify_delta(_by_a_model(proposed), request, request.kinds)
    accepted = tuple(operation for operation in verdict.accepted if _grounded(operation))
    findings = tuple(
        finding
        for finding in verdict.findings
        if finding.rule is not Rule.COVERAGE and finding.severity is not Severity.NOTE
    )
    delta = Delta(operations=accepted, proposed_by=Proposer.MODEL, summarizer=proposed.summarizer)
    return Combined(accepted=delta, findings=findings)


def _by_a_model(proposed: Delta) -> Delta:
    """The proposal under the name of a model, whatever name it signs with."""
    signed: list[Operation] = []
    for operation in proposed.operations:
        match operation:
            case Add(item=item) | Supersede(item=item):
                own = replace(item, proposed_by=Proposer.MODEL)
                signed.append(replace(operation, item=own))
            case _:
                signed.append(operation)
    return replace(proposed, operations=tuple(signed), proposed_by=Proposer.MODEL)


def _grounded(operation: Operation) -> bool:
    return not isinstance(operation, SetNext) or bool(operation.evidence)
