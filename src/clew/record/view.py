"""The record as the agent reads it: data in a fence, under a token target, nothing cut in half.

What the flag `Item.externalised` says is the outcome of the last rendering; each rendering
chooses afresh, so an item that matters again comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log1p

from clew.ports import TokenCounter
from clew.record.frame import Frame, frame_of, header_of, is_small
from clew.record.hidden import replaced_names, rest_note
from clew.record.index_view import IndexOffers, IndexView
from clew.record.items import Item, Speaker
from clew.record.kinds import DEFAULT_KINDS, Kind, KindTable
from clew.record.lines import ONE_LINE_CHARS, ends_block, full_line, short_line, verbatim_block
from clew.record.record import HandoffRecord
from clew.record.standing import standing

_SHORTEST_LINE_CHARS = 90
_INDEX_HEADING = "Index of the archive (what stands where)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewShares:
    """Every number that decides how the token target is split.

    `index_share` is the fraction of the target kept for the index; items may use what the index
    leaves and the other way round; what a person said goes before it, and so do unprotected items
    that the agent came back to, up to `used_share`. What is done of the plan, skills in use and
    attached files may take `standing_share`. The short form of a protected item takes about
    `line_share`, at four letters a token, within fixed bounds. A header larger than `header_share`
    is said in few words. A directive is huge above `huge_share` of the target. An item earns
    `weight of its kind * (value + base + use * log(1 + uses))`, a settled one times `settled`.
    `full` is the part of an earning that the full line of a protected item adds to its short one.
    `settled_shown` is how many settled items of a kind may be shown.
    """

    index_share: float = 0.67
    used_share: float = 0.04
    huge_share: float = 0.35
    standing_share: float = 0.08
    line_share: float = 0.027
    header_share: float = 0.10
    small_share: float = 0.15
    huge_tokens: int = 400
    base: float = 0.25
    use: float = 0.25
    settled: float = 0.2
    full: float = 0.5
    settled_shown: int = 3


DEFAULT_SHARES = ViewShares()


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
    shares: ViewShares = DEFAULT_SHARES,
) -> RenderedRecord:
    """Render a record within a token target.

    Protected items are always there, at least as one line with their handle; what else is shown is
    chosen by value per token, and the rest is counted in one line. `newest_directive_id` None
    means the directive that was seen last. `goal_in_head` says that the goal stands verbatim at
    the head of the context, so that only its status is repeated.
    """
    newest = newest_directive_id or _newest_directive(record)
    header = header_of(counter, recall_available, int(target_tokens * shares.header_share))
    frame = frame_of(record, header, recall_available=recall_available, goal_in_head=goal_in_head)
    beside = standing(record.items, counter, int(target_tokens * shares.standing_share))
    frame = replace(frame, before=frame.before + beside.text)
    record = replace(record, items=tuple(i for i in record.items if i.id not in beside.shown))
    small = is_small(counter, shares.small_share, target_tokens)
    lines = _measured(record, kinds, counter, target_tokens, newest, shares, small=small)
    offers = IndexOffers(record, counter=counter, largest_tokens=target_tokens)
    rendered = _rendered(
        record, kinds, counter, frame, lines, offers, target_tokens, shares, small=small
    )
    over = rendered.tokens - target_tokens
    if over > 0 and not rendered.floor_exceeded:
        # A tokenizer may count joined lines higher than the lines apart.
        budget = target_tokens - over - 1
        rendered = _rendered(
            record, kinds, counter, frame, lines, offers, budget, shares, small=small
        )
    return replace(
        rendered,
        target_tokens=target_tokens,
        floor_exceeded=rendered.tokens > target_tokens,
    )


@dataclass(slots=True)
class _Line:
    """An item with its short and its full form, tokens, earnings, and what was chosen."""

    item: Item
    kind: Kind
    protected: bool
    short: str
    full: str
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


@dataclass(slots=True)
class _Budget:
    """Tokens left for items, and which kinds have paid for their heading."""

    left: int
    headings: dict[str, int] = field(default_factory=dict)


def _measured(
    record: HandoffRecord,
    kinds: KindTable,
    counter: TokenCounter,
    target_tokens: int,
    newest: str,
    shares: ViewShares,
    *,
    small: bool,
) -> list[_Line]:
    chars = int(4 * shares.line_share * target_tokens)
    chars = max(_SHORTEST_LINE_CHARS, min(ONE_LINE_CHARS, chars))
    lines = [
        _line(
            item, kinds, newest, shares, chars, places=not (small and item.said_by is Speaker.USER)
        )
        for item in _shown_candidates(record, newest, shares)
    ]
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


def _line(
    item: Item, kinds: KindTable, newest: str, shares: ViewShares, chars: int, *, places: bool
) -> _Line:
    kind = kinds.of(item.kind)
    # What another policy protected, and for what one thing it counts, is not known here.
    stray = kinds.get(item.kind) is None
    verbatim = item.kind == "directive" and "\n" in item.text
    most = ONE_LINE_CHARS if item.said_by is Speaker.USER else chars
    full = verbatim_block(item) if verbatim else full_line(item, kind, places=places)
    earning = kind.weight * (item.value + shares.base + shares.use * log1p(item.uses))
    return _Line(
        item=item,
        kind=kind,
        protected=((kind.protected or stray) and item.live) or item.id == newest,
        short=short_line(item, most, kind=kind, places=places) if kind.protected else full,
        full=full,
        earning=earning if item.live else earning * shares.settled,
    )


def _shown_candidates(record: HandoffRecord, newest: str, shares: ViewShares) -> list[Item]:
    """Live items, the newest directive, and the latest settled ones of each kind."""
    settled: dict[str, list[Item]] = {}
    for item in record.items:
        if not item.live and not item.superseded_by and item.id != newest:
            settled.setdefault(item.kind, []).append(item)
    latest = {
        item.id
        for items in settled.values()
        for item in sorted(items, key=lambda i: i.last_used)[-shares.settled_shown :]
    }
    return [i for i in record.items if i.live or i.id == newest or i.id in latest]


def _newest_directive(record: HandoffRecord) -> str:
    # Of those seen at one position the last in id order is the newest.
    directives = reversed(record.of_kind("directive"))
    newest = max(directives, key=lambda i: i.first_seen, default=None)
    return newest.id if newest else ""


def _rendered(
    record: HandoffRecord,
    kinds: KindTable,
    counter: TokenCounter,
    frame: Frame,
    lines: list[_Line],
    offers: IndexOffers,
    budget_tokens: int,
    shares: ViewShares,
    *,
    small: bool,
) -> RenderedRecord:
    for line in lines:
        line.chosen, line.chosen_tokens = "", 0
    fixed = sum(counter.count_texts([frame.before, frame.behind]))
    longest_note = _rest_note(frame, lines, record, everything=True)
    heading = counter.count_text(f"\n{_INDEX_HEADING}\n") if offers.tokens else 0
    reserved = counter.count_text(f"\n{longest_note}\n")
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
    unused = reserved - counter.count_text(f"\n{_rest_note(frame, lines, record)}\n")
    names = 0 if crowded else for_index + budget.left + unused
    index = offers.view(names, already_shown=f"{shown}\n{replaced_names(record)}")
    rendered = _assembled(record, kinds, counter, frame, lines, index)
    return replace(rendered, floor_exceeded=for_index + budget.left < 0)


def _least(line: _Line) -> int:
    """Tokens that a line needs when it must be there, or a person said it; else none."""
    if line.protected:
        return line.short_tokens
    return line.full_tokens if line.said else 0


def _owed(lines: list[_Line], counter: TokenCounter, budget_tokens: int, shares: ViewShares) -> int:
    """Tokens the index has to leave: protected items, and the facts the agent came back to."""
    protected = sum(line.short_tokens for line in lines if line.protected)
    owing = {line.kind.name: line.kind for line in lines if line.protected or line.item.uses}
    protected += sum(counter.count_texts([_heading(kind) for kind in owing.values()]))
    used = sum(
        line.full_tokens
        for line in lines
        if not line.protected and line.item.live and line.item.uses
    )
    return protected + min(used, int(budget_tokens * shares.used_share))


def _choose(lines: list[_Line], counter: TokenCounter, budget: _Budget, shares: ViewShares) -> None:
    """Protected items short first, then the best earning per token of what else there is."""
    for line in lines:
        if line.protected:
            budget.left -= line.choose(line.short, line.short_tokens)
            budget.left -= _heading_tokens(line, counter, budget)
    offers = [line for line in lines if not line.protected or line.full is not line.short]
    offers.sort(key=lambda line: _density(line, shares), reverse=True)
    for line in offers:
        heading = (
            0 if line.kind.name in budget.headings else counter.count_text(_heading(line.kind))
        )
        if line.full_tokens - line.chosen_tokens + heading <= budget.left:
            budget.left -= line.choose(line.full, line.full_tokens)
            budget.left -= _heading_tokens(line, counter, budget)


def _density(line: _Line, shares: ViewShares) -> tuple[bool, float, int, str]:
    if line.protected:
        gain = line.earning * shares.full / max(line.full_tokens - line.short_tokens, 1)
    else:
        gain = line.earning / max(line.full_tokens, 1)
    first = line.said and not line.protected
    return (first, gain, line.item.last_used, line.item.id)


def _heading(kind: Kind) -> str:
    return f"\n{kind.heading}\n"


def _heading_tokens(line: _Line, counter: TokenCounter, budget: _Budget) -> int:
    name = line.kind.name
    if name in budget.headings:
        return 0
    budget.headings[name] = counter.count_text(_heading(line.kind))
    return budget.headings[name]


def _assembled(
    record: HandoffRecord,
    kinds: KindTable,
    counter: TokenCounter,
    frame: Frame,
    lines: list[_Line],
    index: IndexView,
) -> RenderedRecord:
    sections: list[tuple[str, str]] = [("header", frame.before)]
    by_kind: dict[str, list[str]] = {}
    foreign = {line.kind.name: line.kind for line in lines if not kinds.get(line.kind.name)}
    for line in lines:
        if line.chosen:
            by_kind.setdefault(line.kind.name, []).append(line.chosen)
    for kind in (*kinds.kinds, *foreign.values()):
        if kind.name in by_kind:
            body = "\n".join(by_kind[kind.name])
            sections.append((kind.name, f"{_heading(kind)}{body}\n"))
    if note := _rest_note(frame, lines, record):
        sections.append(("rest", f"\n{note}\n"))
    if index.lines:
        sections.append(("index", f"\n{_INDEX_HEADING}\n" + "\n".join(index.lines) + "\n"))
    sections.append(("next", f"\n{frame.behind}"))
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
    frame: Frame, lines: list[_Line], record: HandoffRecord, *, everything: bool = False
) -> str:
    """One line that counts what is not shown; `everything` measures the longest it can be."""
    shown = set() if everything else {line.item.id for line in lines if line.chosen}
    hidden = [item for item in record.items if item.id not in shown]
    return rest_note(hidden, recall_available=frame.recall_available)
