"""The arm that asks a Clew session for every context, on the embedded default."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.budget import Budget
from clew.demo.arms import Chat
from clew.demo.play import TOOLS
from clew.demo.shown import text_of
from clew.outcome import Compacted, Context, Evicted, sentence
from clew.policy import Policy
from clew.ports import TokenCounter
from clew.record.fence import FENCE_OPEN
from clew.record.record import HandoffRecord
from clew.session import Session
from clew.transcript import canonical_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One compaction: before which call, why, and the context before and after in tokens."""

    call: int
    reason: str
    tokens_before: int
    tokens_after: int
    absorbed_messages: int
    lineage: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveCheck:
    """What left the last context, and how much of it its handles bring back unchanged."""

    absorbed_messages: int
    brought_back: int
    handles: int


class ClewArm:
    """Memory store, extractive summarizer, no key and no network."""

    name = "clew"

    def __init__(self, budget: Budget, counter: TokenCounter) -> None:
        self.session = Session(policy=Policy(budget), counter=counter, format="openai-chat")
        self.folds: list[Fold] = []
        self._tools = [*TOOLS, *self.session.tools()]
        self._handles: dict[str, None] = {}
        self._calls = 0
        self._context: Context | None = None

    def shown(self, messages: Chat) -> Chat:
        """What the session prepares."""
        self._calls += 1
        context = self.session.prepare(messages, tools=self._tools)
        if isinstance(context.outcome, Compacted | Evicted):
            self._handles.update(dict.fromkeys(context.outcome.handles))
        if isinstance(context.outcome, Compacted):
            self._note(context, context.outcome, self._context)
        self._context = context
        return list(context.messages)

    def call_tool(self, name: str, arguments: Mapping[str, str]) -> str:
        """Answer the agent's recall and search."""
        return self.session.call_tool(name, dict(arguments))

    @property
    def record(self) -> HandoffRecord:
        """The record in force."""
        return self.session.record

    @property
    def record_text(self) -> str:
        """The record as it stands in the last context."""
        shown = [] if self._context is None else self._context.messages
        texts = (text_of(message) for message in shown)
        return next((text for text in texts if text.startswith(FENCE_OPEN)), "")

    def check_archive(self, messages: Sequence[Mapping[str, Any]]) -> ArchiveCheck:
        """Fetch every handle and look for every message that the last context does not hold."""
        shown = [] if self._context is None else self._context.messages
        present = {canonical_json(message) for message in shown}
        fetched = {
            canonical_json(native)
            for handle in self._handles
            for native in _natives(self.session.recall(handle))
        }
        # The last answer came after the last context.
        gone = [text for m in messages[:-1] if (text := canonical_json(m)) not in present]
        return ArchiveCheck(
            absorbed_messages=len(gone),
            brought_back=sum(text in fetched for text in gone),
            handles=len(self._handles),
        )

    def _note(self, context: Context, outcome: Compacted, last: Context | None) -> None:
        lineage = context.report.lineage
        grown = context.report.tokens_before
        if last is not None:
            grown += last.report.tokens_after - last.report.tokens_before
        self.folds.append(
            Fold(
                call=self._calls,
                reason=sentence(outcome),
                tokens_before=grown,
                tokens_after=context.report.tokens_after,
                absorbed_messages=outcome.absorbed_messages,
                lineage=lineage.counts() if lineage is not None else {},
            )
        )


def _natives(fetched: bytes) -> list[Any]:
    """The messages behind the handle of a span; a single part is none."""
    try:
        value = json.loads(fetched)
    except ValueError:
        return []
    return value if isinstance(value, list) else []
