"""One way to hold a list to a budget of characters, for suites that count those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import clew

Message = dict[str, Any]


class CharacterCounter:
    """A token is a character, so that a budget of characters is met exactly."""

    exact: Final = True
    name: Final = "characters"

    def count_text(self, text: str) -> int:
        """Characters of one text."""
        return len(text)

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Characters of each text."""
        return [len(text) for text in texts]


def tight_budget(window: int) -> clew.Budget:
    """Nearly all of a small window for the record: the tail is the last exchange."""
    return clew.Budget(
        window,
        prefix_tokens=0,
        output_reserve_tokens=1,
        trigger=0.97,
        backstop=0.98,
        tail_messages=1,
        tail_tokens=max(1, window // 20),
        record_tokens=0.84,
    )


def text_of(messages: Sequence[Message]) -> str:
    """A list as one text, a line with the role before each message."""
    return "\n".join(f"[{message['role']}] {message['content']}" for message in messages)
