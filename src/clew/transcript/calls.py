"""Where the model was called in a recorded session: just before each of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.transcript.message import Message, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """One model call: it was shown the first `shown` messages and gave those up to `end`."""

    n: int
    shown: int
    end: int


def recorded_calls(
    messages: Sequence[Message], *, adjacent_results: bool
) -> tuple[RecordedCall, ...]:
    """The calls of a session, in order.

    Where an answer comes as several items (`adjacent_results` false: Responses), neighbouring
    assistant items are one call; elsewhere each assistant message is one. Answers in front of any
    other message had no context, so they are no calls.
    """
    calls: list[RecordedCall] = []
    for index, message in enumerate(messages):
        if message.role is not Role.ASSISTANT or index == 0:
            continue
        joins = not adjacent_results and bool(calls) and calls[-1].end == index
        if joins:
            last = calls[-1]
            calls[-1] = RecordedCall(n=last.n, shown=last.shown, end=index + 1)
        elif adjacent_results or messages[index - 1].role is not Role.ASSISTANT:
            calls.append(RecordedCall(n=len(calls) + 1, shown=index, end=index + 1))
    return tuple(calls)
