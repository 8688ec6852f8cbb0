"""Two small drivers of the one pipeline: they answer what it asks for."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol, TypeVar, assert_never

from clew.ports import Store
from clew.session.consulting import Consulting
from clew.session.summarizing import Summarizing
from clew.turn import Apart, Commit, Consult, Effect, Fetch, Find, Prefetch, Spans, Summarize

_Result = TypeVar("_Result")


class Around(Protocol):
    """Where the drivers get their answers from."""

    @property
    def store(self) -> Store:
        """The archive."""
        ...

    @property
    def summarizing(self) -> Summarizing:
        """The summarizer with all its fallbacks."""
        ...

    @property
    def consulting(self) -> Consulting:
        """The caller's hooks."""
        ...


def drive(stages: Generator[Effect, Any, _Result], around: Around) -> _Result:
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
                answer = around.summarizing.answer(request, ahead)
            case Prefetch():
                around.summarizing.begin(effect)
                answer = None
            case Consult(about=about):
                answer = around.consulting.consult(about)
            case Find() | Apart() | Fetch() | Spans() | Commit():
                answer = stored(effect, around.store)
            case _:
                assert_never(effect)


async def adrive(stages: Generator[Effect, Any, _Result], around: Around) -> _Result:
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
                answer = await around.summarizing.aanswer(request, ahead)
            case Prefetch():
                around.summarizing.begin(effect)
                answer = None
            case Consult(about=about):
                answer = await around.consulting.aconsult(about)
            case Find() | Apart() | Fetch() | Spans() | Commit():
                answer = stored(effect, around.store)
            case _:
                assert_never(effect)


def stored(effect: Find | Apart | Fetch | Spans | Commit, store: Store) -> Any:
    """Answer an effect that only needs the store."""
    match effect:
        case Find(session_id=session_id, keys=keys):
            return store.find(session_id, keys)
        case Fetch(digests=digests):
            return store.messages(digests)
        case Apart(session_id=session_id, keys=keys, lines=lines):
            return store.apart(session_id, keys, lines)
        case Spans(checkpoint_id=checkpoint_id):
            return store.spans(checkpoint_id)
        case Commit(checkpoint=checkpoint, messages=messages):
            return store.commit(checkpoint, messages)
        case _:
            assert_never(effect)
