"""Understands calls: one call with its result, or all calls of a run of messages."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.families.verbs import VERBS
from clew.tools_seen.json_text import object_in
from clew.tools_seen.outcome import Judged, judge
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.shell import ShellSeen, patched_files, see_shell
from clew.tools_seen.table import ToolRule, ToolTable
from clew.tools_seen.todo import todo_of
from clew.tools_seen.version import version_of
from clew.transcript import Message, ToolCallPart, ToolResultPart, digest_of_text

_MCP = re.compile(r"^mcp__(.+?)__(.+)$")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PATHS = (
    "path", "file_path", "filePath", "filename", "file", "paths", "url", "uri", "query", "pattern",
    "id", "name", "title", "key", "target", "code", "expression", "text", "message", "libraryName",
)  # fmt: skip
_WHERE = ("workdir", "cwd", "directory", "working_directory")
_PATCH_MARK = "*** Begin Patch"


def see(
    call: ToolCallPart, result: ToolResultPart | None, table: ToolTable = DEFAULT_TABLE
) -> CallSeen:
    """What one call did. Without a result the outcome is unknown. Never raises."""
    return see_call(
        name=call.name,
        arguments=call.arguments,
        call_id=call.call_id,
        text=None if result is None else result.text,
        is_error=None if result is None else result.is_error,
        table=table,
    )


def see_exchange(
    messages: Sequence[Message], table: ToolTable = DEFAULT_TABLE
) -> tuple[CallSeen, ...]:
    """Every structured call in these messages, in order, with its result wherever it stands.

    Results are paired by id; where the format has no ids, by name in the order of the calls.
    """
    results = [result for message in messages for result in message.results]
    by_id: dict[str, list[ToolResultPart]] = {}
    nameless: dict[str, list[ToolResultPart]] = {}
    for result in results:
        if result.call_id:
            by_id.setdefault(result.call_id, []).append(result)
        else:
            nameless.setdefault(result.name, []).append(result)
    seen: list[CallSeen] = []
    for message in messages:
        for call in message.calls:
            # Some agents use an id twice; the first call then has the first result.
            waiting = by_id.get(call.call_id) if call.call_id else nameless.get(call.name)
            if not call.call_id and not waiting:
                waiting = nameless.get("")
            seen.append(see(call, waiting.pop(0) if waiting else None, table))
    return tuple(seen)


def see_call(
    *,
    name: str,
    arguments: str | Mapping[str, Any],
    call_id: str = "",
    text: str | None = None,
    is_error: bool | None = None,
    table: ToolTable = DEFAULT_TABLE,
) -> CallSeen:
    """What a call did, from its name, arguments and the text of its result (None: no result)."""
    given = arguments_of(arguments)
    bare, given = _inner_tool(name, given)
    rule = table.rule_for(bare, given) or table.rule_for(_tool_part(bare), given)
    if rule is None:
        rule = _by_verb(_tool_part(bare), mcp=bare != _tool_part(bare))
    command = _command(rule, given)
    shell = see_shell(command, table, directory=_first(given, _WHERE)) if command else None
    action = shell.action if shell and shell.action is not Action.OTHER else rule.action
    judged = _judged(text, is_error, action, rule, shell)
    resources = _resources(rule, given, shell, command, bare)
    return CallSeen(
        call_id=call_id,
        tool=name,
        family=rule.family,
        action=action,
        resource=resources[0] if resources else "",
        resources=resources,
        version=_version(rule, given, shell, action, judged, text),
        outcome=judged.outcome,
        exit_code=judged.exit_code,
        command=command,
        effect=shell.effect if shell else rule.effect,
        effects=shell.effects if shell else tuple(filter(None, (rule.effect,))),
        decisive_line=judged.decisive_line,
        tests=judged.tests,
        todo=todo_of(given, rule.todo),
        job=judged.job,
        approval=judged.approval,
        purpose=_first(given, rule.purpose),
    )


def arguments_of(arguments: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments as a mapping; text that is no JSON object stands under `input`."""
    if isinstance(arguments, Mapping):
        return arguments
    if (value := object_in(arguments)) or not arguments.strip("{} \t\r\n"):
        inner = value.get("action")
        # The Responses shell tool keeps its command one level down.
        if isinstance(inner, dict) and ("command" in inner or "commands" in inner):
            return {"command": inner.get("command", inner.get("commands")), **value}
        return value
    return {"input": arguments} if arguments else {}


# ---- which rule -----------------------------------------------------------------------------


def _inner_tool(name: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The tool behind a generic door such as `use_mcp_tool`."""
    inner = given.get("tool_name")
    if name.lower() not in ("use_mcp_tool", "call_mcp_tool", "mcp_tool") or not isinstance(
        inner, str
    ):
        return name, given
    server = str(given.get("server_name", "mcp"))
    return f"mcp__{server}__{inner}", arguments_of(given.get("arguments") or {})


def _tool_part(name: str) -> str:
    """The tool's own name, without its server or namespace."""
    if found := _MCP.match(name):
        return found.group(2)
    for mark in (".", "/", ":"):
        if mark in name:
            name = name.rsplit(mark, 1)[1] or name
    return name


def _by_verb(name: str, *, mcp: bool) -> ToolRule:
    """A rule made from the verb in the name, for tools nobody listed."""
    words = [word.lower() for word in _WORDS.findall(name)]
    verb = next((word for word in words if word in VERBS), "")
    family = "mcp" if mcp else "by_verb"
    if not verb:
        return ToolRule(
            name=name, family="mcp" if mcp else "unknown", action=Action.OTHER, resource=_PATHS
        )
    action = VERBS[verb]
    effect = " ".join(words) if action is Action.EFFECT else ""
    return ToolRule(name=name, family=family, action=action, resource=_PATHS, effect=effect)


# ---- what it touched ------------------------------------------------------------------------


def _command(rule: ToolRule, given: Mapping[str, Any]) -> str:
    for key in rule.command:
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return shlex.join(value)
    return ""


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> str:
    for key in keys:
        value = given.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, list | dict) and value:
            return _compact(value)
    return ""


def _compact(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)[:300]
    except (ValueError, RecursionError):
        return ""


def _resources(
    rule: ToolRule, given: Mapping[str, Any], shell: ShellSeen | None, command: str, name: str
) -> tuple[str, ...]:
    if shell is not None:
        if shell.action is Action.SEARCH and shell.pattern:
            return tuple(dict.fromkeys((shell.pattern, *shell.resources)))
        return shell.resources or (command.strip()[:200],)
    patch = next((given[k] for k in (*rule.content, "input") if _is_patch(given.get(k))), "")
    if patch:
        return patched_files(patch)
    if rule.command and (text := _first(given, rule.command)):
        return (text[:200],)
    for key in rule.resource:
        value = given.get(key)
        if isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
            return tuple(value)
    main = _first(given, rule.resource)
    more: list[str] = []
    if rule.action is Action.SEARCH:
        more = [_first(given, (key,)) for key in ("path", "dir_path", "glob", "include") if main]
    if not main and rule.action is not Action.PLAN:
        rest = {k: v for k, v in given.items() if k not in rule.content}
        main = _first(rest, _PATHS) or (f"{name} {_compact(rest)}"[:200] if rest else name)
    return tuple(dict.fromkeys(r for r in (main, *more) if r))


def _is_patch(value: object) -> bool:
    return isinstance(value, str) and _PATCH_MARK in value


# ---- what came of it ------------------------------------------------------------------------


def _judged(
    text: str | None,
    is_error: bool | None,
    action: Action,
    rule: ToolRule,
    shell: ShellSeen | None,
) -> Judged:
    if text is None:
        return Judged(outcome=Outcome.UNKNOWN)
    return judge(
        text,
        action=action,
        is_error=is_error,
        marks_errors=rule.marks_errors,
        shell=shell is not None,
        masked=shell.masked if shell else False,
        filtered=shell.filtered if shell else False,
        tests_expected=shell.tests if shell else False,
        purpose=rule.effect,
    )


def _version(
    rule: ToolRule,
    given: Mapping[str, Any],
    shell: ShellSeen | None,
    action: Action,
    judged: Judged,
    text: str | None,
) -> str:
    """The digest of what was read or written; empty for calls that showed or changed nothing."""
    if judged.outcome in (Outcome.FAILED, Outcome.REFUSED):
        return ""
    if action in (Action.READ, Action.SEARCH):
        return version_of(text) if text and judged.outcome is not Outcome.PENDING else ""
    if action is not Action.WRITE:
        return ""
    content = shell.content if shell else _first(given, rule.content)
    if content and not _is_patch(content):
        return version_of(content)
    return digest_of_text(_compact_all(given))


def _compact_all(given: Mapping[str, Any]) -> str:
    try:
        return json.dumps(given, sort_keys=True, default=str)
    except (ValueError, RecursionError, TypeError):
        return repr(sorted(map(str, given)))
