"""What an independent checker says about a request. These checkers know nothing of Clew."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: its family, the message that breaks it, and what is wrong.

    Families: shape, role, system, empty, id, pairing, adjacency, order, thinking, reasoning.
    """

    rule: str
    index: int
    what: str


def rules(violations: list[Violation]) -> set[str]:
    """The families of rules that are broken."""
    return {violation.rule for violation in violations}
