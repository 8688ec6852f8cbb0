"""The whole demo: every arm on the same budget, and what the comparison shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from clew.budget import Budget
from clew.counters import resolve_counter
from clew.demo.agent import GLOBAL_KEY
from clew.demo.arms import FullHistory, ProseSummary, SlidingWindow
from clew.demo.asks import SYSTEM
from clew.demo.clew_arm import ArchiveCheck, ClewArm, Fold
from clew.demo.play import TOOLS, Played, play
from clew.demo.size import Sizes
from clew.record.record import HandoffRecord
from clew.transcript import canonical_json

WINDOW_TOKENS = 12_000
TAIL_TOKENS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """Every arm's run, and the record and compactions of the Clew arm.

    `compacted_at` names, by arm, the calls before which something was folded. `record_text` is
    the record as the agent sees it in the last context.
    """

    window_tokens: int
    trigger_tokens: int
    counter: str
    arms: tuple[Played, ...]
    compacted_at: Mapping[str, tuple[int, ...]]
    folds: tuple[Fold, ...]
    archive: ArchiveCheck
    record: HandoffRecord
    record_text: str

    def arm(self, name: str) -> Played:
        """One arm's run; raises KeyError for a name that is none."""
        return {played.arm: played for played in self.arms}[name]

    @property
    def laws(self) -> dict[str, bool]:
        """What was checked of the laws in the Clew arm."""
        clew = self.arm(ClewArm.name)
        return {
            "goal byte-identical in every context": clew.goal_intact,
            "every context valid": clew.valid_calls == clew.calls,
            "every context within the window": clew.largest_prompt_tokens <= self.window_tokens,
            "every absorbed message back by its handle": (
                self.archive.brought_back == self.archive.absorbed_messages
            ),
            "books balance in every compaction": all(_balances(f.lineage) for f in self.folds),
        }

    @property
    def holds(self) -> bool:
        """Whether the Clew arm lost nothing and every law held."""
        return self.arm(ClewArm.name).audit.lost == 0 and all(self.laws.values())

    def as_json(self) -> dict[str, Any]:
        """The document of `clew demo --json`."""
        return {
            "window_tokens": self.window_tokens,
            "trigger_tokens": self.trigger_tokens,
            "counter": self.counter,
            "arms": [self._arm_as_json(played) for played in self.arms],
            "compactions": [
                {
                    "call": fold.call,
                    "reason": fold.reason,
                    "tokens_before": fold.tokens_before,
                    "tokens_after": fold.tokens_after,
                    "absorbed_messages": fold.absorbed_messages,
                    "lineage": dict(fold.lineage),
                }
                for fold in self.folds
            ],
            "archive": {
                "absorbed_messages": self.archive.absorbed_messages,
                "brought_back": self.archive.brought_back,
                "handles": self.archive.handles,
            },
            "laws": self.laws,
            "holds": self.holds,
        }

    def _arm_as_json(self, played: Played) -> dict[str, Any]:
        because = played.choice.because
        return {
            "name": played.arm,
            "calls": played.calls,
            "largest_prompt_tokens": played.largest_prompt_tokens,
            "sent_tokens": played.sent_tokens,
            "prompt_tokens": list(played.prompt_tokens),
            "fits_window": played.largest_prompt_tokens <= self.window_tokens,
            "compacted_at": list(self.compacted_at.get(played.arm, ())),
            "rows": {
                "expected": played.audit.expected,
                "loaded": played.audit.loaded,
                "lost": played.audit.lost,
            },
            "key": played.choice.key,
            "because": because.sentence if because else None,
            "handle": because.handle if because else None,
            "recalled": list(played.recalled),
            "dead_end_retries": played.dead_end_retries,
            "rule": {"kept": played.rule_kept, "asked": played.rule_asked},
            "goal_intact": played.goal_intact,
            "valid_calls": played.valid_calls,
        }


def run_demo(progress: Callable[[str], None] = lambda step: None) -> Demo:
    """Play all arms; the same input gives the same result, to the byte."""
    counter = resolve_counter()
    sizes = Sizes(counter)
    budget = Budget(WINDOW_TOKENS, tail_tokens=TAIL_TOKENS)
    prefix = counter.count_text(SYSTEM) + counter.count_text(canonical_json(TOOLS))
    resolved = budget.resolve(prefix_tokens=prefix)
    prose = ProseSummary(resolved, sizes)
    clew = ClewArm(budget, counter)
    arms = tuple(
        play(arm, sizes, progress)
        for arm in (FullHistory(), SlidingWindow(resolved, sizes), prose, clew)
    )
    return Demo(
        window_tokens=WINDOW_TOKENS,
        trigger_tokens=resolved.trigger_tokens,
        counter=counter.name,
        arms=arms,
        compacted_at={
            prose.name: tuple(prose.compactions),
            clew.name: tuple(fold.call for fold in clew.folds),
        },
        folds=tuple(clew.folds),
        archive=clew.check_archive(arms[-1].messages),
        record=clew.record,
        record_text=clew.record_text,
    )


def why(played: Played) -> str:
    """Why an arm chose its key, in one sentence."""
    because = played.choice.because
    if because is None:
        return "nothing in its context said otherwise"
    where = {"tool": "in a tool result", "assistant": "in its own words"}.get(because.role, "")
    place = f" ({because.handle})" if because.handle else ""
    tail = " and nothing about tenants" if played.choice.key == GLOBAL_KEY else ""
    return f'read{" " + where if where else ""}{place} "{because.sentence}"{tail}'


def _balances(lineage: Mapping[str, int]) -> bool:
    out = ("active", "superseded", "closed", "externalised")
    return bool(lineage) and lineage["in"] == sum(lineage[name] for name in out)
