"""Commands that a person types to the agent's program, which no agent is asked to do."""

from __future__ import annotations

import re

_ALONE = frozenset(
    {"about", "agents", "approvals", "architect", "ask", "bug", "clear", "code", "compact",
     "compress", "config", "context", "copy", "copy-context", "cost", "details", "diff", "doctor",
     "editor", "exit", "extensions", "help", "hooks", "ide", "login", "logout", "ls", "map",
     "map-refresh", "mcp", "memory", "model", "models", "multiline-mode", "new", "paste",
     "permissions", "quit", "redo", "report", "reset", "restore", "resume", "rewind", "sessions",
     "settings", "share", "stats", "status", "statusline", "theme", "themes", "tokens", "tools",
     "undo", "unshare", "usage", "vim", "voice"}
)  # fmt: skip
"""What needs no word behind it; a few of them ask the agent once they have words."""
_TAKES_A_NAME = frozenset(
    {"add", "add-dir", "chat", "chat-mode", "config", "cost", "directory", "drop", "edit",
     "editor-model", "export", "load", "login", "mcp", "memory", "model", "read-only", "restore",
     "resume", "save", "theme", "tokens", "unstage", "weak-model", "web"}
)  # fmt: skip
"""What stands before one word, or before names of files and addresses."""
_RUNS = frozenset({"run", "git"})
"""What stands before a command line."""
_COMMAND = re.compile(r"/(?P<name>[a-z][a-z-]*)(?:[ \t]+(?P<rest>\S.*))?")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SPOKEN = re.compile(
    r"\b(?:the|a|an|all|my|our|your|this|that|these|it|them|please|every)\b", re.IGNORECASE
)
_LOOKS_LIKE_A_NAME = re.compile(r"[\w-]*[./\\*~_:@=-]\S*|\d+|[A-Z]\w*")


def is_slash_command(text: str) -> bool:
    """Whether all that a person typed are commands to the agent's program (`/undo`, `/add f.py`).

    A command with a request behind it (`/ask why`), and one whose text a product writes out for
    the agent (`/review`), is none: the agent is asked something.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return bool(lines) and all(map(_is_command, lines))


def _is_command(line: str) -> bool:
    found = _COMMAND.fullmatch(line)
    if found is None:
        return False
    name, rest = found["name"], found["rest"] or ""
    if not rest:
        return name in _ALONE
    words = _QUOTED.sub("x.", rest).split()
    if name in _RUNS:
        return _SPOKEN.search(" ".join(words)) is None
    return name in _TAKES_A_NAME and (
        len(words) == 1 or all(map(_LOOKS_LIKE_A_NAME.fullmatch, words))
    )
