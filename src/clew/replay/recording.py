"""A recorded session, read once: messages, sizes, where the goal stands, what its calls did."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

from clew.budget.measure import Meter, count_system, count_tools
from clew.codecs import codec_for
from clew.cuts import goal_index
from clew.history import handle_of
from clew.importers import ImportedSession
from clew.ports import TokenCounter
from clew.record.fence import FENCE_OPEN
from clew.replay.played import SessionFacts
from clew.summarize.extractive.reading import Reading, read_span
from clew.summarize.request import SpanView
from clew.tools_seen import CallSeen, is_harness_text, is_observation, see_exchange
from clew.transcript import ExchangeGrouper, Message, Role
from clew.transcript.calls import RecordedCall, recorded_calls

LEADING = frozenset({Role.SYSTEM, Role.DEVELOPER})


class Recording:
    """The parsed form of an imported session and what can be said about it alone."""

    def __init__(self, imported: ImportedSession, counter: TokenCounter) -> None:
        self.imported = imported
        self.counter = counter
        self.codec = codec_for(imported.format)
        self.meter = Meter(counter, imported.format)
        self.messages = [self.codec.parse(m, i) for i, m in enumerate(imported.messages)]
        self.sizes = self.meter.count(self.messages)
        self.lead_count = len(list(takewhile(lambda m: m.role in LEADING, self.messages)))
        self.goal = goal_index(self.messages, is_person)
        self.fixed_tokens = count_system(imported.system, counter) + count_tools(
            imported.tools, counter
        )

    @property
    def lead_tokens(self) -> int:
        """Size of the system messages at the front, which no compaction touches."""
        return sum(self.sizes[: self.lead_count])

    @property
    def goal_text(self) -> str:
        """The text of the message that holds the goal; empty without one."""
        return "" if self.goal is None else self.messages[self.goal].text

    def head_tokens(self) -> int:
        """Size of everything up to the goal, system and tools included."""
        goal = 0 if self.goal is None else sum(self.sizes[: self.goal + 1])
        return self.fixed_tokens + max(goal, self.lead_tokens)

    def calls(self) -> tuple[RecordedCall, ...]:
        """The model calls of the recording."""
        return recorded_calls(self.messages, adjacent_results=self.codec.adjacent_results)

    def transcript_tokens(self, shown: int) -> int:
        """Size of the first `shown` messages behind the lead."""
        return sum(self.sizes[self.lead_count : shown])

    @cached_property
    def spans(self) -> tuple[SpanView, ...]:
        """The exchanges behind the lead, with the handles they get when they are absorbed."""
        grouper = ExchangeGrouper(adjacent_results=self.codec.adjacent_results)
        grouper.feed(self.messages[self.lead_count :])
        views = []
        for unit in grouper.exchanges():
            messages = tuple(self.messages[self.lead_count + i] for i in unit.indices)
            views.append(
                SpanView(
                    handle=handle_of(unit.first),
                    position=unit.first,
                    positions=unit.indices,
                    messages=messages,
                    calls=see_exchange(messages),
                )
            )
        return tuple(views)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """Each exchange with the identifiers in it and who used them."""
        return tuple(read_span(span) for span in self.spans)

    def tool_calls(self) -> Sequence[CallSeen]:
        """What the tool calls did, in the order of their exchanges."""
        return [seen for span in self.spans for seen in span.calls]

    def facts(self) -> SessionFacts:
        """Format and size."""
        return SessionFacts(
            source=self.imported.source,
            family=self.imported.family,
            format=self.imported.format.value,
            messages=len(self.messages),
            calls=len(self.calls()),
            tool_calls=sum(len(message.calls) for message in self.messages),
            tokens=sum(self.sizes) + self.fixed_tokens,
        )


def is_person(message: Message) -> bool:
    """Whether a person typed this: no harness text, no result, no record that Clew wrote."""
    written = message.text.lstrip().startswith(FENCE_OPEN)
    return not (written or is_harness_text(message) or is_observation(message))
