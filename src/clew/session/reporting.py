"""From a prepared context to its report: numbers, reason, warnings said once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.budget import ResolvedBudget
from clew.outcome import Compacted, Held, Report, sentence
from clew.pipeline import Prepared
from clew.policy import Why
from clew.ports import TokenCounter
from clew.session.ledger import Reading
from clew.session.probing import Probing
from clew.settle import removed_handle
from clew.summarize.calls import CallTotals, ModelCall


class Reporting:
    """Makes the reports of one session; what concerns its settings is said once."""

    def __init__(
        self, counter: TokenCounter, window_source: str, window_warning: str, probing: Probing
    ) -> None:
        self._probing = probing
        self._counter = counter
        self._window_source = window_source
        self._window_warning = window_warning
        self._said: set[str] = set()
        self.totals = CallTotals()

    def report(
        self,
        prepared: Prepared,
        reading: Reading,
        resolved: ResolvedBudget,
        *,
        tokens_before: int,
        seconds: float,
        waited_seconds: float = 0.0,
    ) -> Report:
        """The report of one call; `tokens_before` is what the caller gave."""
        checkpoint = prepared.history.checkpoint
        made = prepared.folded if isinstance(prepared.outcome, Compacted) else None
        record = prepared.insertions.record
        probes = self._probing.asked(prepared, reading)
        failed = tuple(said for each in probes if (said := each.sentence))
        calls = _calls(prepared)
        self.totals = self.totals.plus(calls)
        return Report(
            tokens_before=tokens_before,
            tokens_after=prepared.tokens_after,
            prefix_tokens=resolved.prefix_tokens,
            trigger=resolved.trigger_tokens,
            backstop=resolved.backstop_tokens,
            budget=resolved.transcript_budget_tokens,
            reason=sentence(prepared.outcome),
            checkpoint_id=checkpoint.checkpoint_id if checkpoint is not None else None,
            lineage=made.lineage if made is not None else None,
            summarizer=made.proposed.summarizer if made is not None else "",
            record_tokens=self._counter.count_text(record) if record else 0,
            counter=self._counter.name,
            window_source=self._window_source,
            warnings=(*self._warnings(prepared, reading, resolved), *failed),
            facts=_facts(prepared, seconds),
            calls=calls,
            probes=probes,
            waited_seconds=round(waited_seconds, 6),
            repairs=(*reading.repairs, *_where(reading)),
        )

    def _warnings(
        self, prepared: Prepared, reading: Reading, resolved: ResolvedBudget
    ) -> tuple[str, ...]:
        once = [*resolved.adjusted, self._window_warning, _floor_warning(prepared, resolved)]
        fresh = [said for said in once if said and said not in self._said]
        self._said.update(fresh)
        return (*fresh, *reading.repairs, *_where(reading), *prepared.warnings)


_MOST_HANDLES = 12


def _where(reading: Reading) -> tuple[str, ...]:
    """Which handles bring back what repairs took out, and what they gave another id."""
    told: list[str] = []
    for what, messages in (
        ("what repairs took out", reading.removed),
        ("what came in with other ids or names", tuple(reading.renamed.values())),
    ):
        handles = [removed_handle(message.digest) for message in messages]
        if handles:
            more = len(handles) - _MOST_HANDLES
            rest = f" and {more:,} more; session.spans() lists all of them" if more > 0 else ""
            told.append(f"{what} is kept as {', '.join(handles[:_MOST_HANDLES])}{rest}")
    return tuple(told)


def _facts(prepared: Prepared, seconds: float) -> Mapping[str, Any]:
    facts: dict[str, Any] = {"seconds": round(seconds, 6)}
    if prepared.folded is not None:
        facts.update(prepared.folded.proposed.facts)
        facts.pop("made", None)
    return facts


def _calls(prepared: Prepared) -> tuple[ModelCall, ...]:
    """What was asked of a model for this call, by a summarizer of whatever kind."""
    made = prepared.folded.proposed.facts.get("made", ()) if prepared.folded is not None else ()
    return tuple(call for call in made if isinstance(call, ModelCall))


def _floor_warning(prepared: Prepared, resolved: ResolvedBudget) -> str:
    outcome = prepared.outcome
    if prepared.tokens_after < resolved.trigger_tokens or not isinstance(outcome, Held):
        return ""
    if outcome.why is not Why.NOTHING_TO_FOLD:
        return ""
    return (
        "The context stands at or above the trigger and nothing more may be folded: pins, newest "
        "messages and record hold it up."
    )
