"""The handoff document: a value, and the markdown that it is written to and read from."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.document.front import read_front, written_front
from clew.document.reconcile import Baseline, baseline_of
from clew.document.views import CHECKLIST, PINS, VIEWS, Step, view_lines
from clew.errors import HandoffError, RecordError
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.markdown import record_from_markdown, record_to_markdown
from clew.record.plain_lines import read_line, written_lines
from clew.record.record import HandoffRecord
from clew.transcript.digest import digest_of

HANDOFF_VERSION = 1
RECORD_TITLE = "# Handoff record"
_INTRODUCTION = (
    "# Hand-over",
    "",
    "<!-- To change anything, edit the record, the pinned texts or the checklist; an entry called",
    "     `new` gets its id by itself. The other sections are computed. The goal changes only when",
    "     `amended_by` in the front matter names who amended it. -->",
)
_TEXTS = ("session", "store", "format", "policy", "checkpoint", "created_by", "created_at",
          "amended_by")  # fmt: skip
_NUMBERS = ("position", "tokens_used", "tokens_budget")
_BASELINE = re.compile(r"\s*<!-- as handed off: (\{.*\}) -->\s*")
_STEP = re.compile(r"\s*[-*]\s+\[([ xX])\]\s+(.*?)\s*")
_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffDocument:
    """Everything a fresh run needs to go on.

    `position` is how many messages the run had, so that handles are never given twice;
    `tokens_used` and `tokens_budget` are of its last context. `baseline` holds the digests of what
    was handed off, so that a later change shows; None when a person deleted it. `amended_by` names
    who changed the goal on purpose. `created_at` is a time only when the caller passed one in.
    """

    record: HandoffRecord
    session: str = ""
    store: str = ""
    format: str = ""
    policy: str = ""
    checkpoint: str = ""
    position: int = 0
    tokens_used: int = 0
    tokens_budget: int = 0
    created_by: str = ""
    created_at: str = ""
    amended_by: str = ""
    pins: tuple[str, ...] = ()
    checklist: tuple[Step, ...] = ()
    baseline: Baseline | None = None
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)

    @property
    def goal(self) -> str:
        """The goal, byte for byte."""
        return self.record.goal

    def line_of(self, heading: str) -> int | None:
        """The line (1-based) of a heading in the file that this was read from."""
        return dict(self.lines).get(heading)


# ---- writing --------------------------------------------------------------------------------


def write_handoff(document: HandoffDocument, *, kinds: KindTable = DEFAULT_KINDS) -> str:
    """The markdown of a document; `read_handoff` reads exactly this document from it."""
    record = document.record
    baseline = document.baseline or baseline_of(record, document.pins, document.checklist)
    numbers = {name: getattr(document, name) for name in _NUMBERS}
    front = {
        "clew": "handoff",
        "version": str(HANDOFF_VERSION),
        **{name: str(getattr(document, name)) for name in _TEXTS},
        **{name: str(number) for name, number in numbers.items()},
        "goal_sha256": baseline.goal,
    }
    out = [*written_front(front), "", *_INTRODUCTION, "", f"## {CHECKLIST}", ""]
    out += [_step_line(step) for step in document.checklist]
    out += ["", f"## {PINS}", ""]
    for pin in document.pins:
        first, *others = written_lines(pin)
        out += [f"- pin: {first}".rstrip(), *(f"  > {line}".rstrip() for line in others)]
    views = view_lines(record, _budget(document))
    for heading, lines in views.items():
        out += ["", f"## {heading}", "", *lines]
    books = baseline.to_json()
    books["views"] = {heading: _view_digest(lines) for heading, lines in views.items()}
    out += ["", record_to_markdown(record, kinds=kinds)]
    out += [f"<!-- as handed off: {json.dumps(books, ensure_ascii=True)} -->", ""]
    return "\n".join(out)


def _budget(document: HandoffDocument) -> tuple[tuple[str, int], ...]:
    return (("used", document.tokens_used), ("budget", document.tokens_budget))


def _step_line(step: Step) -> str:
    text = "\\u{a}".join(written_lines(step.text))
    return f"- [{'x' if step.done else ' '}] {text}".rstrip()


def _view_digest(lines: Sequence[str]) -> str:
    kept = [line.rstrip() for line in lines if line.strip()]
    return digest_of(kept)[:16]


# ---- reading --------------------------------------------------------------------------------


def read_handoff(text: str, *, kinds: KindTable = DEFAULT_KINDS) -> HandoffDocument:
    """Read a document, as written or as a person changed it.

    Raises HandoffError with the line (1-based) and what was expected there.
    """
    # Blanks at the end of a line are written escaped, so those that stand there are an editor's.
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = [line.rstrip() for line in plain.split("\n")]
    front, taken = read_front(lines)
    if front.get("clew") != "handoff":
        raise HandoffError("the front matter does not say `clew: handoff`", line=1)
    version = _number(front, "version")
    if version != HANDOFF_VERSION:
        raise HandoffError(f"version {version} is not {HANDOFF_VERSION}; upgrade Clew", line=1)
    start = next((n for n in range(taken, len(lines)) if lines[n].strip() == RECORD_TITLE), None)
    if start is None:
        raise HandoffError(f"there is no line {RECORD_TITLE!r}", line=len(lines))
    # Headings that the record quotes stand behind `>`; only those of the document begin a line.
    headings = [(line[3:].strip(), n) for n, line in enumerate(lines, 1) if line.startswith("## ")]
    baseline, views = _baseline(lines[start:])
    sections = _sections(lines[:start], taken)
    _check_views(sections, views)
    return HandoffDocument(
        record=_record(lines, start, kinds),
        pins=_pins(*sections.get(PINS, (0, []))),
        checklist=_steps(*sections.get(CHECKLIST, (0, []))),
        baseline=baseline,
        lines=tuple(headings),
        position=_number(front, "position"),
        tokens_used=_number(front, "tokens_used"),
        tokens_budget=_number(front, "tokens_budget"),
        session=front.get("session", ""),
        store=front.get("store", ""),
        format=front.get("format", ""),
        policy=front.get("policy", ""),
        checkpoint=front.get("checkpoint", ""),
        created_by=front.get("created_by", ""),
        created_at=front.get("created_at", ""),
        amended_by=front.get("amended_by", ""),
    )


def _number(front: dict[str, str], name: str) -> int:
    value = front.get(name, "0")
    if not re.fullmatch(r"[0-9]{1,15}", value):
        raise HandoffError(f"{name} in the front matter is no whole number: {value!r:.40}", line=1)
    return int(value)


def _record(lines: Sequence[str], start: int, kinds: KindTable) -> HandoffRecord:
    try:
        # Blank lines in place of what stands above keep the line numbers of errors true.
        return record_from_markdown("\n".join([""] * start + list(lines[start:])), kinds=kinds)
    except RecordError as error:
        if match := _LINE.fullmatch(str(error)):
            raise HandoffError(match[2], line=int(match[1])) from error
        raise HandoffError(str(error)) from error


def _baseline(lines: Sequence[str]) -> tuple[Baseline | None, dict[str, str]]:
    for line in reversed(lines):
        if match := _BASELINE.fullmatch(line):
            try:
                books = json.loads(match[1])
                views = {str(k): str(v) for k, v in books.pop("views").items()}
                return Baseline.from_json(books), views
            except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
                return None, {}
    return None, {}


def _sections(lines: Sequence[str], taken: int) -> dict[str, tuple[int, list[str]]]:
    """The lines below each heading of the overview, with the line number of the heading."""
    sections: dict[str, tuple[int, list[str]]] = {}
    current: list[str] | None = None
    commented = False
    for number, line in enumerate(lines[taken:], start=taken + 1):
        if line.startswith("## "):
            heading = line[3:].strip()
            if heading not in (CHECKLIST, PINS, *VIEWS) or heading in sections:
                raise HandoffError(f"no section of its own is called {heading!r}", line=number)
            current = []
            sections[heading] = (number, current)
        elif current is not None:
            current.append(line)
        elif line.strip() and line.strip() != "# Hand-over" and not commented:
            if not line.lstrip().startswith("<!--"):
                raise HandoffError(f"a text that belongs nowhere: {line!r:.60}", line=number)
            commented = "-->" not in line
        elif commented:
            commented = "-->" not in line
    return sections


def _check_views(sections: dict[str, tuple[int, list[str]]], views: dict[str, str]) -> None:
    """A change to a computed section would be lost in silence, so it is refused with its place."""
    for heading, digest in views.items():
        if heading in sections:
            number, lines = sections[heading]
            if _view_digest(lines) != digest:
                raise HandoffError(
                    f"the section {heading!r} is computed from the record; make the change there",
                    line=number,
                )


def _pins(number: int, lines: Sequence[str]) -> tuple[str, ...]:
    pins: list[list[str]] = []
    for at, line in enumerate(lines, start=number + 1):
        if line.startswith("- pin:"):
            pins.append([line.removeprefix("- pin:").removeprefix(" ")])
        elif line.startswith("  >") and pins:
            pins[-1].append(line.removeprefix("  >").removeprefix(" "))
        elif line.strip():
            raise HandoffError(f"expected `- pin: text` or `  > more`: {line!r:.60}", line=at)
    return tuple("\n".join(map(read_line, pin)) for pin in pins)


def _steps(number: int, lines: Sequence[str]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for at, line in enumerate(lines, start=number + 1):
        if match := _STEP.fullmatch(line):
            steps.append(Step(text=read_line(match[2]), done=match[1] != " "))
        elif line.strip():
            raise HandoffError(f"expected `- [ ] what to do`: {line!r:.60}", line=at)
    return tuple(steps)
