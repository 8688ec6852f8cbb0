"""What the calls that came later say about a result: whether it still holds."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from clew.evict.residents import Cause
from clew.tools_seen.seen import Action, CallSeen, Outcome

_LIVE = (Outcome.OK, Outcome.UNKNOWN)


def staleness(calls: Sequence[tuple[int, CallSeen]]) -> dict[tuple[int, str], Cause]:
    """Exchange and call id to the reason why a result went stale; fresh calls are not in it.

    Goes backwards once, so that each call is judged by all that came after it. A call without an
    id is never called stale: its result could not be told from another's. An id may be used anew in
    a later exchange.
    """
    later = _Later()
    found: dict[tuple[int, str], Cause] = {}
    for exchange, call in reversed(calls):
        cause = later.cause(call)
        if cause is not None and call.call_id:
            found[exchange, call.call_id] = cause
        later.add(call)
    return found


class _Later:
    """What the calls behind the one in hand did."""

    def __init__(self) -> None:
        self._shown: set[str] = set()
        self._written: set[str] = set()
        self._commands: set[str] = set()
        self._passed: set[str] = set()
        self._searched: set[tuple[str, str]] = set()
        self._read: set[str] = set()

    def add(self, call: CallSeen) -> None:
        """Take in a call that stands before all those added so far."""
        if call.outcome not in _LIVE:
            return
        if call.action is Action.READ:
            self._shown.update(_whole(call))
            self._read.update(_paths(call))
        elif call.action is Action.WRITE:
            self._written.update(_paths(call))
        elif call.action is Action.SEARCH:
            self._searched.add((call.tool, call.resource))
        if call.command:
            self._commands.add(call.command)
            if call.outcome is Outcome.OK:
                self._passed.add(_program(call.command))

    def cause(self, call: CallSeen) -> Cause | None:
        """Why the calls that came after make this one's result stale, or None."""
        if call.outcome is Outcome.PENDING:
            return None
        if call.command and call.command in self._commands:
            return Cause.REPEATED
        if call.outcome is Outcome.FAILED:
            return self._fixed(call)
        paths = _paths(call)
        if call.action is Action.READ and paths:
            if all(path in self._written or path in self._shown for path in paths):
                return Cause.SUPERSEDED
        elif call.action is Action.SEARCH:
            if (call.tool, call.resource) in self._searched:
                return Cause.REPEATED
            if any(_under(read, path) for read in self._read for path in paths):
                return Cause.NARROWED
        return None

    def _fixed(self, call: CallSeen) -> Cause | None:
        if call.command and _program(call.command) in self._passed:
            return Cause.FIXED
        paths = _paths(call)
        done = self._written | self._read
        return Cause.FIXED if paths and all(path in done for path in paths) else None


def _paths(call: CallSeen) -> tuple[str, ...]:
    named = call.resources or ((call.resource,) if call.resource else ())
    return tuple(posixpath.normpath(path) for path in named if path and "\n" not in path)


def _whole(call: CallSeen) -> tuple[str, ...]:
    """The paths of a read that shows them whole; a command that shows a range is none."""
    return () if call.command else _paths(call)


def _program(command: str) -> str:
    """The command without its options, so that a run with `-x` is the run without."""
    return " ".join(word for word in command.split()[:6] if not word.startswith("-"))[:120]


def _under(path: str, folder: str) -> bool:
    return path.startswith(folder + "/") or (folder == "." and not path.startswith("/"))
