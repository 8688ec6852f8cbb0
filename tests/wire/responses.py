"""OpenAI Responses: what the API refuses in a list of input items."""

from __future__ import annotations

from typing import Any

from tests.wire.violation import Violation

OUTPUT_OF = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "shell_call": "shell_call_output",
    "local_shell_call": "local_shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
}
HOSTED = {
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
}


def check_openai_responses(items: list[dict[str, Any]], *, sent: bool = True) -> list[Violation]:
    found: list[Violation] = []
    for index, item in enumerate(items):
        found += _shape(index, item)
    found += _pairs(items)
    found += _reasoning(items)
    found += _ids(items)
    found += _ends(items, sent)
    return found


def _kind(item: dict[str, Any]) -> str:
    return str(item.get("type") or ("message" if "role" in item else ""))


def _speaker(item: dict[str, Any]) -> str:
    kind = _kind(item)
    if kind == "message":
        return str(item.get("role"))
    return "tool" if kind.endswith("_output") else "assistant"


def _shape(index: int, item: dict[str, Any]) -> list[Violation]:
    kind = _kind(item)
    if not kind:
        return [Violation("shape", index, "an item without type and role")]
    if kind != "message":
        wants_text = {"function_call": "arguments", "custom_tool_call": "input"}.get(kind)
        if wants_text and not isinstance(item.get(wants_text), str):
            return [Violation("shape", index, f"{wants_text} is no text")]
        return []
    if item.get("role") not in ("user", "assistant", "system", "developer"):
        return [Violation("role", index, f"unknown role {item.get('role')!r}")]
    content = item.get("content")
    if not isinstance(content, str | list):
        return [Violation("shape", index, "content is neither text nor blocks")]
    wrong = "input_text" if item["role"] == "assistant" else "output_text"
    if isinstance(content, list) and any(b.get("type") == wrong for b in content):
        return [Violation("shape", index, f"{wrong} in a message of {item['role']}")]
    return [] if content else [Violation("empty", index, "no content")]


def _pairs(items: list[dict[str, Any]]) -> list[Violation]:
    found = []
    waiting: dict[tuple[str, str], list[int]] = {}
    called: set[str] = set()
    for index, item in enumerate(items):
        kind = _kind(item)
        if kind in HOSTED or kind == "reasoning":
            continue
        if kind.endswith("_call") and item.get("call_id"):
            output = OUTPUT_OF.get(kind, f"{kind}_output")
            if item["call_id"] in called:
                found.append(Violation("id", index, f"call id {item['call_id']} twice"))
            called.add(item["call_id"])
            waiting.setdefault((output, item["call_id"]), []).append(index)
        elif kind.endswith("_output"):
            key = kind, str(item.get("call_id") or item.get("id"))
            if not waiting.get(key):
                found.append(Violation("pairing", index, f"{key[1]} has no call before it"))
            else:
                waiting[key].pop(0)
    for (_, call_id), left in waiting.items():
        found += [Violation("pairing", index, f"no output for {call_id}") for index in left]
    return found


def _reasoning(items: list[dict[str, Any]]) -> list[Violation]:
    found = []
    for index, item in enumerate(items):
        if _kind(item) != "reasoning":
            continue
        following = items[index + 1] if index + 1 < len(items) else None
        if following is None or _speaker(following) != "assistant":
            found.append(Violation("reasoning", index, "reasoning without its following item"))
    return found


def _ids(items: list[dict[str, Any]]) -> list[Violation]:
    seen: set[str] = set()
    found = []
    for index, item in enumerate(items):
        own = item.get("id")
        if own and _kind(item) not in ("local_shell_call_output", "item_reference"):
            if own in seen:
                found.append(Violation("id", index, f"item id {own} twice"))
            seen.add(own)
    return found


def _ends(items: list[dict[str, Any]], sent: bool) -> list[Violation]:
    said = [
        (i, item) for i, item in enumerate(items) if _speaker(item) not in ("system", "developer")
    ]
    if not said:
        return [Violation("role", 0, "nothing but system messages")]
    found = []
    first, last = said[0], said[-1]
    if _speaker(first[1]) != "user" and _kind(first[1]) != "compaction":
        found.append(Violation("role", first[0], "the first speaker is not the user"))
    if sent and _speaker(last[1]) not in ("user", "tool"):
        found.append(Violation("role", last[0], "the last speaker is not user or tool"))
    return found
