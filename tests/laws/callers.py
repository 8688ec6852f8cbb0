"""Callers in front of sessions that share one store, and the rules that each context is held to."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any

import clew
from clew.codecs import codec_for
from clew.record.serde import item_to_json
from clew.secrets import SecretRedactor
from clew.transcript import Format
from tests.laws.players import (
    judge_authority,
    judge_fits,
    judge_lineage,
    judge_nothing_lost,
    judge_valid,
    said_by_user,
)
from tests.laws.summarizers import DEMANDED, INJECTED, Scripted
from tests.telling import SENTENCES, Native
from tests.wire.official import official_problems

SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5B"
POOL = (*SENTENCES, f"Use the token {SECRET} for the upload.")


@dataclass
class Caller:
    """One agent loop. `given` is what it sends, `truth` everything that was really said.

    A caller that `keeps` its contexts sends back what it was given; the other one sends the whole
    history. `changed` tells whether `given` was altered other than at its end.
    """

    wire: Format
    session: clew.Session
    teller: Any
    keeps: bool
    summarizer: Scripted | None = None
    state: str = "user"
    given: list[Native] = field(default_factory=list)
    truth: list[Native] = field(default_factory=list)
    spoken: str = ""
    last: clew.Context | None = None
    goal: str = ""
    changed: bool = False
    pins: dict[str, str] = field(default_factory=dict)
    pinned_elsewhere: set[str] = field(default_factory=set)

    def say(self, kind: str) -> None:
        """Append what a model or a person says next."""
        said: list[Native] = getattr(self.teller, kind)()
        self.state = kind
        self.given.extend(said)
        self.truth.extend(said)
        self.spoken += "\n" + said_by_user(self.wire, said)

    def prepare(self) -> None:
        """One call of the model, judged; a floor that is exceeded changes nothing."""
        before = list(self.given)
        originals = copy.deepcopy(before)
        try:
            context = self.session.prepare(self.given)
        except clew.FloorExceededError:
            assert self.given == originals
            self.last = None
            return
        assert before == originals, "the caller's own messages were changed"
        self._judge(before, context)
        if self.keeps:
            self.given = list(context.messages)
        self.last, self.changed = context, False

    def _judge(self, given: list[Native], context: clew.Context) -> None:
        judge_valid(self.wire, given, context)
        assert official_problems(self.wire.value, context.messages) == []
        judge_fits(context)
        judge_lineage(context)
        judge_authority(self.session, f"{self.spoken}\n{SecretRedactor().redact(self.spoken)}")
        judge_nothing_lost(self.session, self.truth, context)
        self._judge_text(context)
        self._judge_prefix(context)
        self._judge_again(given, context)
        if isinstance(context.outcome, clew.Compacted):
            assert context.report.tokens_after < context.report.tokens_before

    def _judge_text(self, context: clew.Context) -> None:
        text = json.dumps(context.messages, ensure_ascii=False)
        for pinned in self.pins.values():
            assert pinned in text
            assert text.count(pinned) == 1, "a pin stands twice"
        assert INJECTED not in text
        assert DEMANDED not in text
        assert text.count("<clew-record") <= 1, "two records in one context"
        assert self._goal(context) == (self.goal or self._goal(context))
        self.goal = self._goal(context)
        self._judge_secret()

    def _judge_secret(self) -> None:
        record = json.dumps([item_to_json(item) for item in self.session.record.items])
        found = "".join(hit.excerpt + hit.label for hit in self.session.search("token upload"))
        assert SECRET not in record
        assert SECRET not in found
        if self.summarizer is not None:
            for request in self.summarizer.requests[-1:]:
                assert SECRET not in repr([span.messages for span in request.spans])

    def _goal(self, context: clew.Context) -> str:
        pins = set(self.pins.values())
        for message in context.messages:
            parsed = codec_for(self.wire).parse(message, 0)
            if parsed.role == "user" and parsed.text not in pins:
                return json.dumps(message, sort_keys=True)
        return ""

    def _judge_prefix(self, context: clew.Context) -> None:
        """Between compactions what went out before goes out again, byte for byte."""
        if self.last is None or self.changed or not isinstance(context.outcome, clew.Held):
            return
        if context.outcome.adopted:
            return  # another session compacted the same history: that is a compaction too
        if getattr(self.teller, "late", []):
            return  # an answer that stands in for a late result goes behind all calls in a row
        if self._pinned_there(self.last, context):
            return  # this history has become the one that another session pinned a text in
        count = len(self.last.messages)
        assert context.messages[:count] == self.last.messages

    def _pinned_there(self, context: clew.Context, back: clew.Context) -> bool:
        """Whether a text came in between that another session pinned in the very same history."""
        before, after = (json.dumps(c.messages, ensure_ascii=False) for c in (context, back))
        return any(text in after and text not in before for text in self.pinned_elsewhere)

    def _judge_again(self, given: list[Native], context: clew.Context) -> None:
        again = self.session.prepare(given)
        assert again.messages == context.messages
        back = self.session.prepare(context.messages)
        if self._pinned_there(context, back):
            return
        assert back.messages == context.messages
        assert all(a is b for a, b in zip(back.messages, context.messages, strict=True))
        judge_nothing_lost(self.session, self.truth, back)
