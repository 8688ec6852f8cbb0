"""One way to hold a list to a budget of characters, for suites that count those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import clew
from clew.budget.measure import MESSAGE_OVERHEAD_TOKENS

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


def tight_budget(window: int, messages: Sequence[Message]) -> clew.Budget:
    """All of a small window for the record, but for what stays word for word.

    That are the first message, the newest of the user and what follows it. A mark of a role is
    longer in the text than what is counted for one message; the difference is set aside.
    """
    newest = max(i for i, message in enumerate(messages) if message["role"] == "user")
    kept = [*messages[:1], *messages[max(1, newest) :]]
    verbatim = sum(len(message["content"]) for message in kept)
    counted = MESSAGE_OVERHEAD_TOKENS * (len(kept) + 1)
    marks = len(text_of([*kept, {"role": "user", "content": ""}])) - verbatim
    room = window - max(0, marks - counted)
    return clew.Budget(
        window,
        prefix_tokens=0,
        output_reserve_tokens=window - room,
        trigger=room - 2,
        backstop=room - 1,
        tail_messages=1,
        tail_tokens=1,
        record_tokens=max(1, room - verbatim - counted - 3),
    )


def text_of(messages: Sequence[Message]) -> str:
    """A list as one text, a line with the role before each message."""
    return "\n".join(f"[{message['role']}] {message['content']}" for message in messages)
