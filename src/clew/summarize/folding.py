"""One compaction by a model on its way: what is folded, what is left, what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.record.delta import Delta, Operation
from clew.summarize.asking import Answer, Asker
from clew.summarize.chunks import Plan
from clew.summarize.merge import merged
from clew.summarize.prompt import PROMPT_VERSION, Part
from clew.summarize.request import Earlier, SummaryRequest


@dataclass(slots=True, kw_only=True)
class Folding:
    """One compaction on its way: what is folded, what is left, what it took."""

    request: SummaryRequest
    asker: Asker
    offline: Delta
    pending: tuple[Any, ...]
    operations: tuple[Operation, ...] = ()
    answered_by: str = ""
    planned_calls: int = 0
    parts_done: int = 0
    excerpt_chars: int = 0
    findings: int = 0
    findings_left: int = 0
    proposed: int = 0
    cached_prefix: str = ""

    def go_on(self, earlier: Earlier) -> None:
        """Begin behind what was proposed before; its calls are calls of this compaction."""
        known = set(earlier.handles)
        self.pending = tuple(span for span in self.request.spans if span.handle not in known)
        self.operations = earlier.delta.operations
        self.proposed = int(earlier.facts.get("named", len(earlier.delta.operations)))
        self.answered_by = earlier.delta.summarizer
        self.parts_done = int(earlier.facts.get("parts", 1))
        self.asker.books.carry_on(earlier.facts)

    def planned(self, plan: Plan) -> None:
        """Note a plan before its first call."""
        self.planned_calls = self.parts_done + plan.calls
        self.excerpt_chars = plan.excerpt_chars

    def next_number(self) -> int:
        """The number of the next local name."""
        return self.proposed + 1

    def take(self, part: Part, answer: Answer) -> None:
        """Fold the answer to a part in."""
        new = answer.parsed.delta.operations
        self.proposed += len(new)
        self.operations = merged(self.operations, new)
        self.pending = self.pending[len(part.spans) :]
        self.parts_done += 1
        self.answered_by = self.answered_by or answer.client.name

    def facts(self) -> dict[str, Any]:
        """The numbers for the report."""
        books = self.asker.books
        return {
            "prompt_version": PROMPT_VERSION,
            "planned_calls": self.planned_calls,
            "calls": books.calls,
            "memoised": books.memoised,
            "retries": books.retries,
            "repairs": books.repairs,
            "shrunk": books.shrunk,
            "parts": self.parts_done,
            "excerpt_chars": self.excerpt_chars,
            "input_tokens": books.usage.input_tokens,
            "cached_tokens": books.usage.cached_tokens,
            "output_tokens": books.usage.output_tokens,
            "cost": books.cost,
            "proposed": len(self.operations),
            "named": self.proposed,
            "found_at_first": self.findings,
            "found_after_repair": self.findings_left,
            **({"cached_prefix": self.cached_prefix} if self.cached_prefix else {}),
            "failures": tuple(dict.fromkeys(books.failures)),
            "made": tuple(books.made),
        }
