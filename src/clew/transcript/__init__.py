"""What was said: parts, messages, exchanges and their content addresses."""

from clew.transcript.digest import (
    ROOT,
    canonical_json,
    chain,
    digest_of,
    digest_of_text,
    exact_json,
    link,
)
from clew.transcript.exchange import Exchange, ExchangeGrouper, ExchangeKind
from clew.transcript.message import Format, Message, Role
from clew.transcript.parts import (
    CallKind,
    CompactionPart,
    ContentPart,
    MediaKind,
    MediaPart,
    OpaquePart,
    Part,
    Path,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

__all__ = [
    "ROOT",
    "CallKind",
    "CompactionPart",
    "ContentPart",
    "Exchange",
    "ExchangeGrouper",
    "ExchangeKind",
    "Format",
    "MediaKind",
    "MediaPart",
    "Message",
    "OpaquePart",
    "Part",
    "Path",
    "ReasoningPart",
    "Role",
    "TextPart",
    "ToolCallPart",
    "ToolResultPart",
    "canonical_json",
    "chain",
    "digest_of",
    "digest_of_text",
    "exact_json",
    "link",
]
