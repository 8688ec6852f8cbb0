"""What is worked out of one exchange alone: once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from clew.summarize.extractive.reading import Reading

_Result = TypeVar("_Result")
_Given = ParamSpec("_Given")
_Work = Callable[Concatenate[Reading, _Given], _Result]


def once(work: _Work[_Given, _Result]) -> _Work[_Given, _Result]:
    """The same function, whose result is kept with the reading.

    It must depend on the reading and on what it is given with it (the cues) alone, and nobody may
    change what it gives.
    """
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def kept(reading: Reading, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        known: tuple[Any, _Result] | None = reading.kept.get(name)
        if known is not None and known[0] == given:
            return known[1]
        made = work(reading, *given, **named)
        reading.kept[name] = (given, made)
        return made

    return cast("_Work[_Given, _Result]", kept)
