"""The first part of recorded sessions, where the recordings are beside the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import clew
from bench.speed.clew_side import beginning
from clew.importers import load_session

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "dev"
SESSIONS = (
    "claude_code/cli_ca8cc13b.jsonl",
    "claude_code/entire-graph_fc71f2f6.jsonl",
    "codex_cli/rollout-skills_019dc0d3-6b22-7052-b168-4487a38e0f4d.jsonl",
    "pi_agent/pi-mono_before-compaction.jsonl",
    "gemini_cli/session-2026-01-11T00-25-17b4d5e9.json",
)


def beginnings(tokens: int) -> list[tuple[str, list[Any], clew.Format]]:
    """Name, messages and format of each session: its first messages of at most so many tokens."""
    made = []
    for name in SESSIONS:
        if (CORPUS / name).exists():
            loaded = load_session(CORPUS / name)
            messages = list(loaded.messages)
            made.append((name, beginning(messages, tokens, loaded.format), loaded.format))
    return made
