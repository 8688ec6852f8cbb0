"""Messages written out for the archive when they come, so that a commit has less to do."""

from __future__ import annotations

from clew.ports import ArchivedMessage
from clew.transcript import Message
from clew.turn import written_out

MOST_WRITTEN_CHARS = 16_000_000
"""Text held at most: four times a window of a million tokens."""


class WrittenMessages:
    """Gives a message as the archive keeps it, written once."""

    def __init__(self) -> None:
        self._known: dict[str, ArchivedMessage] = {}
        self._chars = 0

    def __call__(self, message: Message) -> ArchivedMessage:
        """A message as the archive keeps it."""
        known = self._known.get(message.digest)
        if known is None:
            known = written_out(message)
            if self._chars > MOST_WRITTEN_CHARS:
                self.forget()
            self._known[message.digest] = known
            self._chars += len(known.json)
        return known

    def forget(self) -> None:
        """Let go of everything; what was archived is not written again."""
        self._known.clear()
        self._chars = 0
