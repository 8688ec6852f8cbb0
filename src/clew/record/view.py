"""The record as the agent reads it: data in a fence, under a token target, nothing cut in half.

What the flag `Item.externalised` says is the outcome of the last rendering; each rendering
chooses afresh, so an item that matters again comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from clew.ports import TokenCounter
from clew.record.counted import CountedOnce
from clew.record.frame import MEASURED_HEADERS, Frame, frame_of, header_of, is_small
from clew.record.hidden import replaced_names, rest_note
from clew.record.index_view import IndexOffers, IndexView
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.record import HandoffRecord
from clew.record.shares import DEFAULT_SHARES, ViewShares
from clew.record.standing import standing
from clew.record.view_lines import Line, Manner, measured, sections_of

_SHORTER_CHARS = (120, 90, 75, 60, 50, 40)
"""How long the short form of a rule of the user may get where a small record is over its target."""
_TRIES = 4
"""How often a record that came out a few tokens too long is written with less room, before rules of
the user get shorter."""
_INDEX_HEADING = "Index of the archive"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedRecord:
    """The text for the context and its books.

    `tokens` counts the whole text. `externalised` are ids of live items that are not shown,
    `one_lined` of those shown in short form. `floor_exceeded`: the protected items alone are over
    the target. `parts` has tokens per section (`header`, each kind, `index`, `next`).
    """

    text: str
    tokens: int
    target_tokens: int
    externalised: tuple[str, ...] = ()
    one_lined: tuple[str, ...] = ()
    floor_exceeded: bool = False
    parts: tuple[tuple[str, int], ...] = ()


def render_record(
    record: HandoffRecord,
    *,
    kinds: KindTable = DEFAULT_KINDS,
    counter: TokenCounter,
    target_tokens: int,
    recall_available: bool = True,
    newest_directive_id: str | None = None,
    goal_in_head: bool = True,
    newest_in_tail: bool = False,
    shares: ViewShares = DEFAULT_SHARES,
) -> RenderedRecord:
    """Render a record within a token target.

    Protected items are always there, at least as one line with their handle; what else is shown is
    chosen by value per token, and the rest is counted in one line. `newest_directive_id` None
    means the directive that was seen last. `goal_in_head` says that the goal stands verbatim at
    the head of the context, so that only its status is repeated; `newest_in_tail` that the newest
    message of the user stands behind the record, so that a settled one before it may go.
    """
    counter = CountedOnce(counter)
    counter.expect(MEASURED_HEADERS)
    small = is_small(counter, shares.small_share, target_tokens)
    newest = newest_directive_id or _newest_directive(record, live=small and newest_in_tail)
    brief = small or target_tokens < shares.brief_tokens
    most = int(target_tokens * shares.header_share)
    header = header_of(record, counter, recall_available, most, small=small, brief=brief)
    frame = frame_of(record, header, recall_available, goal_in_head, small=small, brief=brief)
    beside = standing(record.items, counter, int(target_tokens * shares.standing_share))
    frame = replace(frame, before=frame.before + beside.text)
    record = replace(record, items=tuple(i for i in record.items if i.id not in beside.shown))
    offers = IndexOffers(record, counter=counter, largest_tokens=target_tokens)
    manner = Manner(kinds=kinds, newest=newest, shares=shares, small=small)
    rendered = _fitted(record, counter, frame, offers, target_tokens, manner)
    for said_chars in _SHORTER_CHARS if small else ():
        if rendered.tokens > target_tokens:
            manner = replace(manner, said_chars=said_chars)
            rendered = _fitted(record, counter, frame, offers, target_tokens, manner)
    return replace(
        rendered,
        target_tokens=target_tokens,
        floor_exceeded=rendered.tokens > target_tokens,
    )


@dataclass(slots=True)
class _Budget:
    """Tokens left for items, and which headings have been paid for."""

    left: int
    headings: set[str] = field(default_factory=set)

    def heading_tokens(self, line: Line, counter: CountedOnce) -> int:
        """Tokens of the headings of a line that nobody has paid for yet."""
        return sum(counter.count_texts([h for h in line.headings if h not in self.headings]))


def _newest_directive(record: HandoffRecord, *, live: bool) -> str:
    # Of those seen at one position the last in id order is the newest.
    directives = [item for item in reversed(record.of_kind("directive")) if item.live or not live]
    newest = max(directives, key=lambda i: i.first_seen, default=None)
    return newest.id if newest else ""


def _fitted(
    record: HandoffRecord,
    counter: CountedOnce,
    frame: Frame,
    offers: IndexOffers,
    target_tokens: int,
    manner: Manner,
) -> RenderedRecord:
    lines = measured(record, manner, counter, target_tokens)
    budget = target_tokens
    rendered = _rendered(record, counter, frame, lines, offers, budget, manner)
    for _ in range(_TRIES):
        over = rendered.tokens - target_tokens
        if over <= 0 or rendered.floor_exceeded:
            break
        # A tokenizer may count joined lines higher than the lines apart.
        budget -= over + 1
        rendered = _rendered(record, counter, frame, lines, offers, budget, manner)
    return rendered


def _rendered(
    record: HandoffRecord,
    counter: CountedOnce,
    frame: Frame,
    lines: list[Line],
    offers: IndexOffers,
    budget_tokens: int,
    manner: Manner,
) -> RenderedRecord:
    shares, small = manner.shares, manner.small
    for line in lines:
        line.chosen, line.chosen_tokens = "", 0
    longest_note = f"{frame.gap}{_rest_note(frame, lines, record, everything=True)}\n"
    above_index = f"{frame.gap}{_INDEX_HEADING}\n"
    headings = [text for line in lines for text in line.headings]
    counter.expect([frame.before, frame.behind, longest_note, above_index, *headings])
    fixed = sum(counter.count_texts([frame.before, frame.behind]))
    heading = counter.count_text(above_index) if offers.tokens else 0
    reserved = counter.count_text(longest_note)
    room = budget_tokens - fixed - heading - reserved
    said = sum(line.full_tokens for line in lines if line.said)
    crowded = small and sum(map(_least, lines)) > room
    for_index = 0 if crowded else min(int(budget_tokens * shares.index_share), offers.tokens)
    for_index = max(
        0, min(for_index, room - said, room - _owed(lines, counter, budget_tokens, shares))
    )
    # Where not even what a person said has room, an index of leftovers takes none from it.
    budget = _Budget(left=room - for_index + (heading if crowded else 0))
    _choose(lines, counter, budget, shares)
    shown = "\n".join(line.chosen for line in lines if line.chosen)
    note = _rest_note(frame, lines, record)
    unused = reserved - counter.count_text(f"{frame.gap}{note}\n")
    names = 0 if crowded else for_index + budget.left + unused
    index = offers.view(names, already_shown=f"{shown}\n{replaced_names(record)}")
    rendered = _assembled(record, counter, frame, lines, note, index)
    return replace(rendered, floor_exceeded=for_index + budget.left < 0)


def _least(line: Line) -> int:
    """Tokens that a line needs when it must be there, or a person said it; else none."""
    if line.protected:
        return line.short_tokens
    return line.full_tokens if line.said else 0


def _owed(lines: list[Line], counter: CountedOnce, budget_tokens: int, shares: ViewShares) -> int:
    """Tokens the index has to leave: protected items, and the facts the agent came back to."""
    protected = sum(line.short_tokens for line in lines if line.protected)
    owing = {h for line in lines if line.protected or line.item.uses for h in line.headings}
    protected += sum(counter.count_texts(sorted(owing)))
    used = sum(
        line.full_tokens
        for line in lines
        if not line.protected and line.item.live and line.item.uses
    )
    return protected + min(used, int(budget_tokens * shares.used_share))


def _choose(lines: list[Line], counter: CountedOnce, budget: _Budget, shares: ViewShares) -> None:
    """Protected items short first, then the best earning per token of what else there is."""
    for line in lines:
        if line.protected:
            budget.left -= line.choose(line.short, line.short_tokens)
            budget.left -= budget.heading_tokens(line, counter)
            budget.headings.update(line.headings)
    offers = [line for line in lines if not line.protected or line.full is not line.short]
    offers.sort(key=lambda line: _density(line, shares), reverse=True)
    for line in offers:
        headings = budget.heading_tokens(line, counter)
        if line.full_tokens - line.chosen_tokens + headings <= budget.left:
            budget.left -= line.choose(line.full, line.full_tokens) + headings
            budget.headings.update(line.headings)


def _density(line: Line, shares: ViewShares) -> tuple[bool, float, int, str]:
    if line.protected:
        gain = line.earning * shares.full / max(line.full_tokens - line.short_tokens, 1)
    else:
        gain = line.earning / max(line.full_tokens, 1)
    first = line.said and not line.protected
    return (first, gain, line.item.last_used, line.item.id)


def _assembled(
    record: HandoffRecord,
    counter: CountedOnce,
    frame: Frame,
    lines: list[Line],
    note: str,
    index: IndexView,
) -> RenderedRecord:
    gap = frame.gap
    sections = [("header", frame.before), *sections_of(lines)]
    if note:
        sections.append(("rest", f"{gap}{note}\n"))
    if index.lines:
        sections.append(("index", f"{gap}{_INDEX_HEADING}\n" + "\n".join(index.lines) + "\n"))
    sections.append(("next", f"{gap}{frame.behind}"))
    text = "".join(part for _, part in sections)
    tokens = counter.count_texts([*(part for _, part in sections), text])
    shown = {line.item.id for line in lines if line.chosen}
    return RenderedRecord(
        text=text,
        tokens=tokens[-1],
        target_tokens=0,
        externalised=tuple(i.id for i in record.items if i.live and i.id not in shown),
        one_lined=tuple(
            line.item.id for line in lines if line.chosen and line.chosen is not line.full
        ),
        parts=tuple((name, n) for (name, _), n in zip(sections, tokens, strict=False)),
    )


def _rest_note(
    frame: Frame, lines: list[Line], record: HandoffRecord, *, everything: bool = False
) -> str:
    """One line that counts what is not shown; `everything` measures the longest it can be."""
    shown = set() if everything else {line.item.id for line in lines if line.chosen}
    hidden = [item for item in record.items if item.id not in shown]
    return rest_note(hidden, recall_available=frame.recall_available, brief=frame.brief)
