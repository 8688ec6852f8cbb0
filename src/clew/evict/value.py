"""What a result is worth in the window, per token: expected use, class, decay, size.

The weights are odds that the agent will write an identifier it has not written yet, fitted by
logistic regression on recorded sessions of four coding agents (48,561 identifiers of results at
least three exchanges old, 15 % written later; area under the curve 0.70 on sessions that were held
out, 0.67 to 0.72 on agents that were held out).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from clew.evict.residents import Cause, Resident
from clew.tools_seen.seen import Action, Outcome

_BASE = -1.7
_SHAPES = {"dotted": 0.45, "camel": 0.15, "file": 0.0, "hash": -0.6, "snake": -0.7, "path": -0.75}
_ACTIONS = {Action.READ: 0.15, Action.RUN: -0.75, Action.SEARCH: -0.9}
_OTHER_ACTION = -0.3
_FAILED = -1.0
_DEFINED = 0.85
_OWN_MEMBER = 0.7
_LONG = -0.63
_POSITION = -0.35
_STALE = {
    Cause.SUPERSEDED: 0.25,
    Cause.REPEATED: 0.25,
    Cause.NARROWED: 0.5,
    Cause.FIXED: 0.25,
}
"""A stale result is kept only where nothing fresh is worth as much: its use counts a quarter, a
narrowed listing's a half, because what was left out of the narrower one may still be wanted."""

HALF_USE_EXCHANGES = 12
"""Exchanges after which a name that was not used is expected half as often."""

_DEFINITION = re.compile(
    r"(?:^|[\s:→+|-])(?:def|class|func|function|interface|type|struct|fn|export|const|enum|trait"
    r"|impl|static|public|private|var|let)\s"
)
_HASH = re.compile(r"[0-9a-f]{7,64}")
_CHARS_PER_TOKEN = 3.6
_SEPARATOR_TOKENS = 1.2


def name_tokens(name: str) -> float:
    """About what a name takes in a list, its separator included."""
    return len(name) / _CHARS_PER_TOKEN + _SEPARATOR_TOKENS


def decay(age_exchanges: int) -> float:
    """Share of an expected use that is left after some exchanges without one: 1, then 1/2, 1/3."""
    return 1.0 / (1.0 + max(0, age_exchanges) / HALF_USE_EXCHANGES)


def odds_of(
    names: Sequence[str], text: str, action: Action | None, outcome: Outcome | None
) -> tuple[float, ...]:
    """Log odds that the agent will write each of these names of a result, before their spread.

    Depends on the result alone, so that it can be kept by digest.
    """
    base = _BASE + _ACTIONS.get(action, _OTHER_ACTION) if action else _BASE + _OTHER_ACTION
    base += _FAILED if outcome is Outcome.FAILED else 0.0
    return tuple(base + _name_weight(name, text) for name in names)


def chances_of(resident: Resident, holders: Mapping[str, int]) -> dict[str, float]:
    """Chance that the agent will write each name of a result; `holders` counts results by name."""
    return {
        name: _chance(odds + _spread(holders.get(name, 1)))
        for name, odds in zip(resident.names, resident.odds, strict=True)
    }


def expected_use(
    resident: Resident,
    chances: Mapping[str, float],
    said: frozenset[str],
    now: int,
    cause: Cause | None,
) -> float:
    """How many names only this result holds the agent is expected to write still."""
    wanted = sum(chance for name, chance in chances.items() if name not in said)
    age = now - max(resident.exchange, resident.last_use)
    return wanted * decay(age) * _STALE.get(cause, 1.0) if cause else wanted * decay(age)


def _name_weight(name: str, text: str) -> float:
    weight = _SHAPES[shape_of(name)] + _LONG * max(0, len(name) - 24) / 24
    if name.startswith(("self.", "this.")):
        weight += _OWN_MEMBER
    at = text.find(name)
    if at >= 0:
        weight += _POSITION * at / max(1, len(text))
        line = text.rfind("\n", 0, at) + 1
        if _DEFINITION.search(text[max(line, at - 80) : at]):
            weight += _DEFINED
    return weight


def _spread(holders: int) -> float:
    """Names that stand in several results are wanted more, those in very many are furniture."""
    return 0.65 * math.log(min(holders, 4)) - (0.47 if holders > 4 else 0.0)


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def shape_of(name: str) -> str:
    """What a name looks like: path, file, dotted, snake, hash or camel."""
    if "/" in name:
        return "path"
    if "." in name:
        return "file" if len(name.rpartition(".")[2]) <= 3 and name.count(".") == 1 else "dotted"
    if "_" in name:
        return "snake"
    return "hash" if _HASH.fullmatch(name) else "camel"


def holders_of(residents: Sequence[Resident]) -> dict[str, int]:
    """How many results hold each name."""
    counts: dict[str, int] = {}
    for resident in residents:
        for name in resident.names:
            counts[name] = counts.get(name, 0) + 1
    return counts
