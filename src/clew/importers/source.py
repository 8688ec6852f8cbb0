"""A file that may hold a recorded session: its text, its JSON document, its JSON lines."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.errors import ImportSourceError
from clew.importers.archive import ZIP_MARK, unpacked

_WANTED = "a recorded session or a JSON list of messages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One JSON object of a JSONL file; `number` is 1-based."""

    number: int
    value: dict[str, Any]


class Source:
    """A readable input. JSON is parsed once, when somebody asks.

    `notes` says in one sentence what could not be read of it, and is empty else.
    """

    def __init__(self, name: str, text: str, *, path: Path | None = None, notes: str = "") -> None:
        self.name = name
        self.text = text
        self.path = path
        self.notes = notes

    @cached_property
    def document(self) -> Any:
        """The whole text as one JSON value; None when it is none."""
        if self.text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
            return None
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @property
    def json_problem(self) -> tuple[int, str] | None:
        """Line (1-based) and reason when the text starts like one JSON document but is none."""
        if self.document is not None or self.text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
            return None
        if len(self.lines) > len(self.malformed):
            return None
        try:
            json.loads(self.text)
        except json.JSONDecodeError as problem:
            return problem.lineno, f"broken JSON: {problem.msg} (column {problem.colno})"
        except RecursionError:
            return 1, "JSON nested too deeply to be read"
        except ValueError as problem:
            return 1, f"JSON that cannot be read ({problem})"
        return None

    @property
    def single_value(self) -> str:
        """What the text is where it is one JSON value, but no list and no object; else empty."""
        try:
            value = json.loads(self.text)
        except (ValueError, RecursionError):
            return ""
        if value is None or isinstance(value, bool):
            return f"JSON that says just {json.dumps(value)}"
        kinds = {str: "a JSON text", int: "a JSON number", float: "a JSON number"}
        return kinds.get(type(value), "")

    @cached_property
    def _parsed(self) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        lines: list[Line] = []
        malformed: list[int] = []
        for number, raw in enumerate(self.text.split("\n"), start=1):
            if not raw.strip():
                continue
            try:
                value = json.loads(raw)
            except (ValueError, RecursionError):
                malformed.append(number)
                continue
            if isinstance(value, dict):
                lines.append(Line(number=number, value=value))
            else:
                malformed.append(number)
        return tuple(lines), tuple(malformed)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that are JSON objects."""
        return self._parsed[0]

    @property
    def malformed(self) -> tuple[int, ...]:
        """Numbers of the lines that are neither blank nor a JSON object, 1-based."""
        return self._parsed[1]

    @property
    def is_lines(self) -> bool:
        """Whether the text reads as JSON lines rather than as one document."""
        return self.document is None and bool(self.lines)

    def problem(self, problem: str, *, line: int | None = None) -> ImportSourceError:
        """An error about this source, to be raised."""
        return ImportSourceError(self.name, problem, line=line)


def open_source(where: str | Path) -> Source:
    """Read a file, a task folder that an agent writes, or standard input (`-`).

    Raises ImportSourceError when there is nothing readable.
    """
    if str(where) == "-":
        if sys.stdin is None:
            raise ImportSourceError("<stdin>", f"closed; expected {_WANTED}")
        text, notes = _decoded("<stdin>", sys.stdin.buffer.read())
        return Source("<stdin>", text, notes=notes)
    path = Path(where)
    name = str(where)
    try:
        if path.is_dir():
            return _folder(path, name)
        raw = path.read_bytes()
        text, notes = (unpacked(name, raw), "") if raw[:4] == ZIP_MARK else _decoded(name, raw)
        return Source(name, text, path=path, notes=notes)
    except OSError as problem:
        reason = problem.strerror or "cannot be read"
        raise ImportSourceError(name, f"{reason}; expected {_WANTED}") from problem


def _decoded(name: str, raw: bytes) -> tuple[str, str]:
    """The text, and what of it is no UTF-8, in one sentence."""
    if not raw.strip():
        raise ImportSourceError(name, f"empty; expected {_WANTED}")
    try:
        return raw.decode("utf-8-sig"), ""
    except UnicodeDecodeError as problem:
        if b"\x00" in raw[:4096]:
            line = raw.count(b"\n", 0, problem.start) + 1
            raise ImportSourceError(
                name, f"binary, not text; expected {_WANTED}", line=line
            ) from problem
        line = raw.count(b"\n", 0, problem.start) + 1
        notes = f"line {line} is not UTF-8; what could not be read there or later became \ufffd"
        return raw.decode("utf-8-sig", errors="replace"), notes


def _folder(path: Path, name: str) -> Source:
    """The conversation inside a folder: a Cline task, or the event files of OpenHands."""
    history = path / "api_conversation_history.json"
    if history.is_file():
        text, notes = _decoded(str(history), history.read_bytes())
        return Source(name, text, path=history, notes=notes)
    events = sorted(path.glob("event-*.json"))
    if not events:
        events = sorted((path / "events").glob("*.json"))
    if not events:
        raise ImportSourceError(
            name,
            "a folder without api_conversation_history.json or event-*.json; expected a file, "
            "a task folder of Cline or an event folder of OpenHands",
        )
    read = [(event, *_decoded(str(event), event.read_bytes())) for event in events]
    lines = [" ".join(text.strip().split("\n")) for _, text, _ in read]
    notes = "; ".join(f"{event.name}: {said}" for event, _, said in read if said)
    return Source(name, "\n".join(lines), path=path, notes=notes)
