"""Answers of the user to a tool that asks: choices of theirs, with what they did not take."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.record.items import Evidence, Rejected, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen import Answered, answered_in
from clew.tools_seen.json_text import object_in

_LONGEST_QUESTION = 240
_LONGEST_QUOTE = 600
_STATED = 4.0
"""The rank of a choice that a person made: nothing is surer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A question as it was asked: its text, the key of its answer, and the options offered."""

    text: str
    key: str
    options: tuple[str, ...]


@once
def answers_given(reading: Reading) -> tuple[Claim, ...]:
    """Each answer that a person gave in an exchange, as a decision of theirs."""
    calls, results = reading.calls, reading.results
    if len(calls) != len(results) or len(calls) != len(reading.arguments):
        return ()
    return tuple(
        _decided(reading, each, _asked(reading.arguments[place], each))
        for place, call in enumerate(calls)
        for each in answered_in(results[place], call)
    )


def _decided(reading: Reading, given: Answered, asked: _Question | None) -> Claim:
    question = shortened(given.question or (asked.text if asked else ""), _LONGEST_QUESTION)
    return claim(
        "decision",
        given.quote[:_LONGEST_QUOTE],
        text=f"{given.answer} (to: {question})" if question else given.answer,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.USER,
        evidence=_as_asked(reading, asked) if not given.question else (),
        rejected=_not_taken(given.answer, asked.options if asked else ()),
        rank=_STATED,
    )


def _as_asked(reading: Reading, asked: _Question | None) -> tuple[Evidence, ...]:
    """The question as it stands in the call, where the result does not repeat it."""
    quote = json.dumps(asked.text, ensure_ascii=False)[1:-1] if asked else ""
    known = quote and any(quote in text for text in reading.arguments)
    return (Evidence(span=reading.handle, quote=quote[:_LONGEST_QUOTE]),) if known else ()


def _not_taken(answer: str, options: Sequence[str]) -> tuple[Rejected, ...]:
    """The options beside the chosen ones; none where the answer is in a person's own words."""
    chosen = {option for option in options if option == answer}
    chosen = chosen or {option for option in options if option in answer.split(", ")}
    return tuple(Rejected(option=o) for o in options if o not in chosen) if chosen else ()


def _asked(arguments: str, given: Answered) -> _Question | None:
    """The question in the arguments of a call that an answer is to."""
    for question in _questions(arguments):
        if given.question == question.text or (given.key and given.key == question.key):
            return question
    return None


def _questions(arguments: str) -> Iterator[_Question]:
    listed = object_in(arguments).get("questions")
    for place, each in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(each, dict) or not isinstance(each.get("question"), str):
            continue
        options = each.get("options")
        labels = [
            option.get("label") if isinstance(option, dict) else option
            for option in (options if isinstance(options, list) else ())
        ]
        yield _Question(
            text=each["question"],
            key=str(each.get("id", place)),
            options=tuple(label for label in labels if isinstance(label, str) and label),
        )
