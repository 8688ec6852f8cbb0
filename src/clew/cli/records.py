"""Reading a record out of whatever a person names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import RecordError

if TYPE_CHECKING:
    from clew.record.items import Item
    from clew.record.record import HandoffRecord

SOURCE_HELP = (
    "An archive, a handoff document, a work directory, a record as JSON or Markdown, or a recorded "
    "session to play first."
)


def read_record(
    source: str, session: str | None = None, window: str | None = None
) -> HandoffRecord:
    """The record in a source, whatever kind of source it is."""
    from clew.cli.archives import is_store, open_archive
    from clew.document import read_handoff
    from clew.record.markdown import record_from_markdown
    from clew.record.serde import load_record
    from clew.workdir.layout import GOAL

    path = Path(source)
    if source != "-" and "://" not in source and not path.exists():
        expected = SOURCE_HELP[0].lower() + SOURCE_HELP[1:].rstrip(".")
        raise RecordError(f"{source}: no such file or folder; expected {expected}")
    if "://" in source or is_store(path):
        archive = open_archive(source, session)
        archive.store.close()
        return archive.record
    if path.is_dir():
        return _in_folder(path) if (path / GOAL).exists() else _of_folder(source, window)
    if source != "-" and path.is_file():
        text = path.read_text(encoding="utf-8", errors="replace")
        start = text.removeprefix("\ufeff").lstrip()
        if start.startswith("---"):
            return read_handoff(text).record
        if start.startswith("# Handoff record"):
            return record_from_markdown(text)
        if _looks_like_a_record(start):
            return load_record(text)
    return _played(source, window)


def _of_folder(source: str, window: str | None) -> HandoffRecord:
    """The record of a session that was recorded in several files of one folder."""
    from clew.errors import ClewError
    from clew.workdir.layout import GOAL

    try:
        return _played(source, window)
    except RecordError:
        raise
    except ClewError as error:
        lacks = f"{source} is no work directory (it has no {GOAL})"
        raise RecordError(f"{lacks} and no recorded session: {error}") from error


def _in_folder(path: Path) -> HandoffRecord:
    from clew.record.record import HandoffRecord
    from clew.workdir.files import read_plain
    from clew.workdir.layout import FILES, GOAL, NEXT, read_page

    goal = read_plain(path / GOAL)
    if goal is None:
        raise RecordError(f"{path / GOAL} cannot be read")
    items: list[Item] = []
    next_action = ""
    for name in FILES:
        content = read_plain(path / name)
        if content is None:
            continue
        try:
            page = read_page(content.decode("utf-8", "replace"), name)
        except RecordError as error:
            raise RecordError(f"{path / name}: {error}") from error
        items += page.items
        next_action = page.next if name == NEXT else next_action
    return HandoffRecord(goal=goal.decode("utf-8", "replace"), items=tuple(items), next=next_action)


def _looks_like_a_record(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and {"goal", "items", "version"} <= value.keys()


def _played(source: str, window: str | None) -> HandoffRecord:
    from clew.cli.policies import policy_for
    from clew.importers import load_session
    from clew.replay import replay

    result = replay(load_session(source), policy_for(None, window))
    if not result.compactions:
        raise RecordError(
            f"{source} was never compacted at this window, so there is no record; name a smaller "
            f"--window"
        )
    return result.record
