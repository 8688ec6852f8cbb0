"""`clew budget`: the arithmetic of the sawtooth."""

from __future__ import annotations

from typing import Annotated

import typer

from clew.cli.options import JsonOption, share, tokens
from clew.cli.screen import say, show_table, write_json

TOKENS = "TOKENS"
SHARE = "SHARE"


def budget(
    window: Annotated[str, typer.Option(metavar=TOKENS, help="Context window of the model.")],
    prefix: Annotated[str, typer.Option(metavar=TOKENS, help="System prompt and tools.")] = "0",
    plan: Annotated[str, typer.Option(metavar=TOKENS, help="Kept for a plan.")] = "0",
    retrieval: Annotated[str, typer.Option(metavar=TOKENS, help="Kept for retrieval.")] = "0",
    reserve: Annotated[
        str | None, typer.Option(metavar=TOKENS, help="Output and estimation reserve.")
    ] = None,
    trigger: Annotated[str, typer.Option(metavar=SHARE, help="Arms compaction.")] = "0.70",
    backstop: Annotated[str, typer.Option(metavar=SHARE, help="Compacts in any case.")] = "0.85",
    head: Annotated[str, typer.Option(metavar=TOKENS, help="Goal and pins.")] = "1000",
    tail: Annotated[str, typer.Option(metavar=SHARE, help="Kept verbatim.")] = "12000",
    record: Annotated[str, typer.Option(metavar=SHARE, help="The handoff record.")] = "900",
    growth: Annotated[
        str | None, typer.Option(metavar=TOKENS, help="Mean growth of a turn.")
    ] = None,
    p95: Annotated[
        str | None, typer.Option(metavar=TOKENS, help="A large turn: 95 in 100 are smaller.")
    ] = None,
    p99: Annotated[
        str | None, typer.Option(metavar=TOKENS, help="A larger turn: 99 in 100 are smaller.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Work out trigger, backstop, floor and how many turns a compaction buys.

    TOKENS is a whole number such as 200000 or 200k; SHARE is tokens or a fraction such as 0.7.
    """
    from clew.budget import Budget, sawtooth

    def maybe(name: str, text: str | None) -> int | None:
        return None if text is None else tokens(name, text)

    asked = Budget(
        tokens("window", window),
        prefix_tokens=tokens("prefix", prefix),
        plan_tokens=tokens("plan", plan),
        retrieval_tokens=tokens("retrieval", retrieval),
        output_reserve_tokens=maybe("reserve", reserve),
        trigger=share("trigger", trigger),
        backstop=share("backstop", backstop),
        tail_tokens=share("tail", tail),
        record_tokens=share("record", record),
    )
    result = sawtooth(
        asked.resolve(),
        head_tokens=tokens("head", head),
        growth_tokens=maybe("growth", growth),
        p95_tokens=maybe("p95", p95),
        p99_tokens=maybe("p99", p99),
    ).as_json()
    if json:
        write_json(result)
    else:
        _show(result)


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
