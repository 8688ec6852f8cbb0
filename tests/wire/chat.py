"""Chat Completions: what the API and stricter servers of the same format refuse."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.wire.violation import Violation

ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
FRONT = {"system", "developer"}
ANSWERS = {"tool", "function"}


def check_openai_chat(
    messages: list[dict[str, Any]],
    strict_alternation: bool = False,
    *,
    sent: bool = True,
    unique_ids: bool = True,
) -> list[Violation]:
    found: list[Violation] = []
    for index, message in enumerate(messages):
        found += _shape(index, message, unique_ids)
    found += _pairs(messages)
    found += _roles(messages, sent)
    if strict_alternation:
        found += _alternation(messages)
    return found


def _shape(index: int, message: dict[str, Any], unique_ids: bool) -> list[Violation]:
    role = message.get("role")
    if role not in ROLES:
        return [Violation("role", index, f"unknown role {role!r}")]
    found = []
    content = message.get("content")
    if content is not None and not isinstance(content, str | list):
        found.append(Violation("shape", index, "content is neither text nor blocks"))
    if isinstance(content, list):
        bad = [b for b in content if not isinstance(b, dict) or "type" not in b]
        found += [Violation("shape", index, "a block without a type") for _ in bad]
    says = bool(content)
    if role == "assistant":
        says = says or any(message.get(k) for k in ("tool_calls", "function_call", "refusal"))
        says = says or bool(message.get("audio"))
        found += _calls(index, message, unique_ids)
    elif role in ANSWERS:
        says = content is not None
    if not says:
        found.append(Violation("empty", index, f"{role} says nothing"))
    if role == "tool" and not message.get("tool_call_id"):
        found.append(Violation("id", index, "tool message without tool_call_id"))
    return found


def _calls(index: int, message: dict[str, Any], unique_ids: bool) -> list[Violation]:
    calls = message.get("tool_calls")
    if calls is None:
        return []
    if not isinstance(calls, list) or not calls:
        return [Violation("shape", index, "tool_calls is no list of calls")]
    found = []
    for call in calls:
        body = call.get(call.get("type"))
        text = "input" if call.get("type") == "custom" else "arguments"
        if not isinstance(body, dict) or not isinstance(body.get("name"), str):
            found.append(Violation("shape", index, "a call without a name"))
        elif not isinstance(body.get(text), str):
            found.append(Violation("shape", index, f"{text} is no text"))
        if not isinstance(call.get("id"), str) or not call["id"]:
            found.append(Violation("id", index, "a call without an id"))
    if unique_ids and len({call.get("id") for call in calls}) < len(calls):
        found.append(Violation("id", index, "one id for two calls of a message"))
    return found


def _pairs(messages: list[dict[str, Any]]) -> list[Violation]:
    found: list[Violation] = []
    open_at, waiting = -1, Counter[str]()
    for index, message in enumerate(messages):
        role = message.get("role")
        if role in ANSWERS:
            key = (
                message.get("tool_call_id") if role == "tool" else f"function {message.get('name')}"
            )
            if waiting[str(key)] > 0:
                waiting[str(key)] -= 1
            else:
                found.append(Violation("pairing", index, f"result {key} without a call before it"))
            continue
        if +waiting:
            found.append(Violation("adjacency", open_at, f"no result for {sorted(+waiting)}"))
        open_at, waiting = index, Counter()
        for call in message.get("tool_calls") or ():
            waiting[str(call.get("id"))] += 1
        if message.get("function_call"):
            waiting[f"function {message['function_call'].get('name')}"] += 1
    if +waiting:
        found.append(Violation("pairing", open_at, f"no result for {sorted(+waiting)}"))
    return found


def _roles(messages: list[dict[str, Any]], sent: bool) -> list[Violation]:
    found = []
    said = [(i, m.get("role")) for i, m in enumerate(messages) if m.get("role") not in FRONT]
    if not said:
        return [Violation("role", 0, "nothing but system messages")]
    if said[0][1] != "user":
        found.append(Violation("role", said[0][0], "the first speaker is not the user"))
    if sent and messages[-1].get("role") not in {"user", *ANSWERS}:
        found.append(Violation("role", len(messages) - 1, "the last speaker is not user or tool"))
    late = [i for i, m in enumerate(messages) if m.get("role") in FRONT and i > said[0][0]]
    found += [Violation("system", i, "a system message behind the front") for i in late]
    return found


def _alternation(messages: list[dict[str, Any]]) -> list[Violation]:
    found = []
    front = [i for i, m in enumerate(messages) if m.get("role") in FRONT]
    found += [Violation("system", i, "more than one system message") for i in front[1:]]
    for index in range(1, len(messages)):
        before, now = messages[index - 1].get("role"), messages[index].get("role")
        if before == now and now in ("user", "assistant"):
            found.append(Violation("role", index, f"two {now} messages in a row"))
        if before in ANSWERS and now == "user":
            found.append(Violation("role", index, "user directly behind a tool result"))
    return found
