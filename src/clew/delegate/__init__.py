"""Delegation: a sub-task in a context of its own, of which only findings come back."""

from clew.delegate.findings import Answer, Finding
from clew.delegate.run import (
    DELEGATE_TOOL,
    TOKEN_CAP,
    Assignment,
    Delegated,
    adelegate,
    call_delegate,
    definition,
    delegate,
)

__all__ = [
    "DELEGATE_TOOL",
    "TOKEN_CAP",
    "Answer",
    "Assignment",
    "Delegated",
    "Finding",
    "adelegate",
    "call_delegate",
    "definition",
    "delegate",
]
