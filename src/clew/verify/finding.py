"""What a check found, and the verdict on a delta."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clew.record.delta import Operation


class Rule(StrEnum):
    """Which promise of the record is broken."""

    GROUNDING = "grounding"
    QUALIFIERS = "qualifiers"
    COVERAGE = "coverage"
    AUTHORITY = "authority"
    CONTRADICTION = "contradiction"
    SIZE = "size"
    FORGERY = "forgery"
    FIELDS = "fields"
    EVIDENCE = "evidence"
    SCOPE = "scope"


class Severity(StrEnum):
    """ERROR drops the operation, WARNING marks its item unverified, NOTE changes nothing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One broken promise.

    `item` names the item, or the operation by its place (`operation 3`, from 1); `span` the handle
    that it is about; both may be empty. `problem` is a sentence for whoever proposed the delta.
    """

    rule: Rule
    problem: str
    item: str = ""
    span: str = ""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All findings, and what of the delta stands.

    `accepted` are the operations to apply, items marked unverified where a warning says so;
    `dropped` those that an error forbids.
    """

    findings: tuple[Finding, ...] = ()
    accepted: tuple[Operation, ...] = ()
    dropped: tuple[Operation, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing but notes was found."""
        return all(finding.severity is Severity.NOTE for finding in self.findings)

    def of(self, rule: Rule) -> tuple[Finding, ...]:
        """The findings under one rule."""
        return tuple(finding for finding in self.findings if finding.rule is rule)
