"""conpact: its fifteen side constraints, each hidden in a long run and read back lexically.

The package judges retention with a model; here a constraint is retained when its very words
stand in what `clew.compact` left of the run.
"""

from __future__ import annotations

from typing import Any

from conpact.generate import build_instances

import clew
from bench.suites.haystack import haystack
from bench.suites.measuring import Message

HAYSTACK_TOKENS = 40_000
WINDOW_TOKENS = 8_000
POSITIONS = ("top", "middle", "bottom")
FRAMES = (("plain", False, False), ("for this session", False, True), ("important", True, False))


def compacted(messages: list[Message]) -> tuple[str, int]:
    """What is left within the window, as one text, and its tokens."""
    budget = clew.Budget(WINDOW_TOKENS, prefix_tokens=0, tail_tokens=2_000)
    context = clew.compact(messages, budget, format="openai-chat")
    text = "\n".join(str(message.get("content") or "") for message in context.messages)
    return text, context.report.tokens_after


def rows() -> list[dict[str, Any]]:
    """Retention by position and frame: how many of the fifteen, and which were lost."""
    messages = haystack(HAYSTACK_TOKENS)
    stack = {
        "messages": messages,
        "message_tokens": [1] * len(messages),
        "haystack_id": "walk",
        "source": "clew",
        "system_prompt": "",
        "source_conversation_count": 1,
    }
    made = []
    for position in POSITIONS:
        for frame, strict, direct in FRAMES:
            instances = build_instances(
                [stack], length=len(messages), position=position, strict=strict, direct=direct
            )
            made.append(_row(position, frame, instances))
    return made


def _row(position: str, frame: str, instances: list[Any]) -> dict[str, Any]:
    lost, largest = [], 0
    for instance in instances:
        text, tokens = compacted(instance.messages)
        largest = max(largest, tokens)
        if instance.sc_text[1:] not in text:
            lost.append(instance.sc_id)
    return {
        "position": position,
        "frame": frame,
        "retained": len(instances) - len(lost),
        "of": len(instances),
        "lost": lost,
        "largest_tokens": largest,
    }
