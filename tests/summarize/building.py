"""A middle of a run, a request on it, and a model that answers by a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from clew.budget import Chars4Counter
from clew.errors import SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest, ModelUsage, StopReason
from clew.record import Evidence, HandoffRecord, Item, Speaker, Status
from clew.summarize.model import ModelSummarizer
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import see_exchange
from clew.tools_seen.seen import CallSeen
from clew.transcript import Message, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart

COUNTER = Chars4Counter()
GOAL = "Port the tide tables. Keep 3 decimals; never touch tides/golden.json."


def message(role: Role, *parts: Any) -> Message:
    return Message(role=role, parts=parts, native=None, plain={}, digest="")


def span(
    number: int,
    *,
    user: str = "",
    agent: str = "",
    thought: str = "",
    tool: str = "bash",
    arguments: str = "",
    result: str = "",
    calls: tuple[CallSeen, ...] | None = None,
) -> SpanView:
    """One exchange; what is empty makes no part. Positions are two a span."""
    messages = [message(Role.USER, TextPart(text=user))] if user else []
    if agent or arguments:
        parts: list[Any] = [ReasoningPart(text=thought)] if thought else []
        parts += [TextPart(text=agent)] if agent else []
        if arguments:
            parts.append(ToolCallPart(call_id=f"c{number}", name=tool, arguments=arguments))
        messages.append(message(Role.ASSISTANT, *parts))
    if arguments:
        brought = ToolResultPart(call_id=f"c{number}", parts=(TextPart(text=result),))
        messages.append(message(Role.TOOL, brought))
    position = 2 * number
    return SpanView(
        handle=f"S-{number}",
        position=position,
        positions=tuple(range(position, position + len(messages))),
        messages=tuple(messages),
        calls=see_exchange(messages) if calls is None else calls,
    )


TIDES = (
    span(2, user="Do the tables one at a time and ask me before you delete anything."),
    span(
        3,
        agent="I start with table 1.",
        thought="The parser may round.",
        arguments='{"command": "python convert.py 1"}',
        result="table 1: 8760 rows written to tides/out/01.csv, 3 decimals kept",
    ),
    span(
        4,
        agent="I try the fast parser.",
        arguments='{"command": "python convert.py 2 --fast"}',
        result="Traceback (most recent call last):\n  File \"convert.py\", line 9\n"
        "ValueError: row 412 has 4 decimals\nexit code 1",
    ),
    span(
        5,
        agent="The fast parser fails on row 412, so I stay with the slow parser. "
        "I will report the row counts at the end.",
    ),
)  # fmt: skip


def old_record() -> HandoffRecord:
    return HandoffRecord(
        goal=GOAL,
        items=(
            Item(
                id="C-1",
                kind="commitment",
                text="write the summary of row counts",
                status=Status.OPEN,
                evidence=(Evidence(span="S-1", quote="write the summary of row counts"),),
                said_by=Speaker.AGENT,
            ),
            Item(id="F-1", kind="fact", text="there are 11 tables", said_by=Speaker.TOOL),
        ),
        counters=(("C", 1), ("F", 1)),
    )


def request(
    spans: Sequence[SpanView] = TIDES,
    *,
    old: HandoffRecord | None = None,
    target_tokens: int = 900,
    focus: str = "",
    instructions: str = "",
) -> SummaryRequest:
    return SummaryRequest(
        goal=GOAL,
        old=old_record() if old is None else old,
        spans=tuple(spans),
        tail=(),
        target_tokens=target_tokens,
        counter=COUNTER,
        focus=focus,
        instructions=instructions,
    )


def reply(text: str, stop: StopReason = StopReason.END, *, output_tokens: int = 0) -> ModelReply:
    usage = ModelUsage(input_tokens=100, cached_tokens=40, output_tokens=output_tokens)
    return ModelReply(text=text, stop=stop, usage=usage)


IDEAL: dict[str, Any] = {
    "add": [
        {
            "kind": "decision",
            "text": "stay with the slow parser",
            "span": "S-5",
            "quote": "I stay with the slow parser",
            "why": "the fast parser fails on row 412",
            "rejected": [
                {"option": "the fast parser", "why": "ValueError: row 412 has 4 decimals"}
            ],
            "details": [],
        },
        {
            "kind": "dead_end",
            "text": "the fast parser fails: row 412 has 4 decimals",
            "span": "S-4",
            "quote": "ValueError: row 412 has 4 decimals",
            "why": "",
            "rejected": [],
            "details": [{"name": "error", "value": "ValueError: row 412 has 4 decimals"}],
        },
    ],
    "supersede": [],
    "revise": [],
    "close": [],
    "dismiss": [],
    "next": "I will report the row counts at the end.",
}
IDEAL_TEXT = json.dumps(IDEAL)

Step = str | ModelReply | Exception | Callable[[ModelRequest], ModelReply]


class ScriptedClient:
    """Answers by a script, the last step for ever; remembers every request."""

    def __init__(
        self, *script: Step, name: str = "scripted:small", window_tokens: int = 100_000
    ) -> None:
        self._script = list(script)
        self._name = name
        self._window = window_tokens
        self.structured_output = True
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def window_tokens(self) -> int:
        return self._window

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        step = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(step, Exception):
            raise step
        if isinstance(step, str):
            return reply(step)
        return step if isinstance(step, ModelReply) else step(request)

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        return self.complete(request)


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self, at: float = 1_000_000.0) -> None:
        self.at = at
        self.slept: list[float] = []

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)


class Shelf:
    """What a store remembers."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def recollect(self, key: str) -> str | None:
        return self.kept.get(key)

    def remember(self, key: str, value: str) -> None:
        self.kept[key] = value


def summarizer(
    client: ModelClient,
    fallback: ModelClient | None = None,
    *,
    time: FakeTime | None = None,
    shelf: Shelf | None = None,
    **options: Any,
) -> ModelSummarizer:
    clock = time or FakeTime()
    if shelf is not None:
        options |= {"recollect": shelf.recollect, "remember": shelf.remember}
    return ModelSummarizer(
        client, fallback, now=clock.now, sleep=clock.sleep, asleep=clock.asleep, **options
    )


def transient(problem: str = "HTTP 500", *, retry_after: float | None = None) -> SummarizerError:
    return SummarizerError(problem, summarizer="scripted:small", retry_after_seconds=retry_after)


def permanent(problem: str = "HTTP 401", **facts: Any) -> SummarizerError:
    return SummarizerError(problem, summarizer="scripted:small", permanent=True, **facts)
