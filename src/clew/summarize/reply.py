"""What a reply is before anybody reads its operations: usable, or not and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from clew.ports import ModelReply, StopReason
from clew.summarize.protocol import ended, looks_plain, read_lines

MEMBERS: Final = ("add", "supersede", "revise", "close", "dismiss", "next")
"""The members of a reply in JSON form."""

_MOST_STARTS: Final = 40
_REASONING_TOKENS: Final = 8
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_CALL_SYNTAX = re.compile(
    r"<\s*/?\s*(?:tool_call|tool_use|function_calls?|invoke|\|tool)|\[TOOL_CALLS?\]",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\A\W*(?:I[’' ]?a?m sorry|I (?:can(?:no|[’'])t|can not|won[’']t|am (?:not able|unable))|"
    r"I[’']m (?:not able|unable)|Sorry,)",
    re.IGNORECASE,
)


class Unusable(StrEnum):
    """Why a reply cannot be used. Each way to fail has its own sentence."""

    EMPTY = "gave an empty answer"
    BLANK = "gave an answer of blanks only"
    REASONING = "gave its reasoning and no answer"
    REFUSED = "refused"
    TOOL_CALL = "answered with a tool call; it was offered no tool and none is run"
    OVERSIZE = "gave an answer far beyond what it was asked for"
    CUT_OFF = "was cut off at its output limit"
    BROKEN = "gave a JSON answer that breaks off"
    UNENDED = "gave operations without the line that ends them"
    NO_OPERATIONS = "gave JSON that holds no operations"
    PROSE = "answered in prose, with no operation in it"
    OTHER_STOP = "was stopped for a reason its provider does not explain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A reply that is not used, and why; `facts` are numbers for the report."""

    reason: Unusable
    facts: str = ""

    @property
    def sentence(self) -> str:
        """The reason in words."""
        return f"{self.reason.value} ({self.facts})" if self.facts else self.reason.value


def open_reply(reply: ModelReply, max_chars: int) -> Mapping[str, Any] | Unreadable:
    """The members of a reply in JSON form, whichever form it came in."""
    if (stopped := _stopped(reply, max_chars)) is not None:
        return stopped
    text = without_thoughts(reply.text)
    if not text:
        return Unreadable(reason=Unusable.REASONING)
    found = _objects(text)
    for value in found:
        if (members := members_of(value)) is not None:
            return members
    if looks_plain(text):
        return read_lines(text) if ended(text) else Unreadable(reason=Unusable.UNENDED)
    return Unreadable(reason=_no_operations(text, found))


def without_thoughts(text: str) -> str:
    """An answer without the reasoning that some models write before it."""
    return _THOUGHT.sub("", text).strip()


def _stopped(reply: ModelReply, max_chars: int) -> Unreadable | None:
    """What the provider's word on the stop, or the bare size, already decides."""
    match reply.stop:
        case StopReason.REFUSAL:
            return Unreadable(reason=Unusable.REFUSED)
        case StopReason.TOOL_CALL:
            return Unreadable(reason=Unusable.TOOL_CALL)
        case StopReason.LENGTH:
            facts = f"{reply.usage.output_tokens:,} tokens" if reply.usage.output_tokens else ""
            return Unreadable(reason=Unusable.CUT_OFF, facts=facts)
        case StopReason.OTHER if not reply.text.strip():
            return Unreadable(reason=Unusable.OTHER_STOP)
        case StopReason.END | StopReason.OTHER:
            pass
    if len(reply.text) > max_chars:
        facts = f"{len(reply.text):,} characters, at most {max_chars:,}"
        return Unreadable(reason=Unusable.OVERSIZE, facts=facts)
    if not reply.text.strip() and reply.usage.output_tokens > _REASONING_TOKENS:
        return Unreadable(
            reason=Unusable.REASONING, facts=f"{reply.usage.output_tokens:,} tokens, no text"
        )
    if not reply.text:
        return Unreadable(reason=Unusable.EMPTY)
    if not reply.text.strip():
        return Unreadable(reason=Unusable.BLANK)
    return None


def _objects(text: str) -> list[Mapping[str, Any]]:
    """The JSON objects in a text: the whole text, else from each opening brace on."""
    return list(_decoded(text))


def _decoded(text: str) -> Iterator[Mapping[str, Any]]:
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, Mapping):
                yield value
        at = text.find("{", end)


def _decodes(text: str) -> bool:
    try:
        json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def members_of(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object that has the members of a reply: this one or the only one inside it."""
    if any(name in value for name in MEMBERS):
        listed = [value[name] for name in MEMBERS[:-1] if name in value]
        return value if all(isinstance(each, list) for each in listed) else None
    inner = [each for each in value.values() if isinstance(each, Mapping)]
    return members_of(inner[0]) if len(inner) == 1 and len(value) == 1 else None


def _no_operations(text: str, found: list[Mapping[str, Any]]) -> Unusable:
    called = any(
        "name" in value and value.keys() & {"arguments", "input", "parameters"} for value in found
    )
    if called or _CALL_SYNTAX.search(text[:2_000]):
        return Unusable.TOOL_CALL
    if _REFUSAL.search(text):
        return Unusable.REFUSED
    bare = text.removeprefix("```json").removeprefix("```").lstrip()
    if bare.startswith("{"):
        return Unusable.NO_OPERATIONS if _decodes(bare) else Unusable.BROKEN
    return Unusable.NO_OPERATIONS if found else Unusable.PROSE
