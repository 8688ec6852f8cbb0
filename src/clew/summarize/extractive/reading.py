"""One exchange read once: who said what in it, and the identifiers each of them used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.request import SpanView
from clew.tools_seen import (
    is_harness_text,
    is_observation,
    spoken_beside_output,
    spoken_in_answer,
    spoken_in_result,
    typed_text,
)
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action, CallSeen
from clew.tools_seen.shown_calls import shown_call
from clew.tools_seen.text_protocols import words_and_call
from clew.transcript import Message, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart

_DEEPEST_LIST, _ENTRIES_LOOKED_AT = 3, 4
_TAG = re.compile(r"</?[a-z_]+>")
_ESCAPES = (("\\\\", "\\"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ('\\"', '"'))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A span sorted by speaker.

    `typed` is what a person wrote, `harness` what the agent's program put into a user message,
    `prose` what the agent said, `reasoning` what it thought aloud, `arguments` what it sent to
    tools, `results` what came back. `finished` tells that the agent spoke and called nothing.
    `kept` holds what was worked out of it before (clew.summarize.extractive.once).
    """

    handle: str
    position: int
    typed: tuple[str, ...] = ()
    harness: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    calls: tuple[CallSeen, ...] = ()
    finished: bool = False
    agent_names: tuple[str, ...] = ()
    tool_names: tuple[str, ...] = ()
    user_names: tuple[str, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def going_on(self) -> Reading:
        """The same exchange as one in which the agent handed nothing over."""
        if not self.finished:
            return self
        known: Reading | None = self.kept.get("going_on")
        if known is None:
            known = self.kept["going_on"] = replace(self, finished=False)
        return known


def in_order(*groups: Sequence[Reading]) -> list[Reading]:
    """The readings of several groups as they stand in the transcript."""
    return sorted((reading for group in groups for reading in group), key=_position)


def _position(reading: Reading) -> int:
    return reading.position


def plain_arguments(arguments: str) -> str:
    """The arguments of a call with the escapes of their JSON text as the signs they stand for.

    Without this a tab before a name would become its first letter.
    """
    if "\\" not in arguments:
        return arguments
    for escape, sign in _ESCAPES:
        arguments = arguments.replace(escape, sign)
    return arguments


_TEXTS = re.compile(r'"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"(?P<colon>:?)', re.DOTALL)
"""The texts of a JSON document, the names of members with the colon behind them."""


def without_keys(arguments: str) -> str:
    """The arguments of a call without the names of its parameters, which its tool gave it.

    Those of a list of things that it takes, such as edits, are its tool's too.
    """
    given = object_in(arguments)
    keys = frozenset((*map(str, given), *_keys_of_lists(given.values(), 0)))
    if not keys:
        return arguments
    return _TEXTS.sub(lambda m: " " if m["colon"] and m["text"] in keys else m[0], arguments)


def _keys_of_lists(values: Iterable[Any], depth: int) -> Iterator[str]:
    """The names in the entries of lists of things, at the first few depths."""
    for value in values if depth < _DEEPEST_LIST else ():
        for entry in value[:_ENTRIES_LOOKED_AT] if isinstance(value, list) else ():
            if isinstance(entry, dict):
                yield from map(str, entry)
                yield from _keys_of_lists(entry.values(), depth + 1)


def read_span(span: SpanView) -> Reading:
    """Sort the texts of one exchange by who said them."""
    texts: dict[str, list[str]] = {
        "typed": [],
        "harness": [],
        "prose": [],
        "reasoning": [],
        "arguments": [],
        "results": [],
    }
    for message in span.messages:
        _sort(message, texts, span.calls)
    structured = any(m.calls for m in span.messages)
    if span.calls and not structured:
        _take_calls_out(span.calls, texts)
    sent = [plain_arguments(without_keys(each)) for each in texts["arguments"]]
    # A question that is written as a call hands over as any other does.
    asks = bool(span.calls) and all(call.action is Action.ASK for call in span.calls)
    calls_out = structured or (bool(span.calls) and not asks)
    return Reading(
        handle=span.handle,
        position=span.position,
        calls=span.calls,
        finished=bool(texts["prose"]) and not calls_out,
        agent_names=identifiers_in("\n".join((*sent, *texts["prose"]))),
        tool_names=identifiers_in("\n".join((*texts["results"], *texts["harness"]))),
        user_names=identifiers_in("\n".join(texts["typed"])),
        **{name: tuple(values) for name, values in texts.items()},
    )


def _take_calls_out(calls: Sequence[CallSeen], texts: dict[str, list[str]]) -> None:
    """What an agent says apart from the calls that it writes into its text; a question is said."""
    said: list[str] = []
    for text in texts["prose"]:
        if (shown := shown_call(text)) is not None:
            texts["arguments"].append(shown.call)
            texts["results"].append(shown.output)
            said.extend(filter(None, (shown.words,)))
            continue
        words, call = words_and_call(text)
        if call and calls[-1].action is Action.ASK:
            words = f"{words}\n{_TAG.sub('', call)}"
        elif call:
            texts["arguments"].append(call)
        if words.strip():
            said.append(words)
    texts["prose"] = said


def _sort(message: Message, texts: dict[str, list[str]], calls: Sequence[CallSeen]) -> None:
    if message.role is Role.USER:
        _sort_user_text(message, texts)
    for part in message.parts:
        match part:
            case TextPart() if message.role is not Role.USER:
                if part.text.strip():
                    texts[_SPEAKERS[message.role]].append(part.text)
            case ReasoningPart():
                if part.text.strip():
                    texts["reasoning"].append(part.text)
            case ToolCallPart():
                texts["arguments"].append(part.arguments)
            case ToolResultPart():
                texts["results"].append(part.text)
                if spoken := spoken_in_result(part, calls):
                    texts["typed"].append(spoken)
            case _:
                continue


_SPEAKERS = {
    Role.ASSISTANT: "prose",
    Role.TOOL: "results",
    Role.SYSTEM: "harness",
    Role.DEVELOPER: "harness",
}


def _sort_user_text(message: Message, texts: dict[str, list[str]]) -> None:
    """A message in the user's role may be a tool's output, the harness's words or a person's."""
    text = message.text
    if not text.strip():
        return
    if is_observation(message):
        texts["results"].append(text)
        if spoken := spoken_in_answer(text) or spoken_beside_output(message):
            texts["typed"].append(spoken)
        return
    typed = "" if is_harness_text(message) else typed_text(message)
    if typed:
        texts["typed"].append(typed)
    if typed != text:
        texts["harness"].append(text)
