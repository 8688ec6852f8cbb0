"""Recorded sessions of agents and frameworks, read back as native messages."""

from clew.importers.load import load_session, load_sessions, parse_session, recognise
from clew.importers.recognise import IMPORTERS, Importer
from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.source import Source, open_source

__all__ = [
    "IMPORTERS",
    "CompactionSeen",
    "ImportedSession",
    "Importer",
    "ReportedUsage",
    "Source",
    "load_session",
    "load_sessions",
    "open_source",
    "parse_session",
    "recognise",
]
