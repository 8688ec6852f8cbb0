"""compaction-guard as an independent judge: what became of each registered constraint."""

from __future__ import annotations

from collections import Counter
from typing import Any

from compaction_guard import Guard, Policy

import clew
from bench.suites.haystack import STEPS_A_TASK, haystack
from bench.suites.measuring import Message

CONSTRAINTS = (
    "Never push to the release branch without my approval.",
    "Spend at most 40 EUR on cloud resources.",
    "Keep support for Python 3.11 and do not use newer syntax.",
    "Do not change files under vendor/ or billing/.",
    "The nightly export must finish before 05:30 UTC.",
    "Always run the migration on a copy of the database first.",
    "case_id is unique only within a tenant.",
    "Do not write customer names into any log.",
    "Use metric units in every report.",
    "Requests to the partner API are limited to 20 per minute.",
    "Ask me before you delete anything outside the build folder.",
    "The public names of the package must not change.",
    "Only Dana Okafor may approve a schema change.",
    "Retry a failed upload at most 3 times.",
)


def planted() -> list[Message]:
    """The haystack with one constraint in each of its user turns, oldest first."""
    messages = haystack((len(CONSTRAINTS) + 2) * STEPS_A_TASK * 360)
    turns = [n for n, m in enumerate(messages) if m["role"] == "user"][1:]
    for turn, constraint in zip(turns, CONSTRAINTS, strict=False):
        messages[turn] = {"role": "user", "content": f"{constraint} {messages[turn]['content']}"}
    return messages


def judged(window_tokens: int) -> dict[str, Any]:
    """The guard's verdicts on one compaction into a window."""
    guard = Guard(list(CONSTRAINTS), policy=Policy.WARN)
    messages = planted()
    taken: list[int] = []

    def compactor(given: list[Message]) -> list[Message]:
        budget = clew.Budget(window_tokens, prefix_tokens=0, tail_tokens=window_tokens // 6)
        context = clew.compact(given, budget, format="openai-chat")
        taken.extend((context.report.tokens_before, context.report.tokens_after))
        return list(context.messages)

    guard.compact(messages, compactor)
    report = guard.last_report
    assert report is not None
    kinds = Counter(finding.kind.value for finding in report.findings)
    return {
        "window": window_tokens,
        "before": taken[0],
        "after": taken[1],
        "registered": len(CONSTRAINTS),
        "verdicts": dict(sorted(kinds.items())),
    }
