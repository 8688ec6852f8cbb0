"""Expected use: how likely the agent is to write an identifier again and need the record for it.

A logistic model over what was seen of the identifier so far. The numbers are fitted by
bench/coverage/fit.py on recordings and tested on others than they were fitted on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from clew.summarize.extractive.identifiers import IdentifierKind, kind_of

WEIGHTS: dict[str, float] = {
    "bias": -1.108, "agent": 0.732, "user": -0.511, "any_agent": 1.869, "fresh": -0.502, "age":
    -0.945, "kin": 0.547, "part": 0.292, "length": -0.285, "is_path": 0.01, "is_slashed":
    0.859, "is_file": 0.331, "is_dotted": 1.254, "is_snake": 0.364, "is_camel": 0.955,
    "is_ticket": -1.198, "is_hash": -2.177, "is_number": -1.505, "agent_number": 1.313,
    "agent_hash": 0.244, "agent_dotted": -1.288, "agent_camel": -1.019, "agent_slashed": -1.116,
}  # fmt: skip
"""The fitted weight of each feature; a feature that is left out weighs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What is known of one identifier at a compaction.

    Counts are exchanges in which somebody used it; `age` is exchanges since the agent's latest
    use, or since anybody's when the agent never wrote it. `kin`: something in view has the same
    stem; `part`: something in view ends in the same part.
    """

    name: str
    agent_uses: int
    user_uses: int
    age: float
    kin: bool = False
    part: bool = False


def features(usage: Usage) -> dict[str, float]:
    """The inputs of the model by name, for fitting."""
    kind = kind_of(usage.name) or IdentifierKind.NUMBER
    used = 1.0 if usage.agent_uses else 0.0
    return {
        "bias": 1.0,
        "agent": math.log1p(usage.agent_uses),
        "user": math.log1p(usage.user_uses),
        "any_agent": used,
        "fresh": math.exp(-usage.age / 20.0),
        "age": math.log1p(usage.age),
        "kin": float(usage.kin),
        "part": float(usage.part),
        "length": math.log(len(usage.name)),
        f"is_{kind.value}": 1.0,
        f"agent_{kind.value}": used,
    }


def expected_use(usage: Usage) -> float:
    """The chance, 0 to 1, that the agent writes the identifier in its next twenty exchanges."""
    score = sum(WEIGHTS.get(name, 0.0) * value for name, value in features(usage).items())
    return 1.0 / (1.0 + math.exp(-score))


_COUNTS = tuple(math.log1p(n) for n in range(256))
_AGENT = tuple(WEIGHTS["any_agent"] + WEIGHTS["agent"] * count for count in _COUNTS)
_USER = tuple(WEIGHTS["user"] * count for count in _COUNTS)


@dataclass(frozen=True, slots=True)
class NameScore:
    """What the look of a name alone adds to the score, and what it may share with other names.

    `stem` is a file's name without its ending, `part` the last part of a path or dotted name.
    """

    plain: float
    by_agent: float
    stem: str
    part: str


@lru_cache(maxsize=100_000)
def name_score(name: str) -> NameScore:
    """The score of a name's kind and length, worked out once a name."""
    kind = kind_of(name) or IdentifierKind.NUMBER
    bare = name.rstrip("/").lower()
    base = bare[bare.rfind("/") + 1 :]
    plain = (
        WEIGHTS["bias"]
        + WEIGHTS.get(f"is_{kind.value}", 0.0)
        + WEIGHTS["length"] * math.log(max(len(name), 1))
    )
    return NameScore(
        plain,
        WEIGHTS.get(f"agent_{kind.value}", 0.0),
        base.partition(".")[0],
        base[base.rfind(".") + 1 :],
    )


def age_score(age: float) -> float:
    """What the age of the latest use adds to the score."""
    return WEIGHTS["fresh"] * math.exp(-age / 20.0) + WEIGHTS["age"] * math.log1p(age)


def uses_score(of_name: NameScore, agent_uses: int, user_uses: int) -> float:
    """What the uses of a name add to the score."""
    score = 0.0
    if agent_uses:
        score = _AGENT[min(agent_uses, 255)] + of_name.by_agent
    if user_uses:
        score += _USER[min(user_uses, 255)]
    return score


def chances_of(scores: Iterable[float]) -> list[float]:
    """The scores as probabilities, 0 to 1, in order."""
    exp = math.exp
    return [1.0 / (1.0 + exp(-score)) for score in scores]
