"""The first messages of a fresh run: the goal by itself, pinned texts, the record as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.document.views import Step
from clew.ports import TokenCounter
from clew.record.apply import externalise
from clew.record.claims import one_line
from clew.record.fence import neutral
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.record import HandoffRecord
from clew.record.shares import DEFAULT_SHARES, ViewShares
from clew.record.view import render_record

UNREACHABLE = (
    "The archive of the former run is not at hand: handles such as S-41 cannot be fetched here."
)
_HEADING = "This run goes on from another one. Before the first step:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Texts of the first messages, and the record with what they do not show externalised."""

    goal: str
    pins: tuple[str, ...]
    record_text: str
    record: HandoffRecord
    tokens: int

    @property
    def texts(self) -> tuple[str, ...]:
        """One text a message, in order."""
        return tuple(text for text in (self.goal, *self.pins, self.record_text) if text)


def opening_of(
    record: HandoffRecord,
    *,
    pins: Sequence[str],
    steps: Sequence[Step],
    added_steps: Sequence[str],
    counter: TokenCounter,
    target_tokens: int,
    reachable: bool,
    kinds: KindTable = DEFAULT_KINDS,
    shares: ViewShares = DEFAULT_SHARES,
) -> Opening:
    """The opening of a fresh run; `reachable` tells whether the archive can be asked there."""
    shown = render_record(
        record,
        kinds=kinds,
        counter=counter,
        target_tokens=target_tokens,
        recall_available=reachable,
        goal_in_head=bool(record.goal),
        shares=shares,
    )
    lines = [_step(step, step.text in added_steps) for step in steps]
    if lines:
        lines.insert(0, _HEADING)
    if not reachable:
        lines.append(UNREACHABLE)
    text = "\n\n".join([shown.text, *([neutral("\n".join(lines))] if lines else [])])
    return Opening(
        goal=record.goal,
        pins=tuple(pins),
        record_text=text,
        record=externalise(record, shown.externalised),
        tokens=counter.count_text(text),
    )


def _step(step: Step, added: bool) -> str:
    by = " (added by a person)" if added else ""
    return f"- [{'x' if step.done else ' '}] {one_line(step.text)}{by}"
