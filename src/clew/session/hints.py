"""Hints: the newest message names what only the archive holds, and here is the handle.

What is available is not yet remembered: an agent asks for what it knows to be there. A hint is one
line, made of a name that stands in the agent's newest message or in an error it got, and of a
handle. It never enters a context by itself; docs/design/recall-hints.md says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from clew.history import History
from clew.ports import Hit
from clew.render import ShownMessages
from clew.searchable import search_text
from clew.store.words import whole
from clew.summarize.extractive.identifiers import identifiers_in
from clew.transcript import Message, Role

MESSAGES_BETWEEN = 8
"""New messages wanted between two hints; a hint that comes with every call is read by nobody."""

NAMES_LOOKED_UP = 4
_SHORTEST = 5
_READ_CHARS = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A name that the newest message holds, the handle of what is known of it, and its label."""

    name: str
    handle: str
    label: str = ""

    @property
    def text(self) -> str:
        """One line for the agent; it states and asks for nothing."""
        label = f" ({self.label})" if self.label else ""
        return f"{self.name} is in the archive and not in this window: {self.handle}{label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HintUse:
    """How many hints were given, and how many of their handles were fetched afterwards."""

    given: int
    recalled: int


class Hints:
    """The hints of one session: at most one in so many messages, none twice."""

    def __init__(self) -> None:
        self._handles: dict[str, str] = {}
        self._recalled: set[str] = set()
        self._at = -MESSAGES_BETWEEN

    def next(
        self, history: History, shown: ShownMessages, search: Callable[[str], Sequence[Hit]]
    ) -> Hint | None:
        """The hint that is due for the history as it stands, if any."""
        if history.checkpoint is None or history.count - self._at < MESSAGES_BETWEEN:
            return None
        for name in _unseen(history, shown):
            if name in self._handles:
                continue
            for hit in search(name):
                if whole(name.lower()).search(f"{hit.label}\n{hit.excerpt}".lower()):
                    self._handles[name] = hit.handle
                    self._at = history.count
                    label = " ".join(hit.label.split())[:80]
                    return Hint(name=name, handle=hit.handle, label=label)
        return None

    def fetched(self, handle: str) -> None:
        """Remember that the agent asked for a handle."""
        if handle.strip() in self._handles.values():
            self._recalled.add(handle.strip())

    @property
    def use(self) -> HintUse:
        """What became of the hints so far."""
        return HintUse(given=len(self._handles), recalled=len(self._recalled))


def _holds(text: str, name: str) -> bool:
    return name in text and whole(name).search(text) is not None


def _newest_from(body: Sequence[Message]) -> int:
    """Where the newest step begins: the last message of the agent."""
    index = len(body) - 1
    while index >= 0 and body[index].role is not Role.ASSISTANT:
        index -= 1
    if index < 0:
        return len(body)
    while index > 0 and body[index - 1].role is Role.ASSISTANT:
        index -= 1
    return index


def _asked(messages: Sequence[Message]) -> Iterator[str]:
    """What the agent wrote, and the errors it got: texts that may name what it needs."""
    for message in messages:
        if message.role is Role.ASSISTANT:
            yield message.text[-_READ_CHARS:]
            yield from (f"{call.arguments}"[:_READ_CHARS] for call in message.calls)
        for result in message.results:
            # Some formats do not say whether a result is an error.
            if result.is_error or (result.is_error is None and "rror" in result.text):
                yield result.text[-_READ_CHARS:]


def _unseen(history: History, shown: ShownMessages) -> list[str]:
    """Names in the newest step that nothing before it in the window holds."""
    body = shown.of(history)
    begin = _newest_from(body)
    names = dict.fromkeys(name for text in _asked(body[begin:]) for name in identifiers_in(text))
    before = [history.record_text, *(search_text([message]) for message in body[:begin])]
    fresh = [
        name
        for name in names
        if len(name) >= _SHORTEST and not any(_holds(text, name) for text in before)
    ]
    return fresh[:NAMES_LOOKED_UP]
