"""The tools an agent gets to page back what left its window, in each wire format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.transcript import Format

RECALL_TOOL = "clew_recall"
SEARCH_TOOL = "clew_search"
LIST_TOOL = "clew_list"
NOTE_TOOL = "clew_note"
MAP_TOOL = "clew_map"

ToolRow = tuple[str, str, dict[str, Any], tuple[str, ...]]
"""Name, description, properties as JSON schemas, names of the required ones."""

_STRING = {"type": "string"}
_INTEGER = {"type": "integer", "minimum": 1}

_TOOLS: tuple[ToolRow, ...] = (
    (
        RECALL_TOOL,
        (
            "Fetch what a handle such as S-41, S-41.2 or R-17 stands for, word for word. "
            "first_line and last_line (from 1) select a part of a long text."
        ),
        {"handle": _STRING, "first_line": _INTEGER, "last_line": _INTEGER},
        ("handle",),
    ),
    (
        SEARCH_TOOL,
        (
            "Search everything that left the window: earlier messages, tool results, record "
            "items. Gives handles with the best lines."
        ),
        {"query": _STRING, "limit": {"type": "integer", "minimum": 1, "maximum": 20}},
        ("query",),
    ),
    (
        LIST_TOOL,
        "List what left the window: one line with handle and label for each span or item.",
        {"kind": _STRING},
        (),
    ),
    (
        NOTE_TOOL,
        (
            "Keep a finding, decision or dead end in the record that survives compaction. kind "
            "is one of fact, decision, dead_end, commitment, blocker, invariant, artifact."
        ),
        {"kind": _STRING, "text": _STRING, "why": _STRING},
        ("kind", "text"),
    ),
)

_MAP_ROW: ToolRow = (
    MAP_TOOL,
    (
        "More of the repository map: a file gives its symbols with line numbers, a folder its "
        "files, a symbol (name, Class.name or path:name) its source and who uses it."
    ),
    {"what": _STRING},
    ("what",),
)


def recall_tools(*, with_map: bool) -> tuple[ToolRow, ...]:
    """The tools that page back, and the one that asks a map where there is one."""
    return (*_TOOLS, _MAP_ROW) if with_map else _TOOLS


def definitions(format: Format, tools: Sequence[ToolRow] = _TOOLS) -> list[dict[str, Any]]:
    """Native tool definitions; for Gemini one tool with its function declarations."""
    rows = [(name, text, _schema(fields, need)) for name, text, fields, need in tools]
    match format:
        case Format.OPENAI_CHAT:
            return [
                {
                    "type": "function",
                    "function": {"name": n, "description": d, "parameters": s},
                }
                for n, d, s in rows
            ]
        case Format.OPENAI_RESPONSES:
            return [
                {"type": "function", "name": n, "description": d, "parameters": s, "strict": False}
                for n, d, s in rows
            ]
        case Format.ANTHROPIC:
            return [{"name": n, "description": d, "input_schema": s} for n, d, s in rows]
        case Format.GEMINI:
            return [
                {
                    "functionDeclarations": [
                        {"name": n, "description": d, "parametersJsonSchema": s} for n, d, s in rows
                    ]
                }
            ]


def _schema(fields: Mapping[str, Any], need: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(need),
        "additionalProperties": False,
    }


def offers_recall(tools: Any) -> bool:
    """Whether the tools of a call contain the recall tool, in any format."""
    if not tools:
        return False
    try:
        return RECALL_TOOL in json.dumps(tools, default=repr)
    except (TypeError, ValueError):
        return RECALL_TOOL in repr(tools)
