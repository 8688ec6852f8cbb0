"""The kinds of record items: one table that drives prompt, schema, markdown, budget and checks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from string import Formatter

from clew.errors import PolicyError

_NAME = re.compile(r"[a-z][a-z_]*")
_TAKEN_NAMES = frozenset({"goal", "next"})
_TAKEN_FIELDS = frozenset(
    {"text", "why", "rejected", "evidence", "kind", "id", "said_by", "status"}
)
_TAKEN_HEADINGS = frozenset({"goal", "next", "bookkeeping"})


class Proof(StrEnum):
    """What a model has to show for a new item of a kind.

    CITED is a span; QUOTE words that stand in it; USER words of the user, TOOL words of a result.
    """

    CITED = "cited"
    QUOTE = "quote"
    USER = "user"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of item.

    `letter` starts the ids (`R-17`). `heading` is its section in markdown. `required` and
    `optional` name fields beside `text`. `protected`: at least the one-line form is always in
    context. `accountable`: what the middle holds of it must come out of a compaction accounted for.
    `keyed`: a later item with the same key supersedes the earlier one. `weight` is its share in
    value per token against other unprotected kinds. `opens`: open until it is closed.

    `evidence` is what a model has to show for a new item. `scope` names the required field that
    says for which one thing an item counts: it is always shown, never changed, and its value has
    to stand in the words that are cited. `used_by` are tools of which a call that names the
    scope uses the item up: code closes it with that call as evidence. `line` is how an item
    reads, with `{text}` and fields in braces; empty means the text with its fields behind it.
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
    opens: bool = False
    evidence: Proof = Proof.CITED
    scope: str = ""
    used_by: tuple[str, ...] = ()
    line: str = ""

    def __post_init__(self) -> None:
        """Refuse a kind that prompt, schema, markdown or checks could not hold."""
        for problem in _problems(self):
            raise PolicyError(problem, where=f"kind {self.name}")

    @property
    def fields(self) -> tuple[str, ...]:
        """The further fields, required ones first."""
        return (*self.required, *self.optional)

    def same_thing(self, one: Iterable[tuple[str, str]], other: Iterable[tuple[str, str]]) -> bool:
        """Whether two items with these fields speak of one thing: required fields are equal."""
        mine, theirs = dict(one), dict(other)
        return all(mine.get(name, "") == theirs.get(name, "") for name in self.required)


def _problems(kind: Kind) -> Iterable[str]:
    if not _NAME.fullmatch(kind.name) or kind.name in _TAKEN_NAMES:
        yield f"name {kind.name!r} is not lower-case letters and _, or is goal or next"
    if not re.fullmatch("[A-Z]", kind.letter):
        yield f"letter {kind.letter!r} is not one letter from A to Z"
    for name in ("heading", "rule"):
        written = getattr(kind, name)
        if not written.strip() or len(written.splitlines()) > 1:
            yield f"{name} {written!r:.40} is not one line of text"
    if kind.heading.strip().lower() in _TAKEN_HEADINGS:
        yield f"heading {kind.heading!r} is a section that every record has"
    yield from _field_problems(kind)
    if not isfinite(kind.weight) or kind.weight < 0:
        yield f"weight is {kind.weight}; expected a number from 0 up"
    yield from _line_problems(kind)


def _field_problems(kind: Kind) -> Iterable[str]:
    for name in kind.fields:
        if not _NAME.fullmatch(name) or name in _TAKEN_FIELDS:
            taken = " or ".join(sorted(_TAKEN_FIELDS))
            where = "required" if name in kind.required else "optional"
            yield f"{where} names {name!r}, which is not lower-case letters and _, or is {taken}"
    if len(set(kind.fields)) < len(kind.fields):
        yield "a field stands twice in required and optional"
    if kind.keyed and "key" not in kind.required:
        yield "keyed needs `key` among the required fields"
    if kind.scope and kind.scope not in kind.required:
        yield f"scope {kind.scope!r} is not among the required fields"
    if kind.used_by and not kind.scope:
        yield "used_by needs a scope: the field that a call has to name"


def _line_problems(kind: Kind) -> Iterable[str]:
    if not kind.line:
        return
    try:
        pieces = list(Formatter().parse(kind.line))
    except ValueError as error:
        yield f"line {kind.line!r:.40} has a brace that is not closed ({error})"
        return
    if len(kind.line.splitlines()) > 1:
        yield f"line {kind.line!r:.40} is not one line of text"
    named = [name for _, name, _, _ in pieces if name is not None]
    if any(form or change for _, _, form, change in pieces):
        yield "line takes plain names in braces"
    if "text" not in named:
        yield "line needs {text}"
    if unknown := sorted(set(named) - {"text", *kind.fields}):
        known = ", ".join(("text", *kind.fields))
        yield f"line names {', '.join(unknown)}; the kind has {known}"


BUILT_IN: tuple[Kind, ...] = (
    Kind(
        name="directive",
        letter="U",
        heading="Directives from the user",
        rule="the user's own later messages, verbatim; open, done, withdrawn or superseded",
        protected=True,
        accountable=True,
        opens=True,
        weight=6.0,
    ),
    Kind(
        name="requirement",
        letter="Q",
        heading="Requirements",
        rule="done only with evidence",
        optional=("proof",),
        protected=True,
        opens=True,
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
        opens=True,
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
        opens=True,
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
            kind, other = next(
                (kind, other) for place, kind in enumerate(self.kinds)
                for other in self.kinds[:place]
                if kind.name == other.name or kind.letter == other.letter
            )  # fmt: skip
            problem = (
                f"{kind.name} {kind.letter} shares its name or its id letter with {other.name} "
                f"{other.letter}"
            )
            raise PolicyError(problem, where="kinds")
        if reserved := by_letter.keys() & {"S", "N", "G"}:
            raise PolicyError(
                f"the letter {min(reserved)} is taken (S span, N next, G goal)", where="kinds"
            )
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_by_letter", by_letter)

    def of(self, item_kind: str) -> Kind:
        """The kind of this name, or a stand-in for one that is not in force."""
        return self._by_name.get(item_kind) or foreign(item_kind)

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
        return tuple(self._by_name)


def foreign(name: str) -> Kind:
    """A stand-in for a kind that another policy had, so that its items stay readable."""
    words = "_".join(re.findall("[a-z]+", name.lower())) or "other"
    named = "other" if words in _TAKEN_NAMES else words
    return Kind(
        name=named,
        letter="Z",
        heading=f"Of a kind that is not in force: {named.replace('_', ' ')}",
        rule="kept as another policy made it",
    )


DEFAULT_KINDS = KindTable()
