"""How much of what other states gave out this session has looked for already."""

from __future__ import annotations

from dataclasses import replace

from clew.history import History
from clew.ports import Store
from clew.turn import Turn


class Looked:
    """Remembers the newest checkpoint of the store when a call began, and how that call ended.

    A call that failed has looked for nothing, whatever it had read; and where anyone has committed
    since, what was not there then may be there now.
    """

    def __init__(self) -> None:
        self._newest = ""
        self._ended: str | None = None

    def begin(self, turn: Turn, store: Store) -> Turn:
        """The turn of a call, with what the last one ended with and what came behind it."""
        newest = store.latest(turn.session_id)
        name = newest.checkpoint_id if newest is not None else ""
        overtaken = name not in (self._newest, self._ended)
        turn = replace(turn, in_force=self._ended, overtaken=overtaken)
        self._newest, self._ended = name, None
        return turn

    def end(self, history: History) -> None:
        """Take down what a call ended with."""
        self._ended = history.checkpoint_id
