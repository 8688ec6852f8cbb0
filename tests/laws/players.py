"""Play a transcript through a session call by call, and judge each context by the laws."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import clew
from clew.codecs import codec_for
from clew.record.rules import GENERATED
from clew.transcript import Format
from tests.telling import Native
from tests.wire.check import violations

HANDLE = re.compile(r"\bS-\d+(?:\.\d+)?\b")


def call_points(wire: Format, messages: Sequence[Native]) -> Iterator[int]:
    """The lengths at which a model would be called: before each thing it said, and at the end."""
    codec = codec_for(wire)
    parsed = [codec.parse(message, index) for index, message in enumerate(messages)]
    for index in range(1, len(parsed)):
        if parsed[index].role == "assistant" and parsed[index - 1].role != "assistant":
            yield index
    yield len(parsed)


def budget_of(window: int, **settings: Any) -> clew.Budget:
    """A small budget whose tail and record leave something to fold."""
    return clew.Budget(window, output_reserve_tokens=window // 10, **settings)


@dataclass
class Player:
    """One caller in front of a session; `keeps` callers send back what they were given."""

    wire: Format
    session: clew.Session
    keeps: bool = False
    contexts: list[clew.Context] = field(default_factory=list)
    floors: int = 0

    def play(
        self, messages: list[Native], judge: Callable[[list[Native], clew.Context], None]
    ) -> None:
        """Prepare at every call point and judge each context."""
        held: list[Native] = []
        taken = 0
        for length in call_points(self.wire, messages):
            given = [*held, *messages[taken:length]] if self.keeps else messages[:length]
            try:
                context = self.session.prepare(given)
            except clew.FloorExceededError:
                self.floors += 1
                held, taken = given, length
                continue
            self.contexts.append(context)
            judge(given, context)
            held, taken = context.messages, length


def judge_valid(wire: Format, given: list[Native], context: clew.Context) -> None:
    """Law 2: what goes out is valid where what came in was, and untouched objects stay."""
    assert violations(wire.value, context.messages) == []
    known = {id(message) for message in given}
    made = [m for m in context.messages if id(m) not in known]
    for message in made:
        assert message not in given, "a message that was not touched came out as another object"


def judge_fits(context: clew.Context) -> None:
    """Law 6: what goes out fits."""
    assert context.report.tokens_after <= context.report.budget


def judge_lineage(context: clew.Context) -> None:
    """Law 4: every item that went in came out with one fate."""
    lineage = context.report.lineage
    if lineage is not None:
        counts = lineage.counts()
        assert counts.pop("in") == sum(counts.values())


def judge_nothing_lost(
    session: clew.Session, original: list[Native], context: clew.Context
) -> None:
    """Law 3: every message that is not there any more comes back equal by a handle."""
    shown = [json.dumps(m, sort_keys=True) for m in context.messages]
    missing = [m for m in original if json.dumps(m, sort_keys=True) not in shown]
    archive: list[Any] = []
    for handle, _ in session.spans():
        archive.extend(json.loads(session.recall(handle)))
    for handle in set(HANDLE.findall(json.dumps(context.messages, ensure_ascii=False))):
        if "." in handle:
            assert session.recall(handle)
            archive.extend(json.loads(session.recall(handle.split(".")[0])))
    for message in missing:
        assert message in archive, f"gone: {message}"


def said_by_user(wire: Format, messages: list[Native]) -> str:
    """Everything the user's messages say."""
    codec = codec_for(wire)
    parsed = [codec.parse(message, index) for index, message in enumerate(messages)]
    return "\n".join(m.text for m in parsed if m.role == "user")


def judge_authority(session: clew.Session, user_text: str) -> None:
    """Law 5: nothing is said by the user that the user did not say."""
    for item in session.record.items:
        if item.kind == "directive" or item.said_by == "user":
            # Later evidence says why a directive is settled, in whoever's words that is shown.
            said = [item.text, *(evidence.quote for evidence in item.evidence[:1])]
            # A true quote does not make what a model says beside it the user's.
            said = said[:1] if item.proposed_by in GENERATED else said
            assert any(words in user_text for words in said if words), item
