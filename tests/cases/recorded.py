"""The recorded cases in ../shared/cases: read, run, and what must hold of every one of them."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import Any

import clew
from clew.transcript import Format
from tests.conftest import shared_path
from tests.failures.judging import missing
from tests.failures.stories import Native
from tests.wire.check import violations


@dataclass(frozen=True)
class Case:
    """One case: a list of messages, its budget, and what the agent would pass along."""

    name: str
    wire: Format
    messages: list[Native]
    system: Any
    tools: Any
    numbers: dict[str, Any]
    script: list[dict[str, Any]]

    def budget(self, **settings: Any) -> clew.Budget:
        """The case's numbers as a budget; `keep_tail_messages` counts messages of the tail."""
        numbers = self.numbers
        given: dict[str, Any] = {
            "output_reserve_tokens": numbers["reserve_output_tokens"],
            "trigger": numbers["trigger_tokens"],
            "tail_messages": numbers["keep_tail_messages"],
            "backstop": 0.999,
            "boundary_floor": numbers["trigger_tokens"] // 2,
            "record_tokens": numbers["target_tokens"] // 2,
            "tail_tokens": numbers["trigger_tokens"] - numbers["target_tokens"] // 2 - 1,
        }
        return clew.Budget(numbers["window_tokens"], **{**given, **settings})

    def session(self, *, summarizer: Any = "extractive", **settings: Any) -> clew.Session:
        """A session under this budget, counting four characters a token."""
        policy = clew.Policy(self.budget(**settings))
        return clew.Session(
            policy=policy, format=self.wire, counter="chars4", summarizer=summarizer
        )

    def folded(self, session: clew.Session) -> clew.Context:
        """Prepare as the agent would, and compact where nothing was folded yet."""
        context = session.prepare(self.messages, system=self.system, tools=self.tools)
        if not isinstance(context.outcome, clew.Compacted):
            context = session.compact()
        self.judge(session, context)
        assert session.spans(), context.report.reason
        return context

    def judge(self, session: clew.Session, context: clew.Context) -> None:
        """Valid, within the budget, and nothing out of reach."""
        assert violations(self.wire.value, context.messages, sent=False) == []
        assert context.report.tokens_after <= context.report.budget
        assert missing(session, self.messages, context) == []


def case(name: str) -> Case:
    """A case by the beginning of its name; skips where ../shared is absent."""
    (path,) = sorted(shared_path("cases").glob(f"{name}-*.json"))
    body = json.loads(path.read_text(encoding="utf-8"))
    body = _filled(body, {mark: "".join(parts) for mark, parts in body.get("fill", {}).items()})
    return Case(
        name=body["id"],
        wire=Format(body["format"]),
        messages=body["messages"],
        system=body.get("system") or body.get("instructions"),
        tools=body.get("tools"),
        numbers=body["budget"],
        script=body.get("summariser_script", []),
    )


def _filled(value: Any, marks: dict[str, str]) -> Any:
    if isinstance(value, str):
        for mark, text in marks.items():
            value = value.replace(mark, text)
        return value
    if isinstance(value, list):
        return [_filled(inner, marks) for inner in value]
    if isinstance(value, dict):
        return {
            key: inner if key == "fill" else _filled(inner, marks) for key, inner in value.items()
        }
    return copy.copy(value)
