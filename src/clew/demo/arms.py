"""The four ways to fill the context that the demo compares. The agent is the same in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from clew.budget import ResolvedBudget
from clew.demo.shown import text_of
from clew.demo.size import Sizes

Chat = list[dict[str, Any]]
HEAD_MESSAGES = 2
SUMMARY_OPENING = "Summary of the work so far:"
CLAUSE_END = re.compile(r"[,;:(.]\s|[.]$|\bbecause\b")


class Arm(Protocol):
    """Decides what the agent is shown of the whole conversation."""

    name: str

    def shown(self, messages: Chat) -> Chat:
        """The context of the next call."""
        ...

    def call_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        """Answer a tool of the arm itself; the database is not one of them."""
        ...


class _NoTools:
    """An arm that offers the agent nothing but the database."""

    def call_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        """There is no such tool."""
        return f"error: there is no tool {name}"


class FullHistory(_NoTools):
    """Shows everything; what it would take is the measure of the others."""

    name = "full history"

    def shown(self, messages: Chat) -> Chat:
        """All of it."""
        return list(messages)


class SlidingWindow(_NoTools):
    """Keeps the head (system and first user message) and the newest exchanges that fit."""

    name = "sliding window"

    def __init__(self, budget: ResolvedBudget, sizes: Sizes) -> None:
        self._limit = budget.backstop_tokens
        self._sizes = sizes

    def shown(self, messages: Chat) -> Chat:
        """Head and newest exchanges."""
        room = self._limit - self._sizes.total(messages[:HEAD_MESSAGES])
        return [*messages[:HEAD_MESSAGES], *_newest(messages, room, self._sizes)]


class ProseSummary(_NoTools):
    """Folds the middle into prose once the trigger is passed, by main clauses alone.

    Every word of the summary is the agent's or the user's own and true. What a main clause leaves
    out, the summary leaves out: relative clauses, reasons, brackets. `shorten` says what is left of
    a sentence.
    """

    name = "prose summary"

    def __init__(
        self,
        budget: ResolvedBudget,
        sizes: Sizes,
        shorten: Callable[[str], str] | None = None,
    ) -> None:
        self._budget = budget
        self._sizes = sizes
        self._shorten = shorten or main_clause
        self._absorbed = HEAD_MESSAGES
        self._clauses: list[str] = []
        self._calls = 0
        self.compactions: list[int] = []

    def shown(self, messages: Chat) -> Chat:
        """Head, summary and tail."""
        self._calls += 1
        context = self._render(messages)
        if self._sizes.total(context) < self._budget.trigger_tokens:
            return context
        tail = _newest(messages[self._absorbed :], self._budget.tail_tokens, self._sizes)
        start = len(messages) - len(tail)
        self._clauses += _clauses(messages[self._absorbed : start], self._shorten)
        self._absorbed = start
        self.compactions.append(self._calls)
        return self._render(messages)

    def _render(self, messages: Chat) -> Chat:
        head, tail = messages[:HEAD_MESSAGES], messages[self._absorbed :]
        if not self._clauses:
            return [*head, *tail]
        summary = " ".join([SUMMARY_OPENING, *self._clauses])
        return [*head, {"role": "user", "content": summary}, *tail]


def _newest(messages: Sequence[dict[str, Any]], room: int, sizes: Sizes) -> Chat:
    """The newest messages that fit, from the start of an exchange on; at least the last one."""
    start = len(messages)
    used = 0
    for index in range(len(messages) - 1, HEAD_MESSAGES - 1, -1):
        used += sizes.one(messages[index])
        if used > room and start < len(messages):
            break
        if messages[index]["role"] != "tool":
            start = index
    return list(messages[start:])


def _clauses(messages: Sequence[Mapping[str, Any]], shorten: Callable[[str], str]) -> list[str]:
    """What the user asked and what the agent did, one main clause each."""
    kept = []
    for message in messages:
        text = text_of(message)
        if message["role"] == "user":
            asked = text.split(": ", 1)[-1]
            kept += [f"The user asked: {shorten(s)}." for s in _sentences(asked)]
        elif message["role"] == "assistant" and " done. " in text:
            kept.append(f"Done: {shorten(text.split(' done. ', 1)[1])}.")
    return kept


def _sentences(text: str) -> list[str]:
    return [s for s in re.split(r"(?<=[.])\s+", text) if s]


def main_clause(sentence: str) -> str:
    """A sentence up to its first comma, colon, bracket or reason."""
    return CLAUSE_END.split(sentence.strip(), maxsplit=1)[0].strip()
