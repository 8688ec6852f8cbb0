"""A policy as a versioned document: everything that shapes what Clew does to a context."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

from clew.budget import Budget
from clew.errors import PolicyError
from clew.policy.boundaries import BoundaryRules
from clew.policy.cost import Ratios
from clew.policy.document import Source, settable, written
from clew.policy.limits import CallLimits
from clew.policy.probes import Probe
from clew.ports import Rates
from clew.record.kinds import BUILT_IN, Kind, KindTable
from clew.record.shares import ViewShares
from clew.transcript import digest_of

SPEC_VERSION = 1
"""The newest version of the document's form; `spec` in a document names its own."""

OFFLINE = "extractive"
"""The name of the offline summarizer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionRules:
    """When single parts leave the window.

    `part_share` is the largest share of the transcript budget that one part may take before it is
    put behind a handle on arrival; `stub_tokens` bounds what a stub shows; `keep_exchanges` are the
    newest exchanges whose results stay. Results of `keep_tools` are not evicted to save tokens; one
    larger than `part_share` goes behind its handle all the same.
    """

    enabled: bool = True
    part_share: float = 0.25
    stub_tokens: int = 150
    keep_exchanges: int = 2
    keep_tools: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        if not 0.0 < self.part_share <= 1.0:
            raise PolicyError(f"part_share is {self.part_share}; expected a share above 0, up to 1")
        for name, least in (("stub_tokens", 1), ("keep_exchanges", 0)):
            if getattr(self, name) < least:
                problem = (
                    f"{name} is {getattr(self, name)}; expected a whole number from {least} up"
                )
                raise PolicyError(problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrices:
    """What is known about a model that the catalogue does not know, or knows otherwise.

    `model` is the name as it is asked for (`openai:our-model`). Prices are dollars per million
    tokens; a cached read costs what plain input does unless it is stated, a cache write as well.
    `window_tokens` 0 leaves the window to the catalogue.
    """

    model: str
    input: float
    output: float
    cached_read: float | None = None
    cache_write: float | None = None
    window_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse a price below zero."""
        if not self.model.strip():
            raise PolicyError("model is empty; expected a name such as openai:our-model")
        stated = {"input": self.input, "output": self.output, "window_tokens": self.window_tokens}
        stated |= {"cached_read": self.rates.cached_read, "cache_write": self.rates.cache_write}
        for name, value in stated.items():
            if not isfinite(value) or value < 0:
                raise PolicyError(f"{name} is {value}; expected a number from 0 up")

    @property
    def rates(self) -> Rates:
        """The prices as the rest of the program takes them."""
        read, write = self.cached_read, self.cache_write
        return Rates(
            input=self.input,
            output=self.output,
            cached_read=self.input if read is None else read,
            cache_write=self.input if write is None else write,
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """What a session does to a context, and when.

    `budget` is the arithmetic; `kinds` the record kinds in force; `ratios` the prices the cost
    rule weighs; `cost_rule` whether carrying cost may arm compaction; `cooldown` and `min_reclaim`
    are shares of the transcript budget: new text wanted between two compactions (where carrying has
    paid for one, no more than what it leaves), and the least a compaction has to free.
    `summarizer` is the offline one or `provider:model`, `fallback` a second model that is asked
    when that one fails, `limits` how often; `instructions` go to both in
    addition to their own. `model` is the agent's own, for its window and tokens. `prices` are of
    models that the catalogue does not know. `boundaries` says which moments are good ones, `view`
    how the record's target is split, `probes` what has to be at hand after every fold.
    `prefetch` lets such a summarizer work in the background before it is needed. `warn_at` is the
    share of the trigger at which a session tells that it is near. `hints` lets the answers of the
    search tools name the handle of what the newest message asks for.
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
    summarizer: str = OFFLINE
    instructions: str = ""
    model: str = ""
    probes: tuple[Probe, ...] = ()
    prefetch: bool = True
    warn_at: float = 0.9
    cached_prefix: bool = True
    hints: bool = True
    fallback: str = ""
    limits: CallLimits = field(default_factory=CallLimits)
    boundaries: BoundaryRules = field(default_factory=BoundaryRules)
    view: ViewShares = field(default_factory=ViewShares)
    prices: tuple[ModelPrices, ...] = ()

    def __post_init__(self) -> None:
        for name in ("cooldown", "min_reclaim"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise PolicyError(f"{name} is {value}; expected a share from 0 to below 1")
        if not 0.0 < self.warn_at <= 1.0:
            raise PolicyError(f"warn_at is {self.warn_at}; expected a share above 0, up to 1")
        for table, numbers in (("view", self.view), ("ratios", self.ratios)):
            for name, value in _plain(numbers).items():
                most = 1.0 if name.endswith("_share") else float("inf")
                if not isfinite(value) or not 0 <= value <= most:
                    bound = "a share from 0 to 1" if most == 1.0 else "a number from 0 up"
                    raise PolicyError(f"{table}.{name} is {value}; expected {bound}")
        self._check_models()

    def _check_models(self) -> None:
        """Refuse names that are no models, and questions that stand twice."""
        if self.summarizer != OFFLINE and not _names_model(self.summarizer):
            expected = f"{OFFLINE} or provider:model"
            raise PolicyError(f"summarizer is {self.summarizer!r:.60}; expected {expected}")
        if self.fallback and not _names_model(self.fallback):
            raise PolicyError(f"fallback is {self.fallback!r:.60}; expected provider:model")
        if self.fallback and self.summarizer == OFFLINE:
            raise PolicyError(
                f"fallback is {self.fallback!r:.60} where no model is asked first; expected a "
                f"summarizer of the form provider:model beside it"
            )
        asked = [probe.ask for probe in self.probes]
        if twice := [ask for ask in asked if asked.count(ask) > 1]:
            raise PolicyError(f"probes ask {twice[0]!r:.60} twice; expected each question once")

    @property
    def digest(self) -> str:
        """Hex SHA-256 of everything in the policy; stored with every checkpoint."""
        return digest_of({"spec": SPEC_VERSION, **_plain(self)})

    @classmethod
    def load(cls, source: str | Path) -> Policy:
        """Read a policy document (TOML).

        Raises PolicyError or BudgetError with file and line of what is wrong and what was expected.
        """
        if not isinstance(source, str | PathLike):
            raise PolicyError(
                f"a policy document is read from a path, not a {type(source).__name__}"
            )
        path = Path(source)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise PolicyError(f"cannot be read ({error.strerror})", where=str(path)) from error
        except UnicodeDecodeError as error:
            raise PolicyError(f"is no TOML document: {error}", where=str(path)) from error
        except ValueError as error:  # a NUL inside the name
            raise PolicyError(f"is no path ({error})", where=repr(str(path))) from error
        return _from(Source.of_text(text.removeprefix("\ufeff"), str(path)))

    @classmethod
    def from_document(cls, document: Mapping[str, Any], *, where: str = "policy") -> Policy:
        """Build a policy from a parsed document; unknown names are errors, never ignored."""
        return _from(Source(where, document, {}))

    def to_document(self) -> dict[str, Any]:
        """The document of this policy, every setting in it; `from_document` reads this policy."""
        if self.kinds.kinds[: len(BUILT_IN)] != BUILT_IN:
            raise PolicyError("a document adds kinds and takes none away", where="kinds")
        document = {"spec": SPEC_VERSION, **_plain(self)}
        document["kinds"] = document["kinds"][len(BUILT_IN) :]
        document["ratios"] = {f.name: document["ratios"][f.name] for f in settable(Ratios)}
        document["boundaries"]["tools"] = dict(document["boundaries"]["tools"])
        return {name: _without_none(value) for name, value in document.items() if value is not None}

    def dump(self) -> str:
        """The document as TOML text."""
        return written(self.to_document())


def _names_model(name: str) -> bool:
    provider, colon, model = name.partition(":")
    return bool(colon and provider.strip() and model.strip())


def _from(source: Source) -> Policy:
    """The policy of a document of any version up to the newest."""
    version = source.document.get("spec", SPEC_VERSION)
    loader = _LOADERS.get(version) if type(version) is int else None
    if loader is None:
        known = ", ".join(map(str, _LOADERS))
        source.wrong(
            ("spec",), f"is {version!r:.40}; expected one of {known}: upgrade Clew for a newer one"
        )
    return loader(source)


def _version_1(source: Source) -> Policy:
    values = {name: value for name, value in source.document.items() if name != "spec"}
    added = values.pop("kinds", None)
    policy = source.built(Policy, values, ())
    return policy if added is None else dataclasses.replace(policy, kinds=_kinds(source, added))


def _kinds(source: Source, rows: Any) -> KindTable:
    if not isinstance(rows, list):
        source.wrong(("kinds",), "is no list; expected [[kinds]]")
    table = KindTable(BUILT_IN)
    for place, row in enumerate(rows):
        path = ("kinds", place)
        kind = source.built(Kind, row, path)
        try:
            table = table.extended([kind])
        except PolicyError as error:
            source.wrong((*path, "letter"), f"cannot be added: {error.problem}")
    return table


_LOADERS: Mapping[int, Callable[[Source], Policy]] = {1: _version_1}


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_none(inner) for inner in value]
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, KindTable):
        return [_plain(kind) for kind in value.kinds]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, StrEnum) else value
