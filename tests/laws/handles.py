"""Handles that a session gave out, and what they stood for then."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import clew
from clew.transcript import Format
from tests.laws.players import budget_of
from tests.telling import Native

HANDLE = re.compile(r"\b(?:M-[0-9a-f]{12}|[A-Z]-\d+(?:\.\d+)?)\b")


def session_for(wire: Format, window: int, store: Any = None) -> clew.Session:
    policy = clew.Policy(budget_of(window))
    return clew.Session(policy=policy, format=wire, counter="estimate", store=store)


class Handles:
    """Every handle that a session gave out, and what it stood for then."""

    def __init__(self) -> None:
        self.given: dict[str, bytes] = {}

    def judge(
        self, session: clew.Session, context: clew.Context, given: Sequence[Native] = ()
    ) -> None:
        """What was given out before is there as it was; what is new is taken down."""
        self.remain(session)
        known = {id(message) for message in given}
        made = [message for message in context.messages if id(message) not in known]
        shown = "\n".join([*context.report.repairs, json.dumps(made)])
        entries = {item.id for item in session.record.items}
        named = [h for h in HANDLE.findall(shown) if h[0] in "MS" or h in entries]
        for handle in [*named, *(handle for handle, _ in session.spans())]:
            self.given.setdefault(handle, stood_for(session, handle))

    def remain(self, session: clew.Session) -> None:
        """Every handle stands for what it stood for when it was given out."""
        for handle, before in self.given.items():
            assert stood_for(session, handle) == before, handle

    def remain_or_are_unknown(self, session: clew.Session) -> None:
        """No handle stands for something else; it may stand for nothing."""
        for handle, before in self.given.items():
            try:
                after = stood_for(session, handle)
            except clew.UnknownHandleError:
                continue
            assert after == before, handle


def stood_for(session: clew.Session, handle: str) -> Any:
    """The bytes; of an entry of the record, which may change its wording, which entry it is."""
    recalled = session.recall(handle)
    if handle[0] in "SM":
        return recalled
    entry = json.loads(recalled)
    return entry["id"], entry["kind"], entry["first_seen"]
