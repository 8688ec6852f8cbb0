"""The items of a record as lines: in short and in full, what they take and what they earn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log1p

from clew.ports import TokenCounter
from clew.record.aside import SET_ASIDE
from clew.record.grouped import SAID_HEADING, label_heading, labelled, shared_labels
from clew.record.items import Item, Speaker
from clew.record.kinds import Kind, KindTable
from clew.record.lines import (
    ONE_LINE_CHARS,
    ends_block,
    full_line,
    is_plain_word,
    short_line,
    verbatim_block,
)
from clew.record.record import HandoffRecord
from clew.record.shares import ViewShares

_SHORTEST_LINE_CHARS = 90


@dataclass(slots=True)
class Line:
    """An item with its short and its full form, tokens, earnings, and what was chosen.

    `headings` are the lines above it, each shown once; `place` sorts the lines under them.
    """

    item: Item
    kind: Kind
    protected: bool
    short: str
    full: str
    headings: tuple[str, ...]
    place: tuple[int, int]
    short_tokens: int = 0
    full_tokens: int = 0
    earning: float = 0.0
    chosen: str = ""
    chosen_tokens: int = 0

    @property
    def said(self) -> bool:
        """Whether a person said it, and it still holds."""
        return self.item.live and self.item.said_by is Speaker.USER

    def choose(self, text: str, tokens: int) -> int:
        """Show this form; returns the tokens that it adds."""
        added = tokens - self.chosen_tokens
        self.chosen, self.chosen_tokens = text, tokens
        return added


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What the lines of one rendering have in common.

    A `small` record says once who said what, and once the label (`labels`, numbered) that several
    statements open with. `line_chars` is the length of a short form, `said_chars` that of one of a
    person's words. `newest` is the id of the directive that is shown whole.
    """

    kinds: KindTable
    newest: str
    shares: ViewShares
    small: bool
    said_chars: int = ONE_LINE_CHARS
    line_chars: int = ONE_LINE_CHARS
    labels: Mapping[str, int] = field(default_factory=dict)


def measured(
    record: HandoffRecord, manner: Manner, counter: TokenCounter, target_tokens: int
) -> list[Line]:
    """The lines of the items that may be shown, with their tokens."""
    shares, newest = manner.shares, manner.newest
    chars = int(4 * shares.line_share * target_tokens)
    items = _shown_candidates(record, newest, shares)
    plain = [i for i in items if manner.small and is_plain_word(i, manner.kinds.of(i.kind))]
    manner = replace(
        manner,
        line_chars=max(_SHORTEST_LINE_CHARS, min(ONE_LINE_CHARS, chars)),
        labels=shared_labels(plain),
    )
    lines = [_line(item, manner) for item in items]
    counts = counter.count_texts(
        [text for line in lines for text in (line.short + "\n", line.full + "\n")]
    )
    for place, line in enumerate(lines):
        line.short_tokens, line.full_tokens = counts[2 * place], counts[2 * place + 1]
        if line.item.id == newest:
            huge = max(shares.huge_tokens, int(shares.huge_share * target_tokens))
            if line.full_tokens > huge:
                line.full = ends_block(line.item)
                line.full_tokens = counter.count_text(line.full + "\n")
            line.short, line.short_tokens = line.full, line.full_tokens
        elif line.full_tokens <= line.short_tokens:
            line.short, line.short_tokens = line.full, line.full_tokens
    return lines


def _line(item: Item, manner: Manner) -> Line:
    kind, shares = manner.kinds.of(item.kind), manner.shares
    # What another policy protected, and for what one thing it counts, is not known here.
    stray = manner.kinds.get(item.kind) is None
    earning = kind.weight * (item.value + shares.base + shares.use * log1p(item.uses))
    protected = ((kind.protected or stray) and item.live) or item.id == manner.newest
    earning = earning if item.live else earning * shares.settled
    if manner.small and is_plain_word(item, kind):
        return _plain_line(item, kind, manner, protected=protected, earning=earning)
    by_user = item.said_by is Speaker.USER
    places = not (manner.small and by_user)
    most = manner.said_chars if by_user else manner.line_chars
    verbatim = item.kind == "directive" and "\n" in item.text
    full = verbatim_block(item) if verbatim else full_line(item, kind, places=places)
    order = manner.kinds.names()
    return Line(
        item=item,
        kind=kind,
        protected=protected,
        short=short_line(item, most, kind=kind, places=places) if kind.protected else full,
        full=full,
        headings=(heading_of(kind, small=manner.small),),
        place=(order.index(kind.name) + 1 if kind.name in order else len(order) + 1, 0),
        earning=earning,
    )


def _plain_line(item: Item, kind: Kind, manner: Manner, *, protected: bool, earning: float) -> Line:
    """A statement of a person under the heading that says so, and under its label if it shares."""
    parts = labelled(item.text)
    number = 0 if item.field("key") or kind.line else manner.labels.get(parts.label, 0)
    said = replace(item, text=parts.text) if number else item
    full = full_line(said, kind, places=False, marked=False)
    short = short_line(said, manner.said_chars, kind=kind, places=False, marked=False)
    headings = (SAID_HEADING, label_heading(parts.label)) if number else (SAID_HEADING,)
    return Line(
        item=item,
        kind=kind,
        protected=protected,
        short=short if kind.protected else full,
        full=full,
        headings=headings,
        place=(0, number),
        earning=earning,
    )


def heading_of(kind: Kind, *, small: bool) -> str:
    """The lines above the items of a kind."""
    return f"{kind.heading}\n" if small else f"\n{kind.heading}\n"


def sections_of(lines: Sequence[Line]) -> list[tuple[str, str]]:
    """What was chosen, under its headings: the name and the text of each section, in order."""
    texts: dict[str, str] = {}
    above: set[str] = set()
    for line in sorted((each for each in lines if each.chosen), key=_order):
        name = line.kind.name if line.place[0] else "said"
        fresh = "".join(heading for heading in line.headings if heading not in above)
        above.update(line.headings)
        texts[name] = f"{texts.get(name, '')}{fresh}{line.chosen}\n"
    return list(texts.items())


def _order(line: Line) -> tuple[int, int, str]:
    """Statements of a person by label; then by kind, those that are not in force by name."""
    return (*line.place, line.kind.name if line.place[0] else "")


def _shown_candidates(record: HandoffRecord, newest: str, shares: ViewShares) -> list[Item]:
    """Live items, the newest directive, and the latest settled ones of each kind.

    What was set aside for room takes none again.
    """
    settled: dict[str, list[Item]] = {}
    for item in record.items:
        over = not item.live and not item.superseded_by and item.id != newest
        if over and not item.reason.startswith(SET_ASIDE):
            settled.setdefault(item.kind, []).append(item)
    latest = {
        item.id
        for items in settled.values()
        for item in sorted(items, key=lambda i: i.last_used)[-shares.settled_shown :]
    }
    return [i for i in record.items if i.live or i.id == newest or i.id in latest]
