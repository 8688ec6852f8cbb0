"""Checks on a proposed delta: pure functions that give findings and a verdict."""

from clew.verify.finding import Finding, Rule, Severity, Verdict
from clew.verify.literals import Literal, LiteralKind, folded, literals
from clew.verify.verdict import verify_delta

__all__ = [
    "Finding",
    "Literal",
    "LiteralKind",
    "Rule",
    "Severity",
    "Verdict",
    "folded",
    "literals",
    "verify_delta",
]
