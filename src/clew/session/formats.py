"""The wire format of a session: declared, or told from its messages as far as they tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.codecs import EVERY_FORMAT, choose, narrow
from clew.transcript import Format


class Recognition:
    """Narrows down what a growing list may be; each message is looked at once."""

    def __init__(self, declared: Format | None) -> None:
        self.declared = declared
        self._possible = EVERY_FORMAT if declared is None else frozenset((declared,))
        self._looked_at = 0

    @property
    def open(self) -> bool:
        """Whether more than one format is still possible."""
        return len(self._possible) > 1

    def format_of(self, messages: Sequence[Any], system: Any, tools: Any) -> Format:
        """The format of these messages; a shorter list than before is looked at anew."""
        if self.declared is not None:
            return self.declared
        if len(messages) < self._looked_at:
            self._possible, self._looked_at = EVERY_FORMAT, 0
        self._possible = narrow(self._possible, messages, self._looked_at)
        self._looked_at = len(messages)
        return choose(self._possible, system, tools)
