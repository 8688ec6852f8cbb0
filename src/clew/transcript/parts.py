"""What one message is made of.

A part is a view on one place of a native message. `path` says where that place is, so that a
single generic edit can replace the leaf and leave every other byte of the message alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Path = tuple[str | int, ...]


class CallKind(StrEnum):
    """Which kind of call a tool call is; it decides how its result must look."""

    FUNCTION = "function"
    CUSTOM = "custom"
    SHELL = "shell"
    PATCH = "patch"
    COMPUTER = "computer"
    MCP = "mcp"
    SERVER = "server"
    UNKNOWN = "unknown"


class MediaKind(StrEnum):
    """What a media part shows."""

    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """Text that somebody wrote. `path` leads to the string itself."""

    text: str
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningPart:
    """Reasoning of the model: opaque when `sealed` (signed, redacted or encrypted).

    `path` leads to the whole block or item. `text` is what is readable, often empty.
    """

    text: str = ""
    sealed: str = ""
    item_id: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    """A call of a tool.

    `arguments` is the text as sent (a JSON string, a patch, a script) or the JSON of an object;
    `arguments_path` leads to it. `call_id` is empty where the format has none (Gemini).
    `server_side` calls are run by the provider: their result stands beside them and the client
    never answers them. `seal` is a signature bound to the call (Gemini thoughtSignature).
    """

    call_id: str
    name: str
    arguments: str
    kind: CallKind = CallKind.FUNCTION
    server_side: bool = False
    seal: str = ""
    item_id: str = ""
    path: Path = ()
    arguments_path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPart:
    """An image, sound, film or document, by value, address or file id.

    `source` is the base64 text, the URL or the id. `width` and `height` are pixels or 0 when
    unknown; `detail` is the provider's word for resolution. `path` leads to the whole block.
    """

    kind: MediaKind
    media_type: str = ""
    source: str = ""
    inline: bool = False
    width: int = 0
    height: int = 0
    detail: str = ""
    name: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPart:
    """A provider's own compaction block or item; opaque, and never split from its place."""

    sealed: str = ""
    text: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaquePart:
    """Something this codec does not know: kept, counted by its JSON text, never changed.

    `type_name` is what the native object calls itself; `text` is its JSON.
    """

    type_name: str
    text: str = ""
    path: Path = ()


ContentPart = TextPart | MediaPart | OpaquePart


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPart:
    """What a call brought back.

    `is_error` is what the format says, None where it says nothing. `path` leads to the whole
    block or message, `parts` hold the content with paths of their own.
    """

    call_id: str
    name: str = ""
    parts: tuple[ContentPart, ...] = ()
    is_error: bool | None = None
    server_side: bool = False
    path: Path = ()

    @property
    def text(self) -> str:
        """All text of the result, in order, joined by line ends."""
        return "\n".join([p.text for p in self.parts if not isinstance(p, MediaPart)])


Part = (
    TextPart
    | ReasoningPart
    | ToolCallPart
    | ToolResultPart
    | MediaPart
    | CompactionPart
    | OpaquePart
)
