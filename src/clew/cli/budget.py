"""`clew budget`: the arithmetic of the sawtooth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer.models import OptionInfo

from clew.cli.options import JsonOption, share, tokens
from clew.cli.screen import say, show_table, write_json

if TYPE_CHECKING:
    from clew.budget import Sawtooth
    from clew.budget.budget import ResolvedBudget


def _tokens(what: str) -> OptionInfo:
    option: OptionInfo = typer.Option(metavar="TOKENS", help=what)
    return option


def _share(what: str) -> OptionInfo:
    option: OptionInfo = typer.Option(metavar="SHARE", help=what)
    return option


Window = Annotated[str, _tokens("Context window of the model.")]
Prefix = Annotated[str, _tokens("System prompt and tools.")]
Plan = Annotated[str, _tokens("Kept for a plan.")]
Retrieval = Annotated[str, _tokens("Kept for retrieval.")]
Reserve = Annotated[str | None, _tokens("Output and estimation reserve.")]
Trigger = Annotated[str, _share("Arms compaction.")]
Backstop = Annotated[str, _share("Compacts in any case.")]
Head = Annotated[str, _tokens("Goal and pins.")]
Tail = Annotated[str, _share("Kept verbatim.")]
Record = Annotated[str, _share("The handoff record.")]
Growth = Annotated[str | None, _tokens("Mean growth of a turn.")]
P95 = Annotated[str | None, _tokens("A large turn: 95 in 100 are smaller.")]
P99 = Annotated[str | None, _tokens("A larger turn: 99 in 100 are smaller.")]


def budget(
    window: Window,
    prefix: Prefix = "0",
    plan: Plan = "0",
    retrieval: Retrieval = "0",
    reserve: Reserve = None,
    trigger: Trigger = "0.70",
    backstop: Backstop = "0.85",
    head: Head = "1000",
    tail: Tail = "12000",
    record: Record = "900",
    growth: Growth = None,
    p95: P95 = None,
    p99: P99 = None,
    json: JsonOption = False,
) -> None:
    """Work out trigger, backstop, floor and how many turns a compaction buys.

    TOKENS is a whole number such as 200000 or 200k; SHARE is tokens or a fraction such as 0.7.
    Where the floor alone is over the transcript budget nothing can be sent: exit code 2.
    """
    from clew.budget import Budget, sawtooth

    asked = Budget(
        tokens("window", window),
        prefix_tokens=tokens("prefix", prefix),
        plan_tokens=tokens("plan", plan),
        retrieval_tokens=tokens("retrieval", retrieval),
        output_reserve_tokens=_maybe("reserve", reserve),
        trigger=share("trigger", trigger),
        backstop=share("backstop", backstop),
        tail_tokens=share("tail", tail),
        record_tokens=share("record", record),
    )
    sizes, pinned = asked.resolve(), tokens("head", head)
    result = sawtooth(
        sizes,
        head_tokens=pinned,
        growth_tokens=_maybe("growth", growth),
        p95_tokens=_maybe("p95", p95),
        p99_tokens=_maybe("p99", p99),
    )
    write_json(result.as_json()) if json else _show(result.as_json())
    _refuse_floor(result, pinned, sizes)


def _refuse_floor(result: Sawtooth, pinned: int, sizes: ResolvedBudget) -> None:
    from clew.errors import FloorExceededError

    if result.floor_tokens > result.transcript_budget_tokens:
        raise FloorExceededError(
            floor_tokens=result.floor_tokens,
            limit_tokens=result.transcript_budget_tokens,
            parts=(("head", pinned), ("tail", sizes.tail_tokens), ("record", sizes.record_tokens)),
        )


def _maybe(name: str, text: str | None) -> int | None:
    return None if text is None else tokens(name, text)


NAMES = {
    "transcript_budget_tokens": "transcript budget",
    "trigger_tokens": "trigger",
    "backstop_tokens": "backstop",
    "gap_tokens": "gap between trigger and backstop",
    "floor_tokens": "floor (head, tail and record)",
    "reclaimed_tokens": "reclaimed by a compaction",
    "turns_bought": "turns that buys",
    "p95_left_tokens": "left of the gap after a p95 burst",
    "p99_left_tokens": "left of the gap after a p99 burst",
}


def _show(result: dict[str, object]) -> None:
    rows = [
        (name, f"{value:,}") for key, name in NAMES.items() if isinstance(value := result[key], int)
    ]
    show_table(("", "tokens"), rows, numbers=("tokens",))
    advice = result["advice"]
    if isinstance(advice, list):
        for sentence in advice:
            say(f"- {sentence}")
