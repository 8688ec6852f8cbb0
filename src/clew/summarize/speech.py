"""Who said what in a span, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from clew.record.claims import one_line
from clew.record.items import Speaker
from clew.summarize.request import SpanView
from clew.tools_seen import is_harness_text, is_observation, typed_text
from clew.tools_seen.seen import CallSeen
from clew.transcript import (
    CompactionPart,
    MediaPart,
    Message,
    OpaquePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)


class Voice(StrEnum):
    """Whose words a passage is. HARNESS is the program around the agent."""

    USER = "user"
    AGENT = "agent"
    THOUGHT = "agent, thinking"
    CALL = "call"
    RESULT = "result"
    HARNESS = "harness"
    OTHER = "other"


SPEAKERS = {
    Voice.USER: Speaker.USER,
    Voice.AGENT: Speaker.AGENT,
    Voice.THOUGHT: Speaker.AGENT,
    Voice.CALL: Speaker.AGENT,
    Voice.RESULT: Speaker.TOOL,
    Voice.HARNESS: Speaker.TOOL,
    Voice.OTHER: Speaker.TOOL,
}
"""The authority of each voice."""


_SHORTEST_QUOTE_CHARS = 8
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text of one voice; `name` is the tool's or the speaker's, `seen` what a call did."""

    voice: Voice
    text: str
    name: str = ""
    seen: CallSeen | None = None


def passages(span: SpanView) -> tuple[Passage, ...]:
    """Everything that was said in a span, in order; no part is left out."""
    known = {seen.call_id: seen for seen in span.calls if seen.call_id}
    unnamed = [seen for seen in span.calls if not seen.call_id]
    said: list[Passage] = []
    for message in span.messages:
        if message.role is Role.USER:
            said.extend(_in_user_role(message))
        for part in message.parts:
            match part:
                case TextPart() if message.role is Role.USER:
                    continue
                case ToolCallPart():
                    seen = known.get(part.call_id) or _taken(unnamed, part.name)
                    said.append(
                        Passage(voice=Voice.CALL, text=part.arguments, name=part.name, seen=seen)
                    )
                case ToolResultPart():
                    said.append(
                        Passage(
                            voice=Voice.RESULT,
                            text=part.text,
                            name=part.name,
                            seen=known.get(part.call_id),
                        )
                    )
                    said.extend(_medium(p) for p in part.parts if isinstance(p, MediaPart))
                case _:
                    said.extend(_of_part(part, message.role))
    return tuple(said)


def speaker_of(quote: str, span: SpanView) -> Speaker:
    """Who said a quote: the speaker with the most authority whose words hold it, else DERIVED.

    Blanks and line ends count as one blank.
    """
    wanted = one_line(quote)
    if not wanted:
        return Speaker.DERIVED
    holders = {SPEAKERS[p.voice] for p in passages(span) if wanted in one_line(p.text)}
    for speaker in (Speaker.USER, Speaker.AGENT, Speaker.TOOL):
        if speaker in holders:
            return speaker
    return Speaker.DERIVED


def said_sentence(quote: str, spans: Iterable[SpanView]) -> tuple[str, str] | None:
    """The whole sentence of the user or the agent that holds a quote, and its span.

    The newest that holds it. Words of tools, of files and of the program around the agent do not
    count, and nor does a part of a sentence: its rest may say the contrary.
    """
    wanted = one_line(quote)
    if len(wanted) < _SHORTEST_QUOTE_CHARS:
        return None
    for span in reversed(tuple(spans)):
        for passage in reversed(passages(span)):
            if passage.voice not in (Voice.USER, Voice.AGENT) or wanted not in one_line(
                passage.text
            ):
                continue
            for sentence in _SENTENCE_END.split(passage.text):
                if wanted.rstrip(".!?。！？") in one_line(sentence):
                    return one_line(sentence), span.handle
    return None


def _taken(unnamed: list[CallSeen], tool: str) -> CallSeen | None:
    """The next call that has no id, where the format gives none."""
    for place, seen in enumerate(unnamed):
        if seen.tool == tool:
            return unnamed.pop(place)
    return None


def _in_user_role(message: Message) -> Iterator[Passage]:
    """A message in the user's role may be a tool's output, the harness's words or a person's."""
    text = message.text
    if not text.strip():
        return
    if is_observation(message):
        yield Passage(voice=Voice.RESULT, text=text)
        return
    typed = "" if is_harness_text(message) else typed_text(message)
    if typed:
        yield Passage(voice=Voice.USER, text=typed, name=message.speaker)
    if typed.strip() != text.strip():
        yield Passage(voice=Voice.HARNESS, text=_without(text, typed))


def _without(text: str, typed: str) -> str:
    return text.replace(typed, "…", 1) if typed else text


def _of_part(part: object, role: Role) -> Iterator[Passage]:
    match part:
        case TextPart(text=text) if text.strip():
            voice = {Role.ASSISTANT: Voice.AGENT, Role.TOOL: Voice.RESULT}.get(role, Voice.HARNESS)
            yield Passage(voice=voice, text=text)
        case ReasoningPart(text=text) if text.strip():
            yield Passage(voice=Voice.THOUGHT, text=text)
        case MediaPart():
            yield _medium(part)
        case CompactionPart(text=text):
            yield Passage(voice=Voice.OTHER, text=text, name="the provider's own compaction")
        case OpaquePart(text=text, type_name=name):
            yield Passage(voice=Voice.OTHER, text=text, name=name)
        case _:
            return


def _medium(part: MediaPart) -> Passage:
    return Passage(voice=Voice.OTHER, text=part.name, name=f"{part.kind.value}, not shown")
