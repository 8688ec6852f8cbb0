"""Which spans go into which request, worked out before the first is sent.

Every request, counted with its instructions, its schema and its reserved output, fits the window
of the summarizer: a request of exactly the window is allowed, one token more is never built.
Parts are cut between exchanges. Where the middle takes more parts than calls are allowed, texts
are shown in shorter excerpts; where one exchange alone does not fit, only its own texts are.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Final

from clew.errors import SummarizerError
from clew.ports import ModelRequest
from clew.summarize.prompt import Asking, Part, ReplyStyle, model_request, request_tokens
from clew.summarize.request import SpanView
from clew.summarize.sections import failed_calls, history_text, user_messages
from clew.summarize.speech import Voice, passages
from clew.tools_seen.seen import Outcome

EXCERPT_CHARS: Final = (2_400, 900, 300, 100)
"""Longest text shown of each passage, the first that works."""

_BEFORE_CHARS: Final = (300, 100)
_JOINT_TOKENS: Final = 2
_TITLE_TOKENS: Final = 120
_MOST_CHARS_A_TOKEN: Final = 8
_MOST_BEFORE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parts, in order, and how much of each text they show (characters a passage)."""

    parts: tuple[Part, ...]
    excerpt_chars: int
    window_tokens: int

    @property
    def calls(self) -> int:
        """How many calls the plan takes when each is answered at once."""
        return len(self.parts)


def plan_parts(
    asking: Asking, spans: tuple[SpanView, ...], *, window_tokens: int, max_parts: int
) -> Plan:
    """The parts that cover all of `spans`, at most `max_parts` of them.

    Raises SummarizerError (permanent) when the instructions leave no room, or when even the
    shortest excerpts take more parts than are allowed.
    """
    if (whole := _whole(asking, spans, window_tokens)) is not None:
        return whole
    room_tokens = _room_tokens(asking, window_tokens)
    needed = 0
    for excerpt_chars in EXCERPT_CHARS:
        parts = _Packer(asking, window_tokens, room_tokens, excerpt_chars).packed(spans)
        if len(parts) <= max_parts:
            count = len(parts)
            return Plan(
                parts=tuple(replace(p, number=n, count=count) for n, p in enumerate(parts, 1)),
                excerpt_chars=excerpt_chars,
                window_tokens=window_tokens,
            )
        needed = len(parts)
    raise SummarizerError(
        f"the middle takes {needed:,} requests of {window_tokens:,} tokens and {max_parts:,} are "
        "allowed",
        permanent=True,
    )


def fits(request: ModelRequest, asking: Asking, window_tokens: int) -> bool:
    """Whether a request may be sent to a model with this window."""
    return request_tokens(request, asking.request.counter) <= window_tokens


def _whole(asking: Asking, spans: tuple[SpanView, ...], window_tokens: int) -> Plan | None:
    """Everything in one request, where that fits: nothing is reserved for other parts then."""
    chars = EXCERPT_CHARS[0]
    texts = tuple(history_text(span, chars) for span in spans)
    if sum(map(len, texts)) > _MOST_CHARS_A_TOKEN * window_tokens:
        return None
    part = Part(spans=spans, texts=texts)
    if not fits(model_request(asking, part, style=ReplyStyle.JSON), asking, window_tokens):
        return None
    return Plan(parts=(part,), excerpt_chars=chars, window_tokens=window_tokens)


def _room_tokens(asking: Asking, window_tokens: int) -> int:
    """Tokens that are left for history once everything else takes all it may."""
    room = asking.room
    bare = model_request(asking, Part(spans=(), texts=("",)), style=ReplyStyle.JSON)
    reserved = (
        room.tokens(room.proposal_share)
        + room.tokens(room.carried_share)
        + room.tokens(room.before_share)
        + (room.tokens(room.among_share) if asking.request.among else 0)
    )
    fixed = request_tokens(bare, asking.request.counter)
    # The marks around the optional sections and the numbers of parts are text too.
    left = window_tokens - fixed - reserved - _TITLE_TOKENS
    if left < 100:
        raise SummarizerError(
            f"a window of {window_tokens:,} tokens leaves no room for history: instructions, "
            f"record and reserved output take {window_tokens - left:,}",
            permanent=True,
        )
    return left


class _Packer:
    """Packs spans into parts, for one length of excerpts."""

    def __init__(
        self, asking: Asking, window_tokens: int, room_tokens: int, excerpt_chars: int
    ) -> None:
        self._asking = asking
        self._counter = asking.request.counter
        self._window = window_tokens
        self._room = room_tokens
        self._chars = excerpt_chars

    def packed(self, spans: tuple[SpanView, ...]) -> list[Part]:
        """The parts, each as full as the room allows."""
        texts = [history_text(span, self._chars) for span in spans]
        owed = ["\n".join((*failed_calls((s,)), *user_messages((s,)))) for s in spans]
        sizes = self._counter.count_texts([f"{t}\n\n{o}" for t, o in zip(texts, owed, strict=True)])
        for place, size in enumerate(sizes):
            if size + _JOINT_TOKENS > self._room:
                texts[place] = self._squeezed(spans[place])
                sizes[place] = self._counter.count_text(texts[place])
        users = [place for place, span in enumerate(spans) if _is_users(span)]
        parts: list[Part] = []
        start = 0
        while start < len(spans):
            end = self._end(sizes, start)
            parts.append(
                Part(
                    spans=spans[start:end],
                    texts=tuple(texts[start:end]),
                    before=self._before(spans, start, users),
                )
            )
            start = end
        return parts

    def _end(self, sizes: list[int], start: int) -> int:
        used = 0
        for place in range(start, len(sizes)):
            used += sizes[place] + _JOINT_TOKENS
            if used > self._room and place > start:
                return place
        return len(sizes)

    def _squeezed(self, span: SpanView) -> str:
        """One exchange that is larger than the room, in excerpts that fit.

        Where it has more passages than lines fit, those between the first and the last are
        counted and named instead.
        """
        limit = self._room - _JOINT_TOKENS
        for chars in (*(c for c in EXCERPT_CHARS if c < self._chars), 60):
            text = history_text(span, chars)
            if self._counter.count_text(text) <= limit:
                return text
        lines = history_text(span, 60).split("\n")
        return self._ends_of(lines, limit)

    def _ends_of(self, lines: list[str], limit_tokens: int) -> str:
        kept = len(lines) // 2
        while kept > 0:
            left_out = len(lines) - 2 * kept
            mark = f"[… {left_out:,} lines left out, in the archive under this span …]"
            text = "\n".join((*lines[:kept], mark, *lines[-kept:]))
            if self._counter.count_text(text) <= limit_tokens:
                return text
            kept = kept * 3 // 4
        return lines[0]

    def _before(self, spans: tuple[SpanView, ...], start: int, users: list[int]) -> tuple[str, ...]:
        """What later parts have to know: the last exchange, the user's last word, waiting calls."""
        room = self._asking.room
        left = room.tokens(room.before_share)
        shown: list[tuple[int, str]] = []
        for place in _open_threads(spans, start, users):
            for chars in _BEFORE_CHARS:
                text = history_text(spans[place], chars)
                tokens = self._counter.count_text(text) + _JOINT_TOKENS
                if tokens <= left:
                    left -= tokens
                    shown.append((place, text))
                    break
        return tuple(text for _, text in sorted(shown))


def _open_threads(spans: tuple[SpanView, ...], start: int, users: list[int]) -> list[int]:
    """Places before `start` that a later part has to know, the most needed first.

    `users` are the places where the user speaks, ascending.
    """
    if not start:
        return []
    spoken = bisect_left(users, start)
    wanted = [start - 1, *users[spoken - 1 : spoken]]
    wanted += [place for place in range(start - 1, -1, -1) if _waits(spans[place])]
    return list(dict.fromkeys(wanted))[:_MOST_BEFORE]


def _is_users(span: SpanView) -> bool:
    return any(passage.voice is Voice.USER for passage in passages(span))


def _waits(span: SpanView) -> bool:
    return any(seen.outcome is Outcome.PENDING for seen in span.calls)
