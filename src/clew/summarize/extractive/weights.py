"""Expected use: how likely the agent is to write an identifier again and need the record for it.

A logistic model over what was seen of the identifier so far. The numbers come from
bench/coverage/fit.py, fitted on one part of the recordings and tested on the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from clew.summarize.extractive.identifiers import IdentifierKind, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What is known of one identifier at a compaction.

    Counts are exchanges in which somebody used it; ages are exchanges since the latest use
    (a negative age: never). `kin` tells that the tail uses a name it belongs with.
    """

    name: str
    agent_uses: int
    tool_uses: int
    user_uses: int
    age: float
    kin: bool = False


NAMES = (
    "bias",
    "agent_uses",
    "tool_uses",
    "user_uses",
    "fresh",
    "agent_fresh",
    "kin",
    "short",
    *(f"is_{kind.value}" for kind in IdentifierKind),
)
WEIGHTS: dict[str, float] = {
    "bias": -4.5,
    "agent_uses": 1.1,
    "tool_uses": 0.2,
    "user_uses": 0.4,
    "fresh": 1.0,
    "agent_fresh": 1.5,
    "kin": 0.5,
    "short": 0.0,
    "is_path": 0.4,
    "is_file": 0.4,
    "is_number": -0.6,
}


def features(usage: Usage) -> dict[str, float]:
    """The inputs of the model by name."""
    fresh = 1.0 / (1.0 + usage.age / 20.0)
    kind = kind_of(usage.name)
    return {
        "bias": 1.0,
        "agent_uses": math.log1p(usage.agent_uses),
        "tool_uses": math.log1p(usage.tool_uses),
        "user_uses": math.log1p(usage.user_uses),
        "fresh": fresh,
        "agent_fresh": fresh if usage.agent_uses else 0.0,
        "kin": 1.0 if usage.kin else 0.0,
        "short": 1.0 if len(usage.name) <= 5 else 0.0,
        f"is_{kind.value if kind else 'number'}": 1.0,
    }


def expected_use(usage: Usage) -> float:
    """The chance, 0 to 1, that the agent writes the identifier in its next twenty exchanges."""
    score = sum(WEIGHTS.get(name, 0.0) * value for name, value in features(usage).items())
    return 1.0 / (1.0 + math.exp(-score))
