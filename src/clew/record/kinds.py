"""The kinds of record items: one table that drives prompt, schema, markdown, budget and checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.errors import PolicyError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of item.

    `letter` starts the ids (`R-17`). `heading` is its section in markdown. `required` and
    `optional` name fields beside `text`. `protected`: at least the one-line form is always in
    context. `accountable`: what the middle holds of it must come out of a compaction accounted for.
    `keyed`: a later item with the same key supersedes the earlier one. `weight` is its share in
    value per token against other unprotected kinds.
    """

    name: str
    letter: str
    heading: str
    rule: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    protected: bool = False
    accountable: bool = False
    keyed: bool = False
    weight: float = 1.0


BUILT_IN: tuple[Kind, ...] = (
    Kind(
        name="directive",
        letter="U",
        heading="Directives from the user",
        rule="the user's own later messages, verbatim; open, done, withdrawn or superseded",
        protected=True,
        accountable=True,
        weight=6.0,
    ),
    Kind(
        name="requirement",
        letter="Q",
        heading="Requirements",
        rule="done only with evidence",
        optional=("proof",),
        protected=True,
        weight=4.0,
    ),
    Kind(
        name="invariant",
        letter="R",
        heading="Invariants and rules",
        rule="holds until withdrawn; its claim keeps every qualifier",
        optional=("check", "until"),
        protected=True,
        weight=5.0,
    ),
    Kind(
        name="decision",
        letter="D",
        heading="Decisions",
        rule="a choice with its reason and what was rejected and why",
        protected=True,
        weight=3.0,
    ),
    Kind(
        name="dead_end",
        letter="X",
        heading="Dead ends",
        rule="what failed and the error's decisive line; do not try again unchanged",
        optional=("error", "instead"),
        protected=True,
        accountable=True,
        weight=3.0,
    ),
    Kind(
        name="commitment",
        letter="C",
        heading="Open commitments",
        rule="a promise or to-do item, open until closed with evidence",
        optional=("state",),
        protected=True,
        accountable=True,
        weight=3.0,
    ),
    Kind(
        name="blocker",
        letter="B",
        heading="Blockers and open questions",
        rule="a question and who is awaited",
        optional=("awaited",),
        protected=True,
        accountable=True,
        weight=4.0,
    ),
    Kind(
        name="effect",
        letter="A",
        heading="Side effects",
        rule="already done or of unknown outcome; do not repeat blindly",
        required=("action",),
        optional=("target",),
        protected=True,
        weight=3.0,
    ),
    Kind(
        name="job",
        letter="J",
        heading="Live jobs",
        rule="a process that may still run; a timer running out is no proof that it stopped",
        optional=("handle", "check"),
        protected=True,
        accountable=True,
        weight=4.0,
    ),
    Kind(
        name="fact",
        letter="F",
        heading="Facts",
        rule="qualifiers are part of the claim",
        weight=1.5,
    ),
    Kind(
        name="environment",
        letter="E",
        heading="Environment",
        rule="last write wins; the old value stays in lineage",
        required=("key", "value"),
        keyed=True,
        weight=1.0,
    ),
    Kind(
        name="artifact",
        letter="P",
        heading="Artifacts",
        rule="a pointer, never content",
        optional=("path",),
        keyed=False,
        weight=1.0,
    ),
)


@dataclass(frozen=True, slots=True)
class KindTable:
    """The kinds in force: the built-in ones and what a policy adds."""

    kinds: tuple[Kind, ...] = BUILT_IN
    _by_name: dict[str, Kind] = field(init=False, repr=False, compare=False)
    _by_letter: dict[str, Kind] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name = {kind.name: kind for kind in self.kinds}
        by_letter = {kind.letter: kind for kind in self.kinds}
        if len(by_name) != len(self.kinds) or len(by_letter) != len(self.kinds):
            raise PolicyError("two record kinds share a name or an id letter", where="kinds")
        if reserved := by_letter.keys() & {"S", "N", "G"}:
            raise PolicyError(
                f"the letter {min(reserved)} is taken (S span, N next, G goal)", where="kinds"
            )
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_by_letter", by_letter)

    def extended(self, more: Iterable[Kind]) -> KindTable:
        """This table with kinds added behind the built-in ones."""
        return KindTable((*self.kinds, *more))

    def get(self, name: str) -> Kind | None:
        """The kind of this name, or None."""
        return self._by_name.get(name)

    def by_letter(self, letter: str) -> Kind | None:
        """The kind whose ids start with this letter, or None."""
        return self._by_letter.get(letter)

    def names(self) -> tuple[str, ...]:
        """All names, in the order of the table."""
        return tuple(kind.name for kind in self.kinds)


DEFAULT_KINDS = KindTable()
