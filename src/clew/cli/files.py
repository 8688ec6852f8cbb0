"""Writing what a command leaves in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Folder:
    """A folder for results, made when it is not there; remembers what was written."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.written: list[Path] = []

    def text(self, name: str, text: str) -> Path:
        """Write a text as UTF-8; half of a surrogate pair is written escaped."""
        path = self.path / name
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        self.written.append(path)
        return path

    def json(self, name: str, document: Any) -> Path:
        """Write a JSON document."""
        return self.text(name, json.dumps(document, ensure_ascii=True, indent=2) + "\n")

    def note(self, *paths: Path) -> None:
        """Remember files that something else wrote here."""
        self.written.extend(paths)
