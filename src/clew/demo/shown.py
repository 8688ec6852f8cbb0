"""What the agent of the demo can read: the text of the messages it is shown, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REQUEST = re.compile(r"Request (\d+): ([^\n]+)")
HANDLE = re.compile(r"\b[A-Z]-\d{1,4}\b")
SPAN_HANDLE = re.compile(r"\bS-\d{1,4}\b")
SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+|\n")
KEY_CLAIM = re.compile(r"\b(unique|key(?:ed)?|number of the case|row for each case_id)\b")
QUALIFIER = re.compile(r"within (a|each|one|the|its) tenant|\(tenant_id, case_id\)|per tenant")
CENTS_RULE = re.compile(r"report every amount in cents")
MERGE_FAILED = re.compile(r'near "MERGE": syntax error|has no MERGE')


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence the agent read, who carried it, and the handle that stands on its line."""

    sentence: str
    role: str
    handle: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of text in the context and the role of its message."""

    role: str
    text: str


class Shown:
    """The context of one call, read the way the agent reads it."""

    def __init__(self, messages: Sequence[Mapping[str, Any]]) -> None:
        self.lines = tuple(
            Line(role=str(message.get("role")), text=line)
            for message in messages
            for line in text_of(message).splitlines()
        )
        self.text = "\n".join(line.text for line in self.lines)
        self.last_result = next(
            (text_of(m) for m in reversed(messages) if m.get("role") == "tool"), ""
        )

    @property
    def request(self) -> tuple[int, str]:
        """Number and words of the newest request that is in view; (0, "") when none is."""
        found = [(int(number), ask) for number, ask in REQUEST.findall(self.text)]
        return max(found, key=lambda pair: pair[0], default=(0, ""))

    def step_is_visible(self, request: int, step: str) -> bool:
        """Whether the agent's own words about a step of a request are in view."""
        return f"Request {request}, {step}:" in self.text

    @property
    def wants_cents(self) -> bool:
        """Whether the user's rule about cents is in view."""
        return CENTS_RULE.search(self.text) is not None

    @property
    def knows_merge_fails(self) -> bool:
        """Whether the dead end is in view."""
        return MERGE_FAILED.search(self.text) is not None

    def claims_about_the_key(self) -> tuple[Said, ...]:
        """Sentences that say what case_id is the key of, in the order of the context."""
        return tuple(
            Said(sentence=sentence.strip(), role=line.role, handle=_handle(line.text))
            for line in self.lines
            for sentence in SENTENCE_END.split(line.text)
            if "case_id" in sentence and KEY_CLAIM.search(sentence)
        )

    def handles_about(self, word: str) -> tuple[str, ...]:
        """Handles of spans on lines that mention a word, first mentioned first."""
        found = (
            handle
            for line in self.lines
            if word in line.text
            for handle in SPAN_HANDLE.findall(line.text)
        )
        return tuple(dict.fromkeys(found))


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a chat message; tool calls are not text."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return ""


def _handle(line: str) -> str:
    found = HANDLE.search(line)
    return found.group() if found else ""
