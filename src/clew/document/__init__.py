"""The written form of a run: one document that a person reads, edits and hands on."""

from clew.document.handoff import HANDOFF_VERSION, HandoffDocument, read_handoff, write_handoff
from clew.document.opening import Opening, opening_of
from clew.document.reconcile import Baseline, Changes, baseline_of, reconcile
from clew.document.views import Step, steps_for

__all__ = [
    "HANDOFF_VERSION",
    "Baseline",
    "Changes",
    "HandoffDocument",
    "Opening",
    "Step",
    "baseline_of",
    "opening_of",
    "read_handoff",
    "reconcile",
    "steps_for",
    "write_handoff",
]
