"""compaction-conformance-kit: what survives at 10, 20 and 30 % of a session's characters.

The kit hands the text of a round to the next round as one system turn. A context within its
budget needs no compaction, so Clew gives it back as it is. The system prompt of a session is sent
by the caller with every request and is no part of what is compacted.
"""

from __future__ import annotations

from typing import Any

from compaction_kit.benchmark import run_budget_benchmark
from compaction_kit.compacted import CompactedContext
from compaction_kit.compactors import UpdateAwareChecklistCompactor
from compaction_kit.semantic import SemanticChecklistCompactor
from compaction_kit.session import Turn

import clew
from bench.suites.measuring import CharacterCounter, Message, text_of, tight_budget

BUDGETS = (0.10, 0.20, 0.30)
SEEDS = (1, 2, 3, 4)
FRESH_SEEDS = (41, 42, 43, 44)
"""Never played while a rule was worked on."""


class ClewCompactor:
    """The kit's compactor protocol over `clew.compact`."""

    name = "clew"

    def compact(
        self, turns: list[Turn], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        """One round."""
        if round_num > 1:
            text = "\n".join(turn.text for turn in turns)
        else:
            text = compacted([t for t in turns if t.role != "system"], budget_chars)
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)


def compacted(turns: list[Turn], budget_chars: int | None) -> str:
    """The turns as text, within a budget of characters when there is one."""
    messages: list[Message] = [
        {"role": t.role if t.role == "assistant" else "user", "content": t.text} for t in turns
    ]
    if budget_chars is None:
        return text_of(messages)
    try:
        context = clew.compact(
            messages,
            tight_budget(budget_chars, messages),
            counter=CharacterCounter(),
            format="openai-chat",
        )
    except clew.FloorExceededError:
        # What cannot fit is reported, never cut: the round counts as over its budget.
        return text_of(messages)
    return text_of(context.messages)


def played(seeds: tuple[int, ...] = SEEDS) -> dict[str, Any]:
    """The kit's own benchmark over Clew and its two best compactors."""
    result: dict[str, Any] = run_budget_benchmark(
        {
            "clew": ClewCompactor,
            "semantic-checklist": SemanticChecklistCompactor,
            "update-aware": UpdateAwareChecklistCompactor,
        },
        budgets=BUDGETS,
        seeds=seeds,
    )
    return result


def rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """One row for each budget and compactor, in the order of the kit's ranking."""
    return [
        {
            "budget": entry["budget_fraction"],
            "compactor": entry["compactor"],
            "within": entry["budget_compliant"],
            "survival": entry["randomized"]["overall_final_survival"],
            "resolved": entry["semantic"]["resolved_rate"],
            "latest": entry["semantic"]["conflicts"]["latest"],
            "stale": entry["semantic"]["conflicts"]["stale"],
            "conflicts": entry["semantic"]["conflicts"]["n"],
            "pairs": entry["semantic"]["distinct_pair_rate"],
            "size": entry["mean_final_output_ratio"],
        }
        for entry in result["entries"]
    ]
