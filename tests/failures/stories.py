"""One abstract story, told in each wire format: the user speaks, the model calls, results come."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from clew.transcript import Format

Native = dict[str, Any]
Call = tuple[str, str, dict[str, Any] | str]
"""Id, tool name, arguments; arguments as a string are written as they are (chat, responses)."""

WIRES = [pytest.param(wire, id=wire.value) for wire in Format]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
SEAL = "EqQBCkYIBxgCKkAxSTUbX9zq7Yw1wqVfD3" * 4

_TEXT = (
    "lane pallet sensor cutoff relay invoice sorter scanner zone weight manifest parcel route "
    "shift conveyor ledger docket buffer carrier depot gate driver batch queue rack window label "
    "dispatch"
)
_WORDS = _TEXT.split()


def picture(width: int, height: int, *, base64_chars: int = 0) -> str:
    """Base64 of a PNG header with this size; its body is filler of the length that is asked for."""
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + size + b"\x08\x06\x00\x00\x00"
    body = Random(width * height).randbytes(max(0, base64_chars * 3 // 4 - len(head)))
    return base64.b64encode(head + body).decode()


def words(chars: int, seed: int = 0) -> str:
    """Text of exactly so many characters, of varied words."""
    chance = Random(seed)
    pieces: list[str] = []
    length = 0
    while length <= chars:
        piece = chance.choice(_WORDS)
        pieces.append(piece)
        length += len(piece) + 1
    return " ".join(pieces)[:chars]


def log(chars: int, seed: int = 0) -> str:
    """A log of exactly so many characters, with a number in each line."""
    chance = Random(seed)
    lines: list[str] = []
    length = 0
    while length <= chars:
        what = f"{chance.choice(_WORDS)} id={chance.randint(1, 99999)}"
        line = f"10:{chance.randint(10, 59)} INFO {what}"
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)[:chars]


@dataclass
class Story:
    """Builds a list of native messages, one speaker after the other.

    `thinks` puts the format's own signed or bound reasoning before what the model says.
    """

    wire: Format
    thinks: bool = False
    messages: list[Native] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)
    _serial: int = 0

    # -- the speakers ----------------------------------------------------------------------------

    def user(self, text: str, *, image: str = "") -> Story:
        """What a person says, with a PNG (base64) behind it when one is given."""
        match self.wire:
            case Format.OPENAI_CHAT:
                content: Any = text
                if image:
                    url = {"url": f"data:image/png;base64,{image}"}
                    content = [
                        {"type": "text", "text": text},
                        {"type": "image_url", "image_url": url},
                    ]
                return self._add({"role": "user", "content": content})
            case Format.OPENAI_RESPONSES:
                parts: list[Native] = [{"type": "input_text", "text": text}]
                if image:
                    url_text = f"data:image/png;base64,{image}"
                    parts.append({"type": "input_image", "detail": "low", "image_url": url_text})
                return self._add({"type": "message", "role": "user", "content": parts})
            case Format.ANTHROPIC:
                return self._add({"role": "user", "content": _anthropic_content(text, image)})
            case Format.GEMINI:
                pictures = (
                    [{"inlineData": {"mimeType": "image/png", "data": image}}] if image else []
                )
                return self._add({"role": "user", "parts": [{"text": text}, *pictures]})

    def said(self, text: str) -> Story:
        """What the model says without calling anything."""
        thought = self._thought()
        match self.wire:
            case Format.OPENAI_CHAT:
                return self._add(
                    {"role": "assistant", "content": text, **(thought[0] if thought else {})}
                )
            case Format.OPENAI_RESPONSES:
                said = {"type": "output_text", "text": text, "annotations": []}
                message: Native = {"type": "message", "id": self._next("msg"), "role": "assistant"}
                return self._add(*thought, {**message, "status": "completed", "content": [said]})
            case Format.ANTHROPIC:
                content = [*thought, {"type": "text", "text": text}]
                return self._add({"role": "assistant", "content": content})
            case Format.GEMINI:
                return self._add({"role": "model", "parts": [*thought, {"text": text}]})

    def calls(self, *calls: Call, said: str = "") -> Story:
        """One assistant message (or run of items) with these calls."""
        self._names.update({call_id: name for call_id, name, _ in calls})
        thought = self._thought()
        match self.wire:
            case Format.OPENAI_CHAT:
                made = [
                    {"id": i, "type": "function", "function": {"name": n, "arguments": _text(a)}}
                    for i, n, a in calls
                ]
                extra = thought[0] if thought else {}
                message = {
                    "role": "assistant",
                    "content": said or None,
                    "tool_calls": made,
                    **extra,
                }
                return self._add(message)
            case Format.OPENAI_RESPONSES:
                items = [
                    {"type": "function_call", "id": self._next("fc"), "call_id": i, "name": n,
                     "arguments": _text(a), "status": "completed"}
                    for i, n, a in calls
                ]  # fmt: skip
                return self._add(*thought, *items)
            case Format.ANTHROPIC:
                uses = [
                    {"type": "tool_use", "id": i, "name": n, "input": _object(a)}
                    for i, n, a in calls
                ]
                texts = [{"type": "text", "text": said}] if said else []
                return self._add({"role": "assistant", "content": [*thought, *texts, *uses]})
            case Format.GEMINI:
                parts: list[Native] = [
                    {"functionCall": {"id": i, "name": n, "args": _object(a)}} for i, n, a in calls
                ]
                if self.thinks:
                    parts[0]["thoughtSignature"] = SEAL
                texts = [{"text": said}] if said else []
                if self.messages and self.messages[-1]["role"] == "model":
                    # A call turn follows a user turn: what was said before stands in one with it.
                    texts = [*self.messages.pop()["parts"], *texts]
                return self._add({"role": "model", "parts": [*texts, *parts]})

    def results(self, *results: tuple[str, str], failed: bool = False) -> Story:
        """The results of one batch, in this order: (id, text) each."""
        match self.wire:
            case Format.OPENAI_CHAT:
                return self._add(
                    *({"role": "tool", "tool_call_id": i, "content": text} for i, text in results)
                )
            case Format.OPENAI_RESPONSES:
                return self._add(
                    *(
                        {"type": "function_call_output", "call_id": i, "output": text}
                        for i, text in results
                    )
                )
            case Format.ANTHROPIC:
                flag = {"is_error": True} if failed else {}
                blocks = [
                    {"type": "tool_result", "tool_use_id": i, "content": text, **flag}
                    for i, text in results
                ]
                return self._add({"role": "user", "content": blocks})
            case Format.GEMINI:
                key = "error" if failed else "output"
                parts = [
                    {"functionResponse": {"id": i, "name": self._names[i], "response": {key: text}}}
                    for i, text in results
                ]
                return self._add({"role": "user", "parts": parts})

    # -- what stories are made of ----------------------------------------------------------------

    def round(
        self,
        name: str,
        arguments: dict[str, Any],
        output: str,
        said: str = "",
        *,
        failed: bool = False,
    ) -> Story:
        """One call with its result, and what the model says of it."""
        call_id = self._next("call")
        self.calls((call_id, name, arguments)).results((call_id, output), failed=failed)
        return self.said(said) if said else self

    def rounds(self, count: int, chars: int, *, first: int = 0, answered: bool = False) -> Story:
        """Unrelated work: so many reads of so many characters; `answered` adds a sentence."""
        for number in range(first, first + count):
            self.round("read_file", {"path": f"src/part{number}.py"}, log(chars, seed=number))
        return self.said("That part is done.") if answered else self

    def turns(self, count: int, chars: int, *, first: int = 0) -> Story:
        """Small questions of the user, each answered after one call."""
        for number in range(first, first + count):
            self.user(f"What about part {number}?")
            said = f"Part {number} is fine."
            self.round("read_file", {"path": f"src/part{number}.py"}, log(chars, seed=number), said)
        return self

    # -- inside ----------------------------------------------------------------------------------

    def _add(self, *messages: Native) -> Story:
        self.messages.extend(messages)
        return self

    def _next(self, prefix: str) -> str:
        self._serial += 1
        return f"{prefix}_{self._serial}"

    def _thought(self) -> list[Native]:
        if not self.thinks:
            return []
        text = f"Thought number {self._serial}."
        match self.wire:
            case Format.OPENAI_CHAT:
                return [{"reasoning_content": text}]
            case Format.OPENAI_RESPONSES:
                item = {"type": "reasoning", "id": self._next("rs"), "summary": []}
                return [{**item, "encrypted_content": SEAL}]
            case Format.ANTHROPIC:
                return [{"type": "thinking", "thinking": text, "signature": SEAL}]
            case Format.GEMINI:
                return [{"text": text, "thought": True}]


def story(wire: Format, *, thinks: bool = False) -> Story:
    """An empty story."""
    return Story(wire=wire, thinks=thinks)


def _anthropic_content(text: str, image: str) -> Any:
    if not image:
        return text
    source = {"type": "base64", "media_type": "image/png", "data": image}
    return [{"type": "text", "text": text}, {"type": "image", "source": source}]


def _text(arguments: dict[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _object(arguments: dict[str, Any] | str) -> dict[str, Any]:
    return json.loads(arguments or "{}") if isinstance(arguments, str) else arguments


def dumped(messages: Sequence[Any]) -> list[str]:
    """Each message as text, for comparing."""
    return [json.dumps(message, sort_keys=True, ensure_ascii=False) for message in messages]
