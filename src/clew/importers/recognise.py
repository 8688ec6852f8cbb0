"""Which recorded format a text is, told by its content; one row an importer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from clew.importers import (
    bash_agents,
    claude_code,
    codex_cli,
    pi_agent,
    plain,
)
from clew.importers.session import ImportedSession
from clew.importers.source import Source


class Reads(Protocol):
    """Reads every session in a source."""

    def __call__(self, source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
        """The sessions, in the order of the file; raises ImportSourceError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One recorded format: how to tell it, and how to read it."""

    family: str
    recognises: Callable[[Source], bool]
    read: Reads


# Specific shapes first: a plain list is what is left when nobody else knows the file.
IMPORTERS: tuple[Importer, ...] = (
    Importer(family=codex_cli.FAMILY, recognises=codex_cli.recognises, read=codex_cli.read),
    Importer(family=pi_agent.FAMILY, recognises=pi_agent.recognises, read=pi_agent.read),
    Importer(family=claude_code.FAMILY, recognises=claude_code.recognises, read=claude_code.read),
    Importer(
        family=bash_agents.MINI,
        recognises=bash_agents.recognises_mini,
        read=bash_agents.read_mini,
    ),
    Importer(
        family=bash_agents.SWE, recognises=bash_agents.recognises_swe, read=bash_agents.read_swe
    ),
    Importer(family="message list", recognises=plain.recognises, read=plain.read),
)
