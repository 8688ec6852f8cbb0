"""A recorded session as a value: native messages of one wire format and what the file told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.transcript import Format


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedUsage:
    """What a provider reported for one call, in tokens.

    `index` is the position of the message the call produced. `input_tokens` counts the whole
    prompt, `cached_tokens` the part of it that came from a cache.
    """

    index: int
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSeen:
    """A compaction that the recording agent itself made.

    `index` is how many messages stand before it. `kind` is the agent's word. `tokens_before` is
    what the agent reported, None when it reported nothing. `summary` is its readable text.
    """

    index: int
    kind: str
    tokens_before: int | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedSession:
    """One recorded session.

    `messages` are native messages of `format`, in live order. `family` names the recording agent
    or file shape. `system` and `tools` are native too, None where the file holds none. `harness`
    are positions of messages in the user's role that the file itself marks as not typed by a
    person. `left_out` counts what was not taken over, by kind; every kind is also a sentence in
    `warnings`. `session_id` is the file's own id, `part` the position in a file of many sessions.
    """

    source: str
    format: Format
    family: str
    messages: tuple[Any, ...]
    system: Any | None = None
    tools: Any | None = None
    usage: tuple[ReportedUsage, ...] = ()
    compactions: tuple[CompactionSeen, ...] = ()
    harness: tuple[int, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    warnings: tuple[str, ...] = ()
    session_id: str = ""
    model: str = ""
    part: int = 0
