"""One question to a model and, when it fails, to a second: retries, limits, breaker, memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from clew.errors import SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest, ModelUsage, Prices, TokenCounter
from clew.summarize.breaker import CallLimits, CallState, state_from_text
from clew.summarize.calls import ANSWERED, REMEMBERED, ModelCall, cost_of
from clew.summarize.effects import (
    Ask,
    Now,
    Recollect,
    Remember,
    Steps,
    Wait,
    reply_from_text,
    reply_to_text,
    request_digest,
)
from clew.summarize.parse import Parsed
from clew.summarize.prompt import ReplyStyle, followed_up, prompt_file, request_tokens
from clew.summarize.reply import Unreadable, Unusable

_SHRINK: Final = 0.7
_HOPELESS: Final = frozenset({Unusable.REFUSED, Unusable.OVERSIZE})

_UNCACHED_SECONDS: Final = 3_600.0
"""How long the live prompt is not asked again after the provider read little of it from a cache."""

Build = Callable[[ReplyStyle], ModelRequest]
Read = Callable[[ModelReply], Parsed | Unreadable]


class TooLongError(Exception):
    """A model takes no request of this length; the next may have at most `window_tokens`."""

    def __init__(self, client: ModelClient, window_tokens: int) -> None:
        self.client = client
        self.window_tokens = window_tokens
        super().__init__(f"{client.name} takes at most {window_tokens:,} tokens")


class _NotAskedError(SummarizerError):
    """A limit forbids the call; that says nothing about the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model answered, the request it answered, and who it was."""

    parsed: Parsed
    reply: ModelReply
    request: ModelRequest
    client: ModelClient


@dataclass(slots=True)
class Books:
    """What one compaction has asked so far; the numbers of its report."""

    calls: int = 0
    memoised: int = 0
    retries: int = 0
    repairs: int = 0
    shrunk: int = 0
    usage: ModelUsage = field(default_factory=ModelUsage)
    cost: float | None = None
    failures: list[str] = field(default_factory=list)
    made: list[ModelCall] = field(default_factory=list)

    def carry_on(self, facts: Mapping[str, Any]) -> None:
        """Count what was asked for the same compaction before."""
        self.calls = int(facts.get("calls", 0))
        self.memoised = int(facts.get("memoised", 0))
        self.retries = int(facts.get("retries", 0))
        self.usage = ModelUsage(
            input_tokens=int(facts.get("input_tokens", 0)),
            cached_tokens=int(facts.get("cached_tokens", 0)),
            output_tokens=int(facts.get("output_tokens", 0)),
        )
        self.cost = facts.get("cost")
        self.made = list(facts.get("made", ()))

    def add(self, call: ModelCall) -> None:
        """Note a call, its usage and what it cost."""
        self.made.append(call)
        self.usage = ModelUsage(
            input_tokens=self.usage.input_tokens + call.input_tokens,
            cached_tokens=self.usage.cached_tokens + call.cached_tokens,
            output_tokens=self.usage.output_tokens + call.output_tokens,
        )
        if call.cost is not None:
            self.cost = (self.cost or 0.0) + call.cost


class Asker:
    """Asks the models of one summarizer, in order, within the limits of one compaction."""

    def __init__(
        self,
        clients: Sequence[ModelClient],
        limits: CallLimits,
        counter: TokenCounter,
        *,
        window_tokens: int | None = None,
        run_key: str = "",
        prices: Prices | None = None,
        structured: bool = True,
    ) -> None:
        self._clients = tuple(clients)
        self._limits = limits
        self._counter = counter
        self._declared = window_tokens
        self._run_key = run_key
        self._prices = prices
        self._structured = structured
        self.books = Books()
        self.most_parts = limits.parts

    def window(self) -> Steps[int]:
        """Window to plan with: that of the first model that may be called.

        `most_parts` then says how many calls its hour has left to plan with. Raises
        SummarizerError when no model may be called.
        """
        now: float = yield Now()
        for client in self._clients:
            state = yield from self._state(client, now)
            if reason := state.refusal(now, self._limits):
                self.books.failures.append(f"{client.name}: {reason}")
                continue
            self.most_parts = min(self._limits.parts, state.left(now, self._limits))
            return self._window_of(client, state)
        raise self._given_up(SummarizerError("no model may be called", permanent=False))

    def ask(self, build: Build, read: Read) -> Steps[Answer]:
        """A usable answer; raises SummarizerError when no model gives one, else TooLongError."""
        last = SummarizerError("no model may be called")
        for client in self._clients:
            now: float = yield Now()
            state = yield from self._state(client, now)
            if reason := state.refusal(now, self._limits):
                last = SummarizerError(reason, summarizer=client.name)
                continue
            try:
                answer = yield from self._ask_one(client, build, read)
            except SummarizerError as error:
                last = error
                self.books.failures.append(str(error))
                if error.too_long:
                    raise TooLongError(client, self._smaller(build, client)) from error
                if not isinstance(error, _NotAskedError):
                    yield from self._note_failure(client, error)
                continue
            yield from self._note_success(client)
            return answer
        raise self._given_up(last)

    def follow_up(self, answer: Answer, ask: str, read: Read) -> Steps[Answer | None]:
        """A second answer to the same question with a word on the first; None when it is no use.

        Never more often than the limits allow, and never over the window.
        """
        state = yield from self._state(answer.client, 0.0)
        window = self._window_of(answer.client, state)
        request = self._second(answer.request, answer.reply.text, ask, window)
        if request is None or self.books.repairs >= self._limits.repairs:
            return None
        self.books.repairs += 1
        try:
            reply = yield from self._reply(answer.client, request)
        except SummarizerError as error:
            self.books.failures.append(str(error))
            return None
        parsed = read(reply)
        if isinstance(parsed, Unreadable):
            self.books.failures.append(f"{answer.client.name}: {parsed.sentence}")
            return None
        yield from self._keep(answer.client, request, reply)
        return Answer(parsed=parsed, reply=reply, request=request, client=answer.client)

    def ask_live(
        self, client: ModelClient, request: ModelRequest, read: Read
    ) -> Steps[Answer | str]:
        """An answer behind the live prompt, or why there is none.

        Asked once, and held against no model: it may well answer a fresh prompt.
        """
        live = request.live
        assert live is not None
        now: float = yield Now()
        kept: str | None = yield Recollect(key=_live_key(client))
        if kept and now - _number(kept) < _UNCACHED_SECONDS:
            return "the provider's cache was not read the last time"
        try:
            reply = yield from self._reply(client, request)
        except SummarizerError as error:
            return f"it was refused: {error}"
        if 2 * reply.usage.cached_tokens < live.tokens:
            yield Remember(key=_live_key(client), value=str(now))
        parsed = read(reply)
        if isinstance(parsed, Unreadable):
            return f"the reply was no delta: it {parsed.sentence}"
        yield from self._keep(client, request, reply)
        return Answer(parsed=parsed, reply=reply, request=request, client=client)

    # -- one model --

    def _ask_one(self, client: ModelClient, build: Build, read: Read) -> Steps[Answer]:
        request = build(self._style(client))
        reply = yield from self._patiently(client, build)
        request = build(self._style(client))
        parsed = read(reply)
        if isinstance(parsed, Unreadable) and parsed.reason not in _HOPELESS:
            state = yield from self._state(client, 0.0)
            second = self._again(client, build, parsed, self._window_of(client, state))
            if second is not None and self.books.repairs < self._limits.repairs:
                self.books.repairs += 1
                self.books.failures.append(f"{client.name}: {parsed.sentence}")
                reply = yield from self._reply(client, second)
                request, parsed = second, read(reply)
        if isinstance(parsed, Unreadable):
            refused = parsed.reason is Unusable.REFUSED
            raise SummarizerError(parsed.sentence, summarizer=client.name, permanent=refused)
        yield from self._keep(client, request, reply)
        return Answer(parsed=parsed, reply=reply, request=request, client=client)

    def _again(
        self, client: ModelClient, build: Build, failed: Unreadable, window: int
    ) -> ModelRequest | None:
        """The question once more after an unusable answer, which is not shown again."""
        if failed.reason is Unusable.CUT_OFF:
            request = build(self._style(client))
            word = prompt_file("shorter").format(tokens=f"{request.max_output_tokens:,}")
        else:
            # A server that did not keep to the schema may keep to the plain form.
            request = build(ReplyStyle.LINES)
            word = prompt_file("repair").format(findings=f"- it {failed.sentence}")
        return self._second(request, "", word, window)

    def _second(
        self, request: ModelRequest, reply: str, word: str, window: int
    ) -> ModelRequest | None:
        for shown in dict.fromkeys((reply, "")):
            second = followed_up(request, shown, word)
            if request_tokens(second, self._counter) <= window:
                return second
        return None

    def _patiently(self, client: ModelClient, build: Build) -> Steps[ModelReply]:
        """A reply, with a limited number of retries where a retry can help."""
        wait = self._limits.first_wait_seconds
        for attempt in range(self._limits.retries + 1):
            style = self._style(client)
            try:
                return (yield from self._reply(client, build(style)))
            except SummarizerError as error:
                if error.too_long or error.permanent or attempt == self._limits.retries:
                    raise
                if self._style(client) is not style:
                    continue
                pause = wait if error.retry_after_seconds is None else error.retry_after_seconds
                if pause > self._limits.longest_wait_seconds:
                    raise
                self.books.failures.append(str(error))
            self.books.retries += 1
            yield Wait(seconds=max(0.0, pause))
            wait *= 2
        raise AssertionError("the last attempt returns or raises")

    def _reply(self, client: ModelClient, request: ModelRequest) -> Steps[ModelReply]:
        """One reply: the remembered one, else a call within all limits."""
        kept = reply_from_text((yield Recollect(key=_memo_key(client, request))))
        if kept is not None:
            self.books.memoised += 1
            self.books.made.append(ModelCall(model=client.name, outcome=REMEMBERED))
            return kept
        now: float = yield Now()
        state = yield from self._state(client, now)
        window = self._window_of(client, state)
        tokens = request_tokens(request, self._counter)
        if tokens > window:
            problem = f"a request of {tokens:,} tokens does not fit its window of {window:,}"
            raise _NotAskedError(problem, summarizer=client.name, permanent=True, too_long=True)
        yield from self._count_call(client, state, now)
        reply: ModelReply | SummarizerError = yield Ask(client=client, request=request)
        self.books.add(self._call(client, reply, (yield Now()) - now))
        if isinstance(reply, SummarizerError):
            raise reply
        if request.live is not None:
            # The live prompt holds what the agent holds; an answer is kept without its secrets.
            reply = replace(reply, text=request.live.clean(reply.text))
        return reply

    def _call(
        self, client: ModelClient, reply: ModelReply | SummarizerError, seconds: float
    ) -> ModelCall:
        if isinstance(reply, SummarizerError):
            return ModelCall(model=client.name, outcome=reply.problem, seconds=seconds)
        rates = self._prices.rates(client.name) if self._prices is not None else None
        return ModelCall(
            model=client.name,
            outcome=ANSWERED,
            seconds=seconds,
            input_tokens=reply.usage.input_tokens,
            cached_tokens=reply.usage.cached_tokens,
            output_tokens=reply.usage.output_tokens,
            cost=cost_of(reply.usage, rates),
        )

    def _count_call(self, client: ModelClient, state: CallState, now: float) -> Steps[None]:
        """Write a call down before it is made, so that a crash in it cannot repeat for ever."""
        limits = self._limits
        if self.books.calls >= limits.per_compaction:
            problem = f"{limits.per_compaction:,} calls for this compaction were made already"
            raise _NotAskedError(problem, summarizer=client.name)
        if reason := state.refusal(now, limits):
            raise _NotAskedError(reason, summarizer=client.name)
        if self._run_key:
            made = int((yield Recollect(key=self._run_key)) or 0)
            if made >= limits.per_run:
                problem = f"{limits.per_run:,} calls in this run were made already"
                raise _NotAskedError(problem, summarizer=client.name)
            yield Remember(key=self._run_key, value=str(made + 1))
        self.books.calls += 1
        yield Remember(key=_state_key(client), value=state.called(now).to_text())

    # -- what is remembered --

    def _keep(self, client: ModelClient, request: ModelRequest, reply: ModelReply) -> Steps[None]:
        """Remember a usable answer: asked again after a crash, it costs no call."""
        yield Remember(key=_memo_key(client, request), value=reply_to_text(reply))

    def _state(self, client: ModelClient, now: float) -> Steps[CallState]:
        text: str | None = yield Recollect(key=_state_key(client))
        return state_from_text(text, now, self._limits)

    def _note_success(self, client: ModelClient) -> Steps[None]:
        state = yield from self._state(client, (yield Now()))
        yield Remember(key=_state_key(client), value=state.succeeded().to_text())

    def _note_failure(self, client: ModelClient, error: SummarizerError) -> Steps[None]:
        now: float = yield Now()
        state = yield from self._state(client, now)
        state = state.failed(now, error, self._limits)
        yield Remember(key=_state_key(client), value=state.to_text())

    def note_window(self, error: TooLongError) -> Steps[None]:
        """Remember that requests to a model have to be smaller from now on."""
        self.books.shrunk += 1
        state = yield from self._state(error.client, (yield Now()))
        smaller = state.with_window(error.window_tokens)
        yield Remember(key=_state_key(error.client), value=smaller.to_text())

    # -- small questions --

    def _style(self, client: ModelClient) -> ReplyStyle:
        able = self._structured and getattr(client, "structured_output", True)
        return ReplyStyle.JSON if able else ReplyStyle.LINES

    def _window_of(self, client: ModelClient, state: CallState) -> int:
        known = [client.window_tokens, self._declared, state.window_tokens]
        return min(tokens for tokens in known if tokens)

    def _smaller(self, build: Build, client: ModelClient) -> int:
        tokens = request_tokens(build(self._style(client)), self._counter)
        return min(int(tokens * _SHRINK), client.window_tokens)

    def _given_up(self, last: SummarizerError) -> SummarizerError:
        said = "; ".join(dict.fromkeys(self.books.failures)) or last.problem
        return SummarizerError(
            said, permanent=last.permanent, retry_after_seconds=last.retry_after_seconds
        )


def _live_key(client: ModelClient) -> str:
    return f"summarizer-uncached/{client.name}"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _state_key(client: ModelClient) -> str:
    return f"summarizer-calls/{client.name}"


def _memo_key(client: ModelClient, request: ModelRequest) -> str:
    return f"summarizer-answer/{request_digest(client.name, request)}"
