"""From a request and one part of its history to the text a model is sent.

The instructions are the files in `prompts/`; `PROMPT_VERSION` grows with every change of them, so
that a report says which wording a record was made with. What is data stands in a fence.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from clew.ports import ModelRequest, TokenCounter
from clew.record.delta import Delta
from clew.record.fence import neutral
from clew.record.items import Item
from clew.record.lines import short_line
from clew.summarize.excerpt import RULE
from clew.summarize.request import SpanView, SummaryRequest
from clew.summarize.schema import kind_lines, reply_schema
from clew.summarize.sections import (
    accounted_spans,
    failed_calls,
    fenced,
    fitting,
    goal_text,
    history_text,
    open_items,
    proposal_lines,
    record_lines,
    user_messages,
)

PROMPT_VERSION: Final = 3
AMONG_CHARS: Final = 600
"""Longest excerpt of a passage that stays in the context among what is folded."""


class ReplyStyle(StrEnum):
    """How the model is asked to answer. LINES is for servers without structured output."""

    JSON = "json"
    LINES = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The spans one call folds, as rendered, and what it sees of the part before.

    `number` counts from 1 to `count`; `before` is the overlap, shown and not folded again.
    """

    spans: tuple[SpanView, ...]
    texts: tuple[str, ...]
    number: int = 1
    count: int = 1
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Tokens for each section beside the history, as shares of what a call may hold.

    The shares are chosen so that over half of any window is left for the history.
    """

    input_tokens: int
    goal_share: float = 0.08
    record_share: float = 0.18
    owed_share: float = 0.06
    proposal_share: float = 0.08
    carried_share: float = 0.08
    before_share: float = 0.06
    among_share: float = 0.03

    def tokens(self, share: float) -> int:
        """A share in tokens."""
        return int(self.input_tokens * share)

    def narrow(self) -> Room:
        """Shares for a small window: the offline proposal is not shown, the overlap is short."""
        return replace(self, proposal_share=0.0, carried_share=0.05, before_share=0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Everything about a compaction's requests that is the same for all of its parts.

    `plain` asks in the plain form whatever the server can do; a small window sets it by itself.
    """

    request: SummaryRequest
    room: Room
    max_output_tokens: int
    offline: Delta | None = None
    plain: bool = False

    def __post_init__(self) -> None:
        """Take the plain form where instructions and schema would fill a third of the room."""
        counter = self.request.counter
        schema = json.dumps(reply_schema(self.request.kinds))
        texts = [instructions(self.request, ReplyStyle.JSON), schema]
        if 3 * sum(counter.count_texts(texts)) > self.room.input_tokens:
            object.__setattr__(self, "plain", True)
            object.__setattr__(self, "room", self.room.narrow())


def model_request(
    asking: Asking, part: Part, *, style: ReplyStyle, carried: Sequence[Item] = ()
) -> ModelRequest:
    """The request for one part; `carried` are items that earlier parts proposed."""
    request = asking.request
    style = ReplyStyle.LINES if asking.plain else style
    return ModelRequest(
        system=_sendable(instructions(request, style)),
        prompt=_sendable("\n\n".join(_blocks(asking, part, carried))),
        max_output_tokens=asking.max_output_tokens,
        schema=reply_schema(request.kinds, asking.max_output_tokens)
        if style is ReplyStyle.JSON
        else None,
    )


def behind_live(
    asking: Asking, part: Part, opening: str, spans: Sequence[str], carried: Sequence[Item]
) -> str:
    """The one message behind a live prompt: the rules, where the spans are, what is owed."""
    blocks = [opening, instructions(asking.request, ReplyStyle.LINES)]
    title = "Spans; the numbers count the messages above from 1"
    blocks.append(_titled(title, "spans", "\n".join(spans)))
    blocks.extend(_proposed(asking, part, carried))
    return _sendable("\n\n".join([*blocks, *_closing(asking, part)]))


def followed_up(first: ModelRequest, reply: str, ask: str) -> ModelRequest:
    """The same request with the model's answer and a word on it behind."""
    answer = fenced("answer", neutral(reply)) if reply.strip() else ""
    prompt = "\n\n".join(filter(None, (first.prompt, answer, ask)))
    return ModelRequest(
        system=first.system,
        prompt=_sendable(prompt),
        max_output_tokens=first.max_output_tokens,
        schema=first.schema,
        live=first.live,
    )


def request_tokens(request: ModelRequest, counter: TokenCounter) -> int:
    """Everything a request takes of the window: instructions, prompt, schema, reserved output."""
    schema = json.dumps(request.schema) if request.schema is not None else ""
    counted = counter.count_texts([request.system, request.prompt, schema])
    live = request.live.tokens if request.live is not None else 0
    return sum(counted) + request.max_output_tokens + live


def instructions(request: SummaryRequest, style: ReplyStyle) -> str:
    """The system text: rules, kinds, form of the answer."""
    form = prompt_file("reply_json" if style is ReplyStyle.JSON else "reply_lines")
    return "\n\n".join(
        (prompt_file("system"), f"Kinds of items:\n{kind_lines(request.kinds)}", form)
    )


@cache
def prompt_file(name: str) -> str:
    """One of the packaged prompt files, without blanks around it."""
    return files("clew.summarize").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


def _blocks(asking: Asking, part: Part, carried: Sequence[Item]) -> list[str]:
    request, room, counter = asking.request, asking.room, asking.request.counter
    blocks = [_titled("Goal of the run", "goal", _goal(request, room))]
    old = record_lines(request.old.items, request.kinds, counter, room.tokens(room.record_share))
    if old:
        blocks.append(_titled("The record so far, by id", "old", "\n".join(old)))
    blocks.extend(_proposed(asking, part, carried))
    if part.before:
        title = "Just before this part, already folded; for understanding only"
        blocks.append(_titled(title, "before", "\n\n".join(part.before)))
    if among := _among(asking, part):
        title = "Stays in the context word for word, among what is folded; for understanding only"
        blocks.append(_titled(title, "kept", "\n\n".join(among)))
    which = f", part {part.number} of {part.count}" if part.count > 1 else ""
    title = f"The history to fold{which}. {RULE}"
    blocks.append(_titled(title, "history", "\n\n".join(part.texts)))
    return [*blocks, *_closing(asking, part)]


def _among(asking: Asking, part: Part) -> list[str]:
    """What stays among the spans of a part, or right behind its last one; the newest that fit."""
    if not part.spans:
        return []
    first, last = part.spans[0].position, max((part.spans[-1].position, *part.spans[-1].positions))
    texts = [
        history_text(span, AMONG_CHARS)
        for span in reversed(asking.request.among)
        if first < span.position <= last + 1
    ]
    room = asking.room
    return fitting(texts, asking.request.counter, room.tokens(room.among_share))[::-1]


def _proposed(asking: Asking, part: Part, carried: Sequence[Item]) -> list[str]:
    """What earlier parts proposed, and what the offline summarizer does."""
    request, room, counter = asking.request, asking.room, asking.request.counter
    blocks: list[str] = []
    new = [
        f"- {item.kind} {short_line(item, kind=request.kinds.get(item.kind))}"
        for item in reversed(carried)
    ]
    if kept := fitting(new, counter, room.tokens(room.carried_share)):
        title = "Proposed in earlier parts; close, revise or supersede by these ids"
        blocks.append(_titled(title, "new", "\n".join(reversed(kept))))
    offered = proposal_lines(asking.offline, part.spans, counter, room.tokens(room.proposal_share))
    if offered:
        title = "Proposed by a program that reads no meaning; it stands unless you contradict it"
        blocks.append(_titled(f"{title}. Do not repeat it", "proposal", "\n".join(offered)))
    return blocks


def _goal(request: SummaryRequest, room: Room) -> str:
    """The goal, its ends when it is long; four characters a token, less where that is too much."""
    limit = room.tokens(room.goal_share)
    chars = 4 * limit
    while chars > 80 and request.counter.count_text(goal_text(request.goal, chars)) > limit:
        chars //= 2
    return goal_text(request.goal, chars)


def _closing(asking: Asking, part: Part) -> list[str]:
    request, room = asking.request, asking.room
    shown = frozenset[str]() if asking.plain else accounted_spans(asking.offline)
    owed = [
        *failed_calls(part.spans, shown),
        *open_items(request),
        *user_messages(part.spans),
    ]
    kept = fitting(owed, request.counter, room.tokens(room.owed_share))
    if len(kept) < len(owed):
        kept.append(f"- and {len(owed) - len(kept)} more that a program accounts for")
    blocks = [_titled("Account for", "owed", "\n".join(kept))] if kept else []
    if request.instructions.strip():
        blocks.append(f"Instructions of the operator:\n{request.instructions.strip()}")
    if request.focus.strip():
        blocks.append(f"Focus of this compaction: {request.focus.strip()}")
    blocks.append(
        f"The rendered record has to keep to about {request.target_tokens:,} tokens: propose what "
        "matters most. Answer now with operations only."
    )
    return blocks


def _sendable(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones replaced: no wire takes those."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _titled(title: str, name: str, body: str) -> str:
    return f"{title}:\n{fenced(name, body)}"
