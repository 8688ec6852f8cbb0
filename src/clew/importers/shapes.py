"""Safe looks into JSON that strangers wrote, and what every importer counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from clew.importers.source import Source


def mapping(value: object) -> Mapping[str, Any]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def string(value: object) -> str:
    """The value when it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int:
    """The value as a number of tokens; 0 when it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if value == value and abs(value) < 1e15 else 0


def json_text(value: object) -> str:
    """The JSON text of arguments; a text stays as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def plain_text(content: object) -> str:
    """The text of a content that is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return string(content.get("text"))
    texts = [
        block if isinstance(block, str) else string(mapping(block).get("text"))
        for block in sequence(content)
    ]
    return "\n".join(text for text in texts if text)


class Ledger:
    """Counts what an importer leaves out, so that nothing is dropped in silence.

    `lines`: the source is read line by line, so that its malformed lines count.
    """

    def __init__(self, source: Source, *, lines: bool = True) -> None:
        self._malformed = source.malformed if lines and source.is_lines else ()
        self.counts: Counter[str] = Counter()
        self.notes: list[str] = []

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Note that something was not taken over."""
        self.counts[kind] += count

    def note(self, sentence: str) -> None:
        """Add one sentence to the warnings, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def left_out(self) -> tuple[tuple[str, int], ...]:
        """What was left out, most frequent first."""
        counts = Counter(self.counts)
        if self._malformed:
            counts["malformed lines"] += len(self._malformed)
        return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each thing that a reader should know."""
        sentences: list[str] = []
        malformed = self._malformed
        if malformed:
            shown = ", ".join(map(str, malformed[:8])) + (" …" if len(malformed) > 8 else "")
            many = "line" if len(malformed) == 1 else "lines"
            sentences.append(
                f"{len(malformed)} malformed {many} skipped (line {shown}): not a JSON object"
            )
        sentences.extend(f"left out {count} × {kind}" for kind, count in self._kinds())
        return (*sentences, *self.notes)

    def _kinds(self) -> list[tuple[str, int]]:
        return sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))
