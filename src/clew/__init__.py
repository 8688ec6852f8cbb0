"""Clew decides what an agent's context holds at every turn.

import clew

session = clew.Session(policy=clew.Policy(clew.Budget(200_000)), store="clew.db")
context = session.prepare(messages)      # before each model call
...                                      # send context.messages
session.observe(usage=response.usage)    # what the provider reported
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.budget import Budget
    from clew.consult import (
        AfterCompaction,
        Amend,
        BeforeCompaction,
        Edited,
        Hooks,
        ProposedRecord,
        Veto,
    )
    from clew.errors import (
        BudgetError,
        ClewError,
        FloorExceededError,
        HandoffError,
        ImportSourceError,
        InvalidTranscriptError,
        LineageError,
        MissingExtraError,
        PolicyError,
        RecordError,
        StoreError,
        SummarizerError,
        UnknownFormatError,
        UnknownHandleError,
    )
    from clew.events import Event
    from clew.oneshot import compact
    from clew.outcome import Compacted, Context, Evicted, Held, Outcome, Report
    from clew.policy import (
        Boundary,
        BoundaryRules,
        CallLimits,
        EvictionRules,
        ModelPrices,
        Policy,
        Probe,
        Why,
    )
    from clew.policy.spending import Spending
    from clew.ports import Embedder, Hit, Redactor, Store, TokenCounter, VectorStore
    from clew.record.delta import Add, Close, Delta, Dismiss, Revise, SetNext, Supersede
    from clew.record.items import Evidence, Item, Rejected, Speaker
    from clew.record.record import HandoffRecord
    from clew.repomap import RepositoryMap
    from clew.session import AsyncSession, Session, Status
    from clew.session.hints import Hint, HintUse
    from clew.summarize.request import SpanView, Summarizer, SummaryRequest
    from clew.transcript import Format

__version__ = "0.1.0"

__all__ = [
    "Add",
    "AfterCompaction",
    "Amend",
    "AsyncSession",
    "BeforeCompaction",
    "Boundary",
    "BoundaryRules",
    "Budget",
    "BudgetError",
    "CallLimits",
    "ClewError",
    "Close",
    "Compacted",
    "Context",
    "Delta",
    "Dismiss",
    "Edited",
    "Embedder",
    "Event",
    "Evicted",
    "EvictionRules",
    "Evidence",
    "FloorExceededError",
    "Format",
    "HandoffError",
    "HandoffRecord",
    "Held",
    "Hint",
    "HintUse",
    "Hit",
    "Hooks",
    "ImportSourceError",
    "InvalidTranscriptError",
    "Item",
    "LineageError",
    "MissingExtraError",
    "ModelPrices",
    "Outcome",
    "Policy",
    "PolicyError",
    "Probe",
    "ProposedRecord",
    "RecordError",
    "Redactor",
    "Rejected",
    "Report",
    "RepositoryMap",
    "Revise",
    "Session",
    "SetNext",
    "SpanView",
    "Speaker",
    "Spending",
    "Status",
    "Store",
    "StoreError",
    "Summarizer",
    "SummarizerError",
    "SummaryRequest",
    "Supersede",
    "TokenCounter",
    "UnknownFormatError",
    "UnknownHandleError",
    "VectorStore",
    "Veto",
    "Why",
    "__version__",
    "compact",
]

# `import clew` costs next to nothing: a name is fetched from its module when it is first used.
_MODULES = {
    "clew.budget": ("Budget",),
    "clew.consult": (
        "AfterCompaction",
        "Amend",
        "BeforeCompaction",
        "Edited",
        "Hooks",
        "ProposedRecord",
        "Veto",
    ),
    "clew.errors": (
        "BudgetError",
        "ClewError",
        "FloorExceededError",
        "HandoffError",
        "ImportSourceError",
        "InvalidTranscriptError",
        "LineageError",
        "MissingExtraError",
        "PolicyError",
        "RecordError",
        "StoreError",
        "SummarizerError",
        "UnknownFormatError",
        "UnknownHandleError",
    ),
    "clew.events": ("Event",),
    "clew.oneshot": ("compact",),
    "clew.outcome": ("Compacted", "Context", "Evicted", "Held", "Outcome", "Report"),
    "clew.policy": (
        "Boundary",
        "BoundaryRules",
        "CallLimits",
        "EvictionRules",
        "ModelPrices",
        "Policy",
        "Probe",
        "Why",
    ),
    "clew.policy.spending": ("Spending",),
    "clew.ports": ("Embedder", "Hit", "Redactor", "Store", "TokenCounter", "VectorStore"),
    "clew.record.delta": ("Add", "Close", "Delta", "Dismiss", "Revise", "SetNext", "Supersede"),
    "clew.record.items": ("Evidence", "Item", "Rejected", "Speaker"),
    "clew.record.record": ("HandoffRecord",),
    "clew.repomap": ("RepositoryMap",),
    "clew.session": ("AsyncSession", "Session", "Status"),
    "clew.session.hints": ("Hint", "HintUse"),
    "clew.summarize.request": ("SpanView", "Summarizer", "SummaryRequest"),
    "clew.transcript": ("Format",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:  # a checker is to refuse a name that does not exist

    def __getattr__(name: str) -> Any:
        """Fetch a public name from its module, once."""
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """What the public face gives out, fetched already or not."""
    return sorted({*globals(), *__all__})
