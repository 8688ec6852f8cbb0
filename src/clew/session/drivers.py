"""Two small drivers of the one pipeline: they answer what it asks for."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar, assert_never

from clew.ports import Store
from clew.session.summarizing import Summarizing
from clew.turn import Commit, Effect, Fetch, Find, Prefetch, Summarize

_Result = TypeVar("_Result")


def drive(
    stages: Generator[Effect, Any, _Result], store: Store, summarizing: Summarizing
) -> _Result:
    """Run the stages, answering each effect at once."""
    answer: Any = None
    while True:
        try:
            effect = stages.send(answer)
        except StopIteration as done:
            result: _Result = done.value
            return result
        match effect:
            case Summarize(request=request, ahead=ahead):
                answer = summarizing.answer(request, ahead)
            case Prefetch():
                summarizing.begin(effect)
                answer = None
            case Find() | Fetch() | Commit():
                answer = stored(effect, store)
            case _:
                assert_never(effect)


async def adrive(
    stages: Generator[Effect, Any, _Result], store: Store, summarizing: Summarizing
) -> _Result:
    """Run the stages, awaiting the summarizer; the store is local and quick."""
    answer: Any = None
    while True:
        try:
            effect = stages.send(answer)
        except StopIteration as done:
            result: _Result = done.value
            return result
        match effect:
            case Summarize(request=request, ahead=ahead):
                answer = await summarizing.aanswer(request, ahead)
            case Prefetch():
                summarizing.begin(effect)
                answer = None
            case Find() | Fetch() | Commit():
                answer = stored(effect, store)
            case _:
                assert_never(effect)


def stored(effect: Find | Fetch | Commit, store: Store) -> Any:
    """Answer an effect that only needs the store."""
    match effect:
        case Find(session_id=session_id, keys=keys):
            return store.find(session_id, keys)
        case Fetch(digests=digests):
            return store.messages(digests)
        case Commit(checkpoint=checkpoint, messages=messages):
            return store.commit(checkpoint, messages)
        case _:
            assert_never(effect)
