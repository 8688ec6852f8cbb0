"""How large the messages of the demo are, each counted once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.ports import TokenCounter
from clew.transcript import canonical_json

MESSAGE_OVERHEAD_TOKENS = 4


class Sizes:
    """Counts chat messages; a message object is counted once."""

    def __init__(self, counter: TokenCounter) -> None:
        self.counter = counter
        self._known: dict[str, int] = {}

    def one(self, message: Mapping[str, Any]) -> int:
        """Tokens of one message."""
        text = _sent(message)
        if text not in self._known:
            self._known[text] = self.counter.count_text(text) + MESSAGE_OVERHEAD_TOKENS
        return self._known[text]

    def total(self, messages: Iterable[Mapping[str, Any]]) -> int:
        """Tokens of several messages."""
        return sum(self.one(message) for message in messages)


def _sent(message: Mapping[str, Any]) -> str:
    """Everything of a message that the model reads."""
    content = message.get("content")
    text = content if isinstance(content, str) else canonical_json(content)
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return text + "".join(f"\n{call['name']} {call['arguments']}" for call in calls)
