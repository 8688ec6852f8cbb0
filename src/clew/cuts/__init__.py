"""Where a history may be cut, and what is never folded."""

from clew.cuts.laws import (
    CUT_LAWS,
    KEEP_LAWS,
    CutLaw,
    CutView,
    KeepLaw,
    NewestUserMessage,
    OpenCall,
    Pending,
    Pinned,
    SealedLoop,
    SystemText,
    WholeExchange,
)
from clew.cuts.select import Selection, TailBounds, goal_index, head_of, select, select_at

__all__ = [
    "CUT_LAWS",
    "KEEP_LAWS",
    "CutLaw",
    "CutView",
    "KeepLaw",
    "NewestUserMessage",
    "OpenCall",
    "Pending",
    "Pinned",
    "SealedLoop",
    "Selection",
    "SystemText",
    "TailBounds",
    "WholeExchange",
    "goal_index",
    "head_of",
    "select",
    "select_at",
]
