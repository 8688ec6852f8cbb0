"""Reads a recorded session from a path, a text or standard input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from clew.errors import ImportSourceError
from clew.importers.foreign import foreign_format
from clew.importers.recognise import IMPORTERS, Importer
from clew.importers.session import ImportedSession
from clew.importers.source import Source, open_source

_SHAPE_ERRORS = (
    AttributeError, KeyError, IndexError, TypeError, ValueError, RecursionError,
)  # fmt: skip


def load_session(
    where: str | Path | Source, *, live: bool = False, part: int | None = None
) -> ImportedSession:
    """One session from a file, a task folder or `-`.

    `live`: only what the agent's last own compaction left in context. `part` chooses a session in
    a file of many (0-based); without it the longest is taken and a warning says so.
    Raises ImportSourceError (source, line, what was expected) for anything unreadable.
    """
    sessions = load_sessions(where, live=live)
    if part is not None:
        if not 0 <= part < len(sessions):
            raise ImportSourceError(
                sessions[0].source,
                f"has no session {part}; expected a number from 0 to {len(sessions) - 1}",
            )
        return sessions[part]
    if len(sessions) == 1:
        return sessions[0]
    longest = max(sessions, key=lambda session: len(session.messages))
    note = (
        f"the file holds {len(sessions)} sessions; session {longest.part} is the longest and "
        f"was taken"
    )
    return replace(longest, warnings=(*longest.warnings, note))


def load_sessions(where: str | Path | Source, *, live: bool = False) -> tuple[ImportedSession, ...]:
    """Every session in a file, in its order; never none."""
    source = where if isinstance(where, Source) else open_source(where)
    importer = _importer_of(source)
    if importer is None:
        raise _unknown(source)
    try:
        sessions = importer.read(source, live=live)
    except _SHAPE_ERRORS as problem:
        raise source.problem(
            f"recognised as {importer.family}, but a record in it has a shape that this importer "
            f"does not know ({type(problem).__name__}: {problem})"
        ) from problem
    kept = tuple(session for session in sessions if session.messages)
    if not kept:
        raise source.problem(
            f"recognised as {importer.family}, but it holds no message; expected at least one"
        )
    if source.notes:
        return tuple(replace(each, warnings=(source.notes, *each.warnings)) for each in kept)
    return kept


def parse_session(text: str, *, name: str = "<text>", live: bool = False) -> ImportedSession:
    """One session from a text that is already in memory."""
    return load_session(Source(name, text.removeprefix("\ufeff")), live=live)


def recognise(where: str | Path | Source) -> str:
    """The name of the recorded format. Raises ImportSourceError when nobody knows it."""
    source = where if isinstance(where, Source) else open_source(where)
    importer = _importer_of(source)
    if importer is None:
        raise _unknown(source)
    return importer.family


def _importer_of(source: Source) -> Importer | None:
    for importer in IMPORTERS:
        try:
            if importer.recognises(source):
                return importer
        except _SHAPE_ERRORS:
            continue
    return None


def _unknown(source: Source) -> ImportSourceError:
    if named := foreign_format(source):
        return source.problem(named)
    known = ", ".join(importer.family for importer in IMPORTERS)
    if source.json_problem is not None:
        line, what = source.json_problem
        return source.problem(f"{what}; expected one of: {known}", line=line)
    if value := source.single_value:
        return source.problem(f"{value}, and no list of messages; expected one of: {known}")
    if source.document is None and not source.lines and source.malformed:
        return source.problem(
            f"neither JSON nor a known text format; expected one of: {known}",
            line=source.malformed[0],
        )
    what = _shape(source)
    return source.problem(f"{what}, which no importer knows; expected one of: {known}")


def _shape(source: Source) -> str:
    """What the content looks like, for the error."""
    document = source.document
    if isinstance(document, dict):
        return f"a JSON object with the keys {', '.join(list(document)[:8]) or '(none)'}"
    if isinstance(document, list):
        return f"a JSON list of {len(document)} entries"
    if source.lines:
        keys = ", ".join(list(source.lines[0].value)[:8])
        return f"JSON lines with the keys {keys or '(none)'}"
    return "text"
