"""One item as one line of readable text, in full and shortened."""

from __future__ import annotations

import re

from clew.record.aside import is_set_aside, reason_left
from clew.record.claims import one_line, shortened
from clew.record.fence import neutral, neutral_block
from clew.record.items import Item, Speaker, Status
from clew.record.kinds import BUILT_IN, Kind

ONE_LINE_CHARS = 160
"""Length of the shortened form of a protected item."""

DIRECTIVE_ENDS_CHARS = 600
"""How much of the head and of the tail of a huge directive is shown."""

_OPEN_KINDS = frozenset(kind.name for kind in BUILT_IN if kind.opens)
_PLAN_WORDS = {"open": "open", "active": "in progress", "done": "done", "dropped": "dropped"}
"""What the mark of an entry of the agent's plan says, also where its fields are not shown."""
_SPAN_LIMIT = 3
_SAYS_NO_MORE = frozenset(
    {"the agent reported back", "the agent answered", "the agent went on", "the plan says done"}
)
"""Reasons that the status in the mark says already."""

_BRACKETS = str.maketrans("[]", "()")
"""A field inside the mark must not end the mark."""

_LED_TO = " → "
"""Stands between a call that failed and the reason."""
_WORD_START = re.compile(r"[\s/\\]")
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def full_line(
    item: Item, kind: Kind | None = None, *, places: bool = True, marked: bool = True
) -> str:
    """The whole claim: who said it, why, what was rejected, further fields, where it stands.

    Without `places` the spans are left out: the id of the item leads to them. A line that is not
    `marked` stands under a heading that says who said it.
    `kind` brings the wording and the scope that a policy gave a kind of its own.
    """
    claim = _claim(item, kind)
    why = f" — why: {one_line(item.why)}" if _adds(item, item.why) else ""
    rejected = "; ".join(
        one_line(r.option) + (f" ({one_line(r.why)})" if r.why.strip() else "")
        for r in item.rejected
        if _adds(item, r.option) or r.why.strip()
    )
    rejected = f" — rejected: {rejected}" if rejected else ""
    left = reason_left(item)
    tells = left.strip() and not item.live and left not in _SAYS_NO_MORE
    reason = f" — {one_line(left)}" if tells else ""
    fields = _fields(item, kind)
    where = _where(item) if places else ""
    mark = _mark(item, kind) if marked else item.id
    return neutral(f"{mark} {claim}{why}{rejected}{fields}{reason}{where}")


def _adds(item: Item, said: str) -> bool:
    """Whether words tell what the text of the item does not hold already."""
    return bool(said.strip()) and said.strip() not in item.text


def short_line(
    item: Item,
    limit_chars: int = ONE_LINE_CHARS,
    *,
    kind: Kind | None = None,
    places: bool = True,
    marked: bool = True,
) -> str:
    """The first sentence or clause of a claim; "…" and the handle say where the rest is."""
    where = _where(item) if places else ""
    mark = _mark(item, kind) if marked else item.id
    worded = item.field("key") or (kind is not None and kind.line)
    text = _claim(item, kind) if worded else item.text
    narrow = text if worded else _both_sides(item, limit_chars)
    part = shortened(narrow, limit_chars)
    less = part.cut or narrow != text
    more = less or _adds(item, item.why) or any(_adds(item, r.option) for r in item.rejected)
    if not more:
        return neutral(f"{mark} {part.text}{where}")
    # The word that a condition begins with says what the handle brings back.
    lost = f"… {part.lost} …" if part.lost else "…"
    end = lost if part.cut else "" if less else where
    if less and marked:
        end = f"{end} (in full: {item.id})"
    return neutral(f"{mark} {part.text}{end}")


def _both_sides(item: Item, limit_chars: int) -> str:
    """The text of a failed call with room for the reason: what was tried takes at most half.

    A path tells most at its end, a command at both ends.
    """
    tried, arrow, error = item.text.partition(_LED_TO)
    most = limit_chars // 2 - len(_LED_TO)
    failed = item.kind == "dead_end" and item.field("error")
    if not failed or not arrow or len(item.text) <= limit_chars or len(tried) <= most:
        return item.text
    head = tried[: most // 3].rpartition(" ")[0]
    tail = tried[len(head) + len(tried) - most + 1 :]
    if (start := _WORD_START.search(tail, 0, len(tail) // 2)) is not None:
        tail = tail[start.start() :]
    return f"{head}…{tail}{arrow}{error}"


def is_plain_word(item: Item, kind: Kind) -> bool:
    """Whether it is a rule or a fact of which the mark says no more than that a person said it."""
    if item.kind not in {"fact", "invariant"} or item.said_by is not Speaker.USER or not item.live:
        return False
    return _mark(item, kind) == f"{item.id} [{Speaker.USER.value}]"


def verbatim_block(item: Item) -> str:
    """A directive as it was written, further lines set in below the first."""
    lines = _LINE_END.split(neutral_block(item.text).strip())
    return neutral(_mark(item)) + " " + "\n    ".join(lines) + neutral(_where(item))


def ends_block(item: Item, limit_chars: int = DIRECTIVE_ENDS_CHARS) -> str:
    """Head and tail of a huge directive, with the handle that brings back all of it."""
    text = one_line(item.text)
    head = text[:limit_chars].rsplit(" ", 1)[0]
    tail = text[-limit_chars:].split(" ", 1)[-1]
    left_out = max(len(text) - len(head) - len(tail), 0)
    return neutral(
        f"{_mark(item)} {head} … ({left_out:,} characters left out; in full: {item.id}) … {tail}"
        f"{_where(item)}"
    )


def status_word(item: Item, kind: Kind | None = None) -> str:
    """The status as it is shown; empty where it goes without saying."""
    match item.status:
        case Status.ACTIVE:
            opens = kind.opens if kind is not None else item.kind in _OPEN_KINDS
            return "open" if opens else ""
        case Status.UNKNOWN:
            return "outcome unknown"
        case Status.CLOSED if is_set_aside(item):
            return "set aside, still holds"
        case Status.SUPERSEDED:
            return f"superseded by {item.superseded_by}" if item.superseded_by else "superseded"
        case _:
            return item.status.value


def _mark(item: Item, kind: Kind | None = None) -> str:
    words = [str(item.said_by)]
    if kind is not None and kind.scope:
        named = one_line(item.field(kind.scope)).translate(_BRACKETS)
        words.append(f"only for {named or 'nothing named'}")
    planned = _PLAN_WORDS.get(item.field("state"), "") if item.live else ""
    if status := planned or status_word(item, kind):
        words.append(status)
    if not item.verified:
        words.append("unverified")
    return f"{item.id} [{', '.join(words)}]"


def _claim(item: Item, kind: Kind | None = None) -> str:
    if kind is not None and kind.line:
        values = {name: one_line(item.field(name)) or "–" for name in kind.fields}
        return one_line(kind.line.format_map({**values, "text": item.text}))
    if not item.fields:
        return one_line(item.text)
    key, value = item.field("key"), item.field("value")
    if key and not (key in item.text and value in item.text):
        claim = f"{key} = {value}"
        text = item.text.strip()
        return f"{claim} ({one_line(text)})" if text and text != key else one_line(claim)
    return one_line(item.text)


def _fields(item: Item, kind: Kind | None = None) -> str:
    if not item.fields:
        return ""
    shown = ""
    said = {"key", "value"}
    if kind is not None:
        said.update(name for name in kind.fields if f"{{{name}}}" in kind.line)
        said.add(kind.scope)
    for name, value in item.fields:
        if name in said or not value.strip() or value in item.text:
            continue
        if name == "state" and value in _PLAN_WORDS:
            continue
        shown += f" — {one_line(name)}: {one_line(value)}"
    return shown


def _where(item: Item) -> str:
    spans = tuple(dict.fromkeys(e.span for e in item.evidence if e.span))
    return f" ({', '.join(spans[-_SPAN_LIMIT:])})" if spans else ""
