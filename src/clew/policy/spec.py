"""A policy as a versioned document: everything that shapes what Clew does to a context."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.budget import Budget
from clew.errors import PolicyError
from clew.policy.cost import Ratios
from clew.record.kinds import BUILT_IN, Kind, KindTable
from clew.transcript import digest_of

SPEC_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionRules:
    """When single parts leave the window.

    `part_share` is the largest share of the transcript budget that one part may take before it is
    put behind a handle on arrival; `stub_tokens` bounds what a stub shows; `keep_exchanges` are the
    newest exchanges whose results stay.
    """

    enabled: bool = True
    part_share: float = 0.25
    stub_tokens: int = 150
    keep_exchanges: int = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """What a session does to a context, and when.

    `budget` is the arithmetic; `kinds` the record kinds in force; `ratios` the prices the cost
    rule weighs; `cost_rule` whether carrying cost may arm compaction; `cooldown` and `min_reclaim`
    are shares of the transcript budget: new text wanted between two compactions, and the least a
    compaction has to free. `instructions` go to a model-backed summarizer in addition to its own.
    `prefetch` lets such a summarizer work in the background before it is needed.
    """

    budget: Budget | None = None
    name: str = "default"
    version: int = 1
    kinds: KindTable = field(default_factory=KindTable)
    ratios: Ratios = field(default_factory=Ratios)
    eviction: EvictionRules = field(default_factory=EvictionRules)
    cost_rule: bool = True
    cooldown: float = 0.10
    min_reclaim: float = 0.05
    summarizer: str = "extractive"
    instructions: str = ""
    model: str = ""
    probes: tuple[str, ...] = ()
    prefetch: bool = True

    def __post_init__(self) -> None:
        for name in ("cooldown", "min_reclaim"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise PolicyError(f"{name} is {value}; expected a share from 0 to below 1")

    @property
    def digest(self) -> str:
        """Hex SHA-256 of everything in the policy; stored with every checkpoint."""
        return digest_of({"spec": SPEC_VERSION, **_plain(self)})

    @classmethod
    def load(cls, source: str | Path) -> Policy:
        """Read a policy document (TOML). Raises PolicyError with the place of what is wrong."""
        path = Path(source)
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise PolicyError(f"cannot be read ({error.strerror})", where=str(path)) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PolicyError(f"is no TOML document: {error}", where=str(path)) from error
        return cls.from_document(document, where=str(path))

    @classmethod
    def from_document(cls, document: Mapping[str, Any], *, where: str = "policy") -> Policy:
        """Build a policy from a parsed document; unknown names are errors, never ignored."""
        values = dict(document)
        made: dict[str, Any] = {}
        if "budget" in values:
            made["budget"] = _build(Budget, values.pop("budget"), f"{where}: [budget]")
        if "ratios" in values:
            made["ratios"] = _build(Ratios, values.pop("ratios"), f"{where}: [ratios]")
        if "eviction" in values:
            made["eviction"] = _build(EvictionRules, values.pop("eviction"), f"{where}: [eviction]")
        if "kinds" in values:
            made["kinds"] = KindTable(BUILT_IN).extended(
                _build(Kind, row, f"{where}: [[kinds]]") for row in values.pop("kinds")
            )
        if "probes" in values:
            made["probes"] = tuple(str(p) for p in values.pop("probes"))
        policy: Policy = _build(cls, {**values, **made}, where)
        return policy


def _build(cls: Any, values: Any, where: str) -> Any:
    if not isinstance(values, Mapping):
        raise PolicyError(f"expected a table, got {type(values).__name__}", where=where)
    known = {f.name for f in dataclasses.fields(cls) if f.init}
    if unknown := sorted(set(values) - known):
        raise PolicyError(
            f"does not know {', '.join(unknown)}; known are {', '.join(sorted(known))}", where=where
        )
    fixed = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    try:
        return cls(**fixed)
    except TypeError as error:
        raise PolicyError(str(error), where=where) from error


def _plain(value: Any) -> Any:
    if isinstance(value, KindTable):
        return [_plain(kind) for kind in value.kinds]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
