"""What the core needs from the outside world, as Protocols and the values that cross them.

Parts implement these; the core and the session only ever see the Protocols.
"""

from __future__ import annotations

from clew.ports.archive import (
    Ancestor,
    ArchivedMessage,
    Checkpoint,
    CheckpointKind,
    FoundCheckpoint,
    Hit,
    Span,
    Store,
    StoredNote,
    Stub,
)
from clew.ports.codec import Codec
from clew.ports.counting import Prices, Rates, TokenCounter
from clew.ports.embedding import Embedder, VectorStore
from clew.ports.model import (
    LivePrompt,
    ModelClient,
    ModelReply,
    ModelRequest,
    ModelUsage,
    StopReason,
)
from clew.ports.surroundings import Clock, EventSink, Redactor

__all__ = [
    "Ancestor",
    "ArchivedMessage",
    "Checkpoint",
    "CheckpointKind",
    "Clock",
    "Codec",
    "Embedder",
    "EventSink",
    "FoundCheckpoint",
    "Hit",
    "LivePrompt",
    "ModelClient",
    "ModelReply",
    "ModelRequest",
    "ModelUsage",
    "Prices",
    "Rates",
    "Redactor",
    "Span",
    "StopReason",
    "Store",
    "StoredNote",
    "Stub",
    "TokenCounter",
    "VectorStore",
]
