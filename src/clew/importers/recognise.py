"""Which recorded format a text is, told by its content; one row an importer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from clew.importers import (
    anthropic_traffic,
    bash_agents,
    benchmarks,
    claude_code,
    cline,
    codex_cli,
    eval_logs,
    gemini_cli,
    markdown_chats,
    opencode,
    openhands,
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


@dataclass(frozen=True, slots=True)
class Importer:
    """One recorded format: how to tell it, and how to read it."""

    family: str
    recognises: Callable[[Source], bool]
    read: Reads


# Specific shapes first: a plain list is what is left when nobody else knows the file.
IMPORTERS: tuple[Importer, ...] = (
    Importer(
        markdown_chats.SPECSTORY,
        markdown_chats.recognises_specstory,
        markdown_chats.read_specstory,
    ),
    Importer(markdown_chats.AIDER, markdown_chats.recognises_aider, markdown_chats.read_aider),
    Importer(codex_cli.FAMILY, codex_cli.recognises, codex_cli.read),
    Importer(pi_agent.FAMILY, pi_agent.recognises, pi_agent.read),
    Importer(claude_code.FAMILY, claude_code.recognises, claude_code.read),
    Importer(bash_agents.MINI, bash_agents.recognises_mini, bash_agents.read_mini),
    Importer(bash_agents.SWE, bash_agents.recognises_swe, bash_agents.read_swe),
    Importer(gemini_cli.FAMILY, gemini_cli.recognises, gemini_cli.read),
    Importer(opencode.FAMILY, opencode.recognises, opencode.read),
    Importer(benchmarks.TAU, benchmarks.recognises_tau, benchmarks.read_tau),
    Importer(benchmarks.ATIF, benchmarks.recognises_atif, benchmarks.read_atif),
    Importer(benchmarks.WHO, benchmarks.recognises_who, benchmarks.read_who),
    Importer(benchmarks.INTERCODE, benchmarks.recognises_intercode, benchmarks.read_intercode),
    Importer(eval_logs.INSPECT, eval_logs.recognises_inspect, eval_logs.read_inspect),
    Importer(eval_logs.BFCL, eval_logs.recognises_bfcl, eval_logs.read_bfcl),
    Importer(eval_logs.TOOLBENCH, eval_logs.recognises_toolbench, eval_logs.read_toolbench),
    Importer(eval_logs.LOCOMO, eval_logs.recognises_locomo, eval_logs.read_locomo),
    Importer(openhands.FAMILY, openhands.recognises, openhands.read),
    Importer(anthropic_traffic.FAMILY, anthropic_traffic.recognises, anthropic_traffic.read),
    Importer(cline.FAMILY, cline.recognises, cline.read),
    Importer("message list", plain.recognises, plain.read),
)
