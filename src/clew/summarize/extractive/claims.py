"""What one passage of the transcript claims, before it meets the record."""

from __future__ import annotations

from dataclasses import dataclass

from clew.record.claims import one_line
from clew.record.items import Evidence, Item, Rejected, Speaker, Status
from clew.summarize.extractive.reading import Reading, plain_arguments
from clew.summarize.extractive.sentences import topic_words

MOST_QUOTES = 8
"""Quotes behind one claim where several passages say the same."""
_CALL_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An item that is not in the record yet.

    `topics` are the words that tell what it is about; `corrects` that it takes something back;
    `denied` the words it says are wrong now. `rank` orders claims of one kind when there are more
    than the record needs (higher first).
    """

    item: Item
    topics: frozenset[str] = frozenset()
    corrects: bool = False
    denied: frozenset[str] = frozenset()
    rank: float = 0.0

    @property
    def position(self) -> int:
        """Chain position of the exchange that says it."""
        return self.item.first_seen

    def of(self, item: Item) -> Claim:
        """The same claim as another item: a compaction settles and joins many."""
        return Claim(
            item=item,
            topics=self.topics,
            corrects=self.corrects,
            denied=self.denied,
            rank=self.rank,
        )


def claim(
    kind: str,
    quote: str,
    *,
    span: str,
    position: int,
    said_by: Speaker,
    text: str = "",
    status: Status = Status.ACTIVE,
    why: str = "",
    reason: str = "",
    rejected: tuple[Rejected, ...] = (),
    fields: tuple[tuple[str, str], ...] = (),
    evidence: tuple[Evidence, ...] = (),
    corrects: bool = False,
    denied: frozenset[str] = frozenset(),
    rank: float = 0.0,
) -> Claim:
    """A claim whose text is the quote itself unless a text is given.

    A directive is kept with its line ends, any other quote stands in one line.
    """
    item = Item(
        id="",
        kind=kind,
        text=text or (quote if kind == "directive" else one_line(quote)),
        status=status,
        evidence=(Evidence(span=span, quote=quote), *evidence),
        said_by=said_by,
        why=why,
        reason=reason,
        rejected=rejected,
        fields=tuple((name, value) for name, value in fields if value),
        first_seen=position,
        last_used=position,
    )
    return Claim(
        item=item, topics=topic_words(item.text), corrects=corrects, denied=denied, rank=rank
    )


def open_promise(said: str, *, span: str, position: int, rank: float) -> Claim:
    """What the agent said that it would do, as open."""
    return claim(
        "commitment",
        said,
        span=span,
        position=position,
        said_by=Speaker.AGENT,
        status=Status.OPEN,
        rank=rank,
    )


def failed_way(said: str, *, span: str, position: int, rank: float) -> Claim:
    """What the agent said that did not work, or that it turned down."""
    return claim("dead_end", said, span=span, position=position, said_by=Speaker.AGENT, rank=rank)


def settled(made: Claim, status: Status, reason: str, evidence: Evidence | None) -> Claim:
    """The claim as already settled, with what settled it."""
    more = (evidence,) if evidence is not None else ()
    item = made.item.changed(status=status, reason=reason, evidence=(*made.item.evidence, *more))
    return made.of(item)


def resting_on(made: Claim, other: Claim, *, most: int = MOST_QUOTES) -> Claim:
    """The claim with the quotes of one that says the same behind its own, a few in all."""
    more = tuple(e for e in other.item.evidence if e not in made.item.evidence)
    evidence = (*made.item.evidence, *more)[:most]
    return made.of(made.item.changed(evidence=evidence))


def call_of(reading: Reading) -> Evidence:
    """The exchange with the first line of its last call, word for word."""
    for call in reversed(reading.calls):
        said = (call.command or call.resource).strip().partition("\n")[0][:_CALL_CHARS].rstrip()
        if said and any(said in plain_arguments(sent) for sent in reading.arguments):
            return Evidence(span=reading.handle, quote=said)
    return Evidence(span=reading.handle)
