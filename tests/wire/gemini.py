"""Gemini contents: what the API refuses."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.wire.violation import Violation

BODIES = (
    ("text", "text"),
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("inlineData", "inline_data"),
    ("fileData", "file_data"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
    ("toolCall", "tool_call"),
    ("toolResponse", "tool_response"),
)
SIGNATURES = ("thoughtSignature", "thought_signature")


def check_gemini(contents: list[dict[str, Any]], *, sent: bool = True) -> list[Violation]:
    found: list[Violation] = []
    for index, content in enumerate(contents):
        found += _shape(index, content)
    if found:
        return found
    if not contents:
        return [Violation("empty", 0, "no contents")]
    if _speaker(contents[0]) != "user":
        found.append(Violation("role", 0, "the first content is not the user's"))
    if sent and _speaker(contents[-1]) != "user":
        found.append(Violation("role", len(contents) - 1, "the last content is not the user's"))
    for index, content in enumerate(contents):
        found += _turn(index, content, contents)
    return found + _unique(contents)


def _unique(contents: list[dict[str, Any]]) -> list[Violation]:
    """Where ids are given, one stands for one call in the whole request."""
    seen = Counter(i for content in contents for _, i in _named(content, "functionCall") if i)
    return [Violation("id", 0, f"id {i} twice") for i, n in seen.items() if n > 1]


def _speaker(content: dict[str, Any]) -> str:
    return "model" if content.get("role") == "model" else "user"


def _body(part: dict[str, Any], name: str) -> Any:
    for pair in BODIES:
        if pair[0] == name:
            return part.get(pair[0], part.get(pair[1]))
    raise KeyError(name)


def _shape(index: int, content: dict[str, Any]) -> list[Violation]:
    if content.get("role", "user") not in ("user", "model", "function", "tool"):
        return [Violation("role", index, f"unknown role {content.get('role')!r}")]
    parts = content.get("parts")
    if not isinstance(parts, list):
        return [Violation("shape", index, "no parts")]
    if not parts:
        return [Violation("empty", index, "no parts")]
    found = []
    for part in parts:
        bodies = [name for name, _ in BODIES if _body(part, name) is not None]
        signed = any(part.get(key) for key in SIGNATURES)
        if len(bodies) > 1 or (not bodies and not signed):
            found.append(Violation("shape", index, f"a part with the bodies {bodies}"))
        if bodies == ["text"] and not _body(part, "text") and not signed:
            found.append(Violation("empty", index, "an empty text"))
        for name, key in (("functionCall", "args"), ("functionResponse", "response")):
            body = _body(part, name)
            if body is not None and not isinstance(body.get(key, {}), dict):
                found.append(Violation("shape", index, f"{key} is no object"))
    return found


def _named(content: dict[str, Any] | None, name: str) -> list[tuple[str, str]]:
    bodies = [_body(part, name) for part in (content or {}).get("parts", ())]
    return [(str(b.get("name")), str(b.get("id") or "")) for b in bodies if b is not None]


def _turn(index: int, content: dict[str, Any], contents: list[dict[str, Any]]) -> list[Violation]:
    found = []
    before = contents[index - 1] if index else None
    after = contents[index + 1] if index + 1 < len(contents) else None
    calls = _named(content, "functionCall")
    if calls:
        found += _answered(index, calls, _named(after, "functionResponse"))
        if before is None or _speaker(before) != "user":
            found.append(Violation("adjacency", index, "a call turn that follows no user turn"))
    if _named(content, "functionResponse") and not _named(before, "functionCall"):
        found.append(Violation("pairing", index, "responses without a call turn before them"))
    return found


def _answered(
    index: int, calls: list[tuple[str, str]], responses: list[tuple[str, str]]
) -> list[Violation]:
    if len(calls) != len(responses):
        return [Violation("pairing", index, f"{len(calls)} calls and {len(responses)} responses")]
    if Counter(name for name, _ in calls) != Counter(name for name, _ in responses):
        return [Violation("pairing", index, "responses of other functions")]
    wanted, given = Counter(i for _, i in calls if i), Counter(i for _, i in responses if i)
    if wanted and given and wanted != given:
        return [Violation("pairing", index, "responses with other ids")]
    return []
