"""Plays recorded sessions and asks after each hint whether the agent then needed what it names."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import clew
from clew.codecs import codec_for, recognise
from clew.searchable import search_text
from clew.summarize.extractive.identifiers import identifiers_in
from clew.transcript import Message, Role

AHEAD = 10
"""Messages after a hint in which its use is looked for."""


@dataclass(slots=True)
class Hinted:
    """Counts over one recording.

    `named`: the name was written again; `needed`: the agent wrote another identifier that the
    hinted span holds and the window did not; `by_chance`: the same of an archived span drawn at
    random, at the same moment.
    """

    messages: int = 0
    given: int = 0
    named: int = 0
    needed: int = 0
    by_chance: int = 0

    def __add__(self, other: Hinted) -> Hinted:
        return Hinted(
            self.messages + other.messages,
            self.given + other.given,
            self.named + other.named,
            self.needed + other.needed,
            self.by_chance + other.by_chance,
        )


def _written(messages: Sequence[Message]) -> set[str]:
    """Identifiers that the agent itself wrote."""
    said = [message for message in messages if message.role is Role.ASSISTANT]
    texts = [f"{m.text}\n{' '.join(call.arguments for call in m.calls)}" for m in said]
    return {name for text in texts for name in identifiers_in(text)}


def play(messages: Sequence[Any], window: int, *, most: int = 600) -> Hinted:
    """Prepare growing prefixes, one more step each, and count what became of the hints."""
    budget = clew.Budget(window, prefix_tokens=0, tail_tokens=window // 6)
    session = clew.Session(policy=clew.Policy(budget))
    drawn = random.Random(3)
    codec = codec_for(recognise(messages))
    parsed = [codec.parse(message, n) for n, message in enumerate(messages[: most + AHEAD])]
    counts = Hinted()
    for upto in range(2, min(most, len(messages)) + 1, 2):
        try:
            context = session.prepare(list(messages[:upto]))
        except clew.FloorExceededError:
            break
        counts.messages = upto
        hint = session.hint()
        if hint is None:
            continue
        counts.given += 1
        later = _written(parsed[upto : upto + AHEAD])
        window_text = search_text([codec.parse(m, -1) for m in context.messages])
        wanted = {name for name in later if name not in window_text and name != hint.name}
        counts.named += hint.name in later
        counts.needed += any(name in _held(session, hint.handle) for name in wanted)
        handles = [handle for handle, _ in session.spans()]
        counts.by_chance += any(name in _held(session, drawn.choice(handles)) for name in wanted)
    session.close()
    return counts


def _held(session: clew.Session, handle: str) -> str:
    return session.recall(handle).decode("utf-8", "replace")
