"""What asking a model needs from the outside, and the two drivers that provide it.

The algorithm is a generator that yields these values; nothing else in this package waits, reads a
clock or touches a store.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from clew.errors import StoreError, SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest, ModelUsage, StopReason

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Ask this model. Answer: ModelReply or SummarizerError, as a value."""

    client: ModelClient
    request: ModelRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Let this many seconds pass. Answer: None."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollect:
    """What is remembered under this key? Answer: a text or None."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """Remember this text. Answer: None."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """What time is it? Answer: seconds since the epoch."""


Effect = Ask | Wait | Recollect | Remember | Now
Steps = Generator[Effect, Any, _T]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where the drivers get answers from; the two callables of a store, the clock, the sleeps."""

    recollect: Callable[[str], str | None] | None = None
    remember: Callable[[str, str], None] | None = None
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    asleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def drive(steps: Steps[_T], around: Surroundings) -> _T:
    """Run the steps to their end."""
    answer: Any = None
    try:
        while True:
            effect = steps.send(answer)
            match effect:
                case Ask():
                    answer = _asked(effect)
                case Wait():
                    around.sleep(effect.seconds)
                    answer = None
                case _:
                    answer = _answered(effect, around)
    except StopIteration as done:
        result: _T = done.value
        return result
    finally:
        steps.close()


async def adrive(steps: Steps[_T], around: Surroundings) -> _T:
    """Run the steps to their end; a cancellation at any await leaves nothing half done."""
    answer: Any = None
    try:
        while True:
            effect = steps.send(answer)
            match effect:
                case Ask():
                    answer = await _aasked(effect)
                case Wait():
                    await around.asleep(effect.seconds)
                    answer = None
                case _:
                    answer = _answered(effect, around)
    except StopIteration as done:
        result: _T = done.value
        return result
    finally:
        steps.close()


def request_digest(client: str, request: ModelRequest) -> str:
    """Names a request to a model: equal requests have equal digests."""
    asked: list[Any] = [client, request.system, request.prompt, request.schema]
    asked.append(request.max_output_tokens)
    if request.live is not None:
        asked.append(request.live.digest)
    return sha256(json.dumps(asked, sort_keys=True).encode("ascii")).hexdigest()


def reply_to_text(reply: ModelReply) -> str:
    """The form in which an answer is remembered."""
    usage = reply.usage
    return json.dumps(
        {
            "text": reply.text,
            "stop": reply.stop.value,
            "usage": [usage.input_tokens, usage.cached_tokens, usage.output_tokens],
        }
    )


def reply_from_text(text: str | None) -> ModelReply | None:
    """A remembered answer, None where none is remembered or it cannot be read."""
    if not text:
        return None
    try:
        value = json.loads(text)
        read, cached, written = (int(n) for n in value["usage"])
        return ModelReply(
            text=str(value["text"]),
            stop=StopReason(value["stop"]),
            usage=ModelUsage(input_tokens=read, cached_tokens=cached, output_tokens=written),
        )
    except (ValueError, TypeError, KeyError):
        return None


def _answered(effect: Recollect | Remember | Now, around: Surroundings) -> Any:
    match effect:
        case Now():
            return around.now()
        case Recollect(key=key):
            return _quietly(around.recollect, key)
        case Remember(key=key, value=value):
            return _quietly(around.remember, key, value)


def _quietly(ask: Callable[..., Any] | None, *arguments: str) -> Any:
    """What a store says; one that fails only costs a call that could have been saved."""
    if ask is None:
        return None
    try:
        return ask(*arguments)
    except StoreError:
        return None


def _asked(effect: Ask) -> ModelReply | SummarizerError:
    try:
        return _checked(effect.client.complete(effect.request), effect.client.name)
    except Exception as error:  # noqa: BLE001 - a client is third-party code and may raise anything
        return _as_failure(error, effect.client.name)


async def _aasked(effect: Ask) -> ModelReply | SummarizerError:
    try:
        return _checked(await effect.client.acomplete(effect.request), effect.client.name)
    except Exception as error:  # noqa: BLE001 - a client is third-party code and may raise anything
        return _as_failure(error, effect.client.name)


def _checked(reply: object, name: str) -> ModelReply | SummarizerError:
    if isinstance(reply, ModelReply) and isinstance(reply.text, str):
        return reply
    problem = f"its client returned {type(reply).__name__} instead of a ModelReply"
    return SummarizerError(problem, summarizer=name, permanent=True)


def _as_failure(error: Exception, name: str) -> SummarizerError:
    """Whatever a client raises as a SummarizerError; only trouble on the way may pass by itself."""
    if isinstance(error, SummarizerError):
        return error
    passing = isinstance(error, OSError | TimeoutError)
    return SummarizerError(
        f"its client raised {type(error).__name__}", summarizer=name, permanent=not passing
    )
