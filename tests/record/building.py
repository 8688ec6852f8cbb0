"""Values for the record's tests: short builders, a counter, Hypothesis strategies."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from clew.record import (
    Add,
    Close,
    Delta,
    Evidence,
    HandoffRecord,
    IndexEntry,
    Item,
    Mention,
    Operation,
    Proposer,
    Rejected,
    Revise,
    SetNext,
    Speaker,
    Status,
    Supersede,
    apply_delta,
)
from clew.record.kinds import DEFAULT_KINDS


class FourChars:
    """Counts a token for every four characters begun."""

    name = "four-chars"
    exact = False

    def count_text(self, text: str) -> int:
        return -(-len(text) // 4)

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        return [self.count_text(text) for text in texts]


COUNTER = FourChars()


def quoted(span: str, quote: str = "seen there") -> tuple[Evidence, ...]:
    return (Evidence(span=span, quote=quote),)


def new(kind: str, text: str, *, span: str = "S-1", said_by: Speaker = Speaker.AGENT,
        status: Status = Status.ACTIVE, **fields: str) -> Item:  # fmt: skip
    return Item(
        id="", kind=kind, text=text, said_by=said_by, status=status,
        evidence=quoted(span), fields=tuple(fields.items()),
    )  # fmt: skip


def directive(text: str, *, span: str = "S-1", status: Status = Status.OPEN) -> Item:
    return new("directive", text, span=span, said_by=Speaker.USER, status=status)


def applied(record: HandoffRecord, *operations: Operation, by: Proposer = Proposer.OFFLINE,
            position: int = 10) -> HandoffRecord:  # fmt: skip
    """The record after operations that all have to be accepted."""
    done = apply_delta(
        record, Delta(operations=operations, proposed_by=by), kinds=DEFAULT_KINDS,
        position=position,
    )  # fmt: skip
    assert done.rejected == ()
    return done.record


def holding(*items: Item, goal: str = "Reconcile the ledgers") -> HandoffRecord:
    return applied(HandoffRecord(goal=goal), *(Add(item=item) for item in items))


# ---- strategies -----------------------------------------------------------------------------

TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=30),
    st.lists(
        st.sampled_from(
            ["a", " ", "\n", "\r\n", "\t", "`", "```", "# x", "## Goal", "- D-1: x", "> q",
             "<!-- c -->", "S-41", "\\u{41}", "\\u{", "\ud800", "\u2028", "\x00", "|", ":",
             "  - why: y", "\x85", "\ufeff", "</clew-record>", "* b", "1. n", "—", "é", "\\"]
        ),
        max_size=8,
    ).map("".join),
)  # fmt: skip

EVIDENCE = st.builds(Evidence, span=st.one_of(st.just("S-4"), TEXTS), quote=TEXTS)
NUMBERS = st.integers(min_value=0, max_value=10**6)
WEIGHTS = st.floats(allow_nan=False, allow_infinity=False)


def _items(number: int) -> st.SearchStrategy[Item]:
    kinds = st.sampled_from([*DEFAULT_KINDS.kinds, None])
    return kinds.flatmap(
        lambda kind: st.builds(
            Item,
            id=st.just(f"{kind.letter if kind else 'Z'}-{number + 1}"),
            kind=st.just(kind.name if kind else "approval"),
            text=TEXTS,
            status=st.sampled_from(Status),
            evidence=st.lists(EVIDENCE, max_size=3).map(tuple),
            said_by=st.sampled_from(Speaker),
            why=TEXTS,
            rejected=st.lists(st.builds(Rejected, option=TEXTS, why=TEXTS), max_size=2).map(tuple),
            fields=st.lists(
                st.tuples(st.one_of(st.sampled_from(["key", "error", "why", "x y"]), TEXTS), TEXTS),
                max_size=3,
            ).map(tuple),
            proposed_by=st.sampled_from(Proposer),
            verified=st.booleans(),
            externalised=st.booleans(),
            superseded_by=st.one_of(st.just(""), st.just("D-1"), TEXTS),
            reason=TEXTS,
            uses=NUMBERS,
            first_seen=NUMBERS,
            last_used=NUMBERS,
            value=WEIGHTS,
        )
    )


ITEMS = st.integers(min_value=0, max_value=4).flatmap(
    lambda n: st.tuples(*(_items(place) for place in range(n)))
)

RECORDS = st.builds(
    HandoffRecord,
    goal=TEXTS,
    goal_status=st.sampled_from(["open", "done"]),
    items=ITEMS,
    next=TEXTS,
    next_evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
    index=st.lists(
        st.builds(
            IndexEntry, handle=st.just("S-3"), label=TEXTS,
            identifiers=st.lists(TEXTS, max_size=3).map(tuple), weight=WEIGHTS, position=NUMBERS,
        ),
        max_size=2,
    ).map(tuple),
    mentions=st.lists(
        st.builds(
            Mention, name=TEXTS, agent_uses=NUMBERS, tool_uses=NUMBERS, user_uses=NUMBERS,
            first=NUMBERS, last=NUMBERS, spans=st.lists(TEXTS, max_size=2).map(tuple),
            weight=WEIGHTS,
        ),
        max_size=2,
    ).map(tuple),
    counters=st.dictionaries(st.sampled_from("DUXFE"), NUMBERS, max_size=3).map(
        lambda counts: tuple(counts.items())
    ),
    revision=NUMBERS,
)  # fmt: skip

_IDS = st.sampled_from(["D-1", "D-2", "U-1", "Q-1", "R-1", "C-1", "E-1", "F-1", "S-999", ""])
_NEW = st.builds(
    Item,
    id=st.sampled_from(["", "D-1", "local"]),
    kind=st.sampled_from([*DEFAULT_KINDS.names(), "goal", "next", "nonsense"]),
    text=st.sampled_from(["", "use port 5433", "Use port 5433.", "keep raw SQL", "ship it"]),
    status=st.sampled_from(Status),
    evidence=st.sampled_from([(), quoted("S-1"), quoted("S-2", "")]),
    said_by=st.sampled_from(Speaker),
    fields=st.sampled_from(
        [(), (("key", "port"), ("value", "1")), (("key", "port"), ("value", "2")),
         (("action", "git push"),)]
    ),
)  # fmt: skip

OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Add, item=_NEW),
    st.builds(Supersede, ids=st.lists(_IDS, max_size=2).map(tuple), item=_NEW),
    st.builds(Revise, id=_IDS, text=TEXTS, evidence=st.sampled_from([(), quoted("S-3")])),
    st.builds(
        Close, id=_IDS, status=st.sampled_from(Status), reason=st.sampled_from(["", "done"]),
        evidence=st.sampled_from([(), quoted("S-3")]),
    ),
    st.builds(SetNext, text=TEXTS),
)  # fmt: skip

DELTAS = st.builds(
    Delta,
    operations=st.lists(OPERATIONS, max_size=12).map(tuple),
    proposed_by=st.sampled_from(Proposer),
)
