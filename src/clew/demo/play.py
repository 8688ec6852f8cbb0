"""One run of the demo: the same user, agent and database, and one way to fill the context."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.demo.agent import KeyChoice, Move, choose_key, decide
from clew.demo.arms import Arm, Chat
from clew.demo.asks import CENTS_RULE_FROM, SYSTEM, asks
from clew.demo.shown import Shown
from clew.demo.size import Sizes
from clew.demo.world import Audit, World

MOST_CALLS_A_REQUEST = 24
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "sql",
            "description": "Run one SQLite statement.",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
            },
        },
    }
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What happened in one arm. Tokens are those of the prompts as the agent saw them."""

    arm: str
    prompt_tokens: tuple[int, ...]
    messages: tuple[dict[str, Any], ...]
    audit: Audit
    choice: KeyChoice
    recalled: tuple[str, ...]
    dead_end_retries: int
    rule_kept: int
    rule_asked: int
    goal_intact: bool
    valid_calls: int

    @property
    def calls(self) -> int:
        """How often the agent was asked for its next move."""
        return len(self.prompt_tokens)

    @property
    def largest_prompt_tokens(self) -> int:
        """The largest context of the run."""
        return max(self.prompt_tokens)

    @property
    def sent_tokens(self) -> int:
        """All contexts together."""
        return sum(self.prompt_tokens)


def play(arm: Arm, sizes: Sizes, progress: Callable[[str], None] = lambda step: None) -> Played:
    """Run the whole scenario in one arm."""
    world = World()
    try:
        return _Run(arm, sizes, world, progress).play()
    finally:
        world.close()


class _Run:
    """The loop around the agent, and what is noted on the way."""

    def __init__(
        self, arm: Arm, sizes: Sizes, world: World, progress: Callable[[str], None]
    ) -> None:
        self._arm, self._sizes, self._world, self._progress = arm, sizes, world, progress
        self._messages: Chat = [{"role": "system", "content": SYSTEM}]
        self._prompts: list[int] = []
        self._choice = KeyChoice(key="", because=None)
        self._merges = 0
        self._recalled: list[str] = []
        self._answers: list[tuple[int, str]] = []
        self._goal_intact = True
        self._valid = 0

    def play(self) -> Played:
        said = asks()
        for number, ask in enumerate(said, start=1):
            if number == len(said):
                self._world.reset_ledger()
            self._messages.append({"role": "user", "content": ask})
            self._progress(f"{self._arm.name}: request {number} of {len(said)}")
            self._work_on(number)
        ruled = [text for number, text in self._answers if number >= CENTS_RULE_FROM]
        amounts = [text for text in ruled if re.search(r"\d (cents|EUR)\b", text)]
        return Played(
            arm=self._arm.name,
            prompt_tokens=tuple(self._prompts),
            messages=tuple(self._messages),
            audit=self._world.audit(),
            choice=self._choice,
            recalled=tuple(self._recalled),
            dead_end_retries=max(0, self._merges - 1),
            rule_kept=sum("EUR" not in text for text in amounts),
            rule_asked=len(amounts),
            goal_intact=self._goal_intact,
            valid_calls=self._valid,
        )

    def _work_on(self, number: int) -> None:
        for _ in range(MOST_CALLS_A_REQUEST):
            shown = self._arm.shown(self._messages)
            self._note(shown)
            move = decide(shown)
            self._messages.append(_assistant(move, len(self._prompts)))
            if not move.tool:
                self._answers.append((number, move.text))
                return
            self._messages.append(
                {
                    "role": "tool",
                    "tool_call_id": _call_id(len(self._prompts)),
                    "content": self._answer(move, shown),
                }
            )
        self._answers.append((number, ""))

    def _note(self, shown: Chat) -> None:
        self._prompts.append(self._sizes.total(shown))
        goal = self._messages[1]["content"]
        self._goal_intact &= any(m["role"] == "user" and m["content"] == goal for m in shown)
        self._valid += pairs_are_whole(shown)

    def _answer(self, move: Move, shown: Chat) -> str:
        arguments = dict(move.arguments or {})
        if move.tool != "sql":
            self._recalled.append(arguments.get("handle", ""))
            return self._arm.call_tool(move.tool, arguments)
        query = arguments["query"]
        self._merges += query.startswith("MERGE")
        if query.startswith("CREATE TABLE ledger"):
            self._choice = choose_key(Shown(shown))
        return self._world.sql(query)


def _call_id(number: int) -> str:
    return f"call_{number:04}"


def _assistant(move: Move, number: int) -> dict[str, Any]:
    if not move.tool:
        return {"role": "assistant", "content": move.text}
    call = {
        "id": _call_id(number),
        "type": "function",
        "function": {"name": move.tool, "arguments": json.dumps(dict(move.arguments or {}))},
    }
    return {"role": "assistant", "content": move.text, "tool_calls": [call]}


def pairs_are_whole(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether every tool call has its results right behind it and every result its call."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.discard(message["tool_call_id"])
        elif waiting:
            return False
        else:
            waiting = {call["id"] for call in message.get("tool_calls") or ()}
    return not waiting
