"""What is worked out of one exchange alone: once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from clew.summarize.extractive.reading import Reading

_Result = TypeVar("_Result")
_Given = ParamSpec("_Given")
_Work = Callable[Concatenate[Reading, _Given], _Result]


def once(work: _Work[_Given, _Result]) -> _Work[_Given, _Result]:
    """The same function, whose result is kept with the reading.

    It must depend on the reading and on what it is given with it (the cues), by position, and on
    nothing else, and nobody may change what it gives. A compaction asks some thirty times an
    exchange, so asking has to be cheap.
    """
    name = f"{work.__module__}.{work.__qualname__}"
    alone = len(signature(work).parameters) == 1
    plain = cast(Callable[..., _Result], work)

    @wraps(work)
    def of_reading(reading: Reading) -> Any:
        try:
            return reading.kept[name]
        except KeyError:
            made = reading.kept[name] = plain(reading)
            return made

    @wraps(work)
    def of_more(reading: Reading, *given: Any) -> Any:
        known = reading.kept.get(name)
        if known is not None and known[0] == given:
            return known[1]
        made = plain(reading, *given)
        reading.kept[name] = (given, made)
        return made

    return cast("_Work[_Given, _Result]", of_reading if alone else of_more)
