"""Calls of every family: action, resource, version, todo, and the pairing of results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools_seen import (
    DEFAULT_TABLE,
    Action,
    Outcome,
    TodoItem,
    ToolRule,
    see,
    see_call,
    see_exchange,
)
from clew.transcript import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart, digest_of

CALLS: list[tuple[str, Any, str, Action, str]] = [
    ("Read", {"file_path": "/a.py"}, "claude_code", Action.READ, "/a.py"),
    ("Edit", {"file_path": "/a", "old_string": "x"}, "claude_code", Action.WRITE, "/a"),
    ("Grep", {"pattern": "foo", "path": "s", "output_mode": "c"}, "claude_code", Action.SEARCH,
     "foo"),
    ("Task", {"description": "d", "prompt": "p"}, "claude_code", Action.DELEGATE, "d"),
    ("exec_command", {"cmd": "cat x.py"}, "codex", Action.READ, "x.py"),
    ("shell", {"command": ["bash", "-lc", "cd w && cat x.py"]}, "codex", Action.READ, "w/x.py"),
    ("apply_patch", "*** Begin Patch\n*** Add File: n.py\n+1\n*** End Patch", "codex",
     Action.WRITE, "n.py"),
    ("run_shell_command", {"command": "ls docs"}, "gemini_cli", Action.SEARCH, "docs"),
    ("read_file", {"file_path": "a"}, "gemini_cli", Action.READ, "a"),
    ("read_file", {"path": "a"}, "cline", Action.READ, "a"),
    ("write_to_file", {"path": "a", "content": "x"}, "cline", Action.WRITE, "a"),
    ("read", {"filePath": "a"}, "opencode", Action.READ, "a"),
    ("read", {"path": "a"}, "pi", Action.READ, "a"),
    ("bash", {"command": "rm x"}, "pi", Action.EFFECT, "x"),
    ("str_replace_editor", {"command": "view", "path": "a"}, "openhands", Action.READ, "a"),
    ("str_replace_editor", {"command": "create", "path": "a"}, "openhands", Action.WRITE, "a"),
    ("search_dir", {"search_term": "x"}, "swe_agent", Action.SEARCH, "x"),
    ("mcp__fs__read_text_file", {"path": "a"}, "mcp_files", Action.READ, "a"),
    ("use_mcp_tool", {"server_name": "fs", "tool_name": "read_file", "arguments": '{"path": "a"}'},
     "cline", Action.READ, "a"),
    ("functions.exec_command", {"cmd": "cat x"}, "codex", Action.READ, "x"),
    ("http_post", {"url": "http://h"}, "generic", Action.EFFECT, "http://h"),
    ("get_user_details", {"user_id": "u1"}, "by_verb", Action.READ, ""),
    ("cancelReservation", {"id": "r1"}, "by_verb", Action.EFFECT, "r1"),
    ("mcp__linear__create_issue", {"title": "t"}, "mcp", Action.EFFECT, "t"),
    ("transfer_to_human_agents", {"summary": "s"}, "generic", Action.ASK, "s"),
    ("frobnicate", {"path": "p"}, "unknown", Action.OTHER, "p"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "family", "action", "resource"), CALLS)
def test_calls_of_every_family_are_understood(
    name: str, arguments: Any, family: str, action: Action, resource: str
) -> None:
    seen = see_call(name=name, arguments=arguments)
    assert (seen.family, seen.action) == (family, action)
    if resource:
        assert seen.resource == resource


def test_an_effect_by_verb_is_named() -> None:
    assert see_call(name="bookReservation", arguments={}).effect == "book reservation"


def test_the_table_can_be_extended_without_touching_the_default() -> None:
    rule = ToolRule(name="frobnicate", family="ours", action=Action.EFFECT, effect="frobnicated")
    table = DEFAULT_TABLE.extended(rules=(rule,))
    seen = see_call(name="frobnicate", arguments={}, table=table)
    assert (seen.family, seen.effect) == ("ours", "frobnicated")
    assert see_call(name="frobnicate", arguments={}).action is Action.OTHER


def test_the_same_content_has_the_same_version_however_it_was_shown() -> None:
    content = "import os\n\nprint(1)\n"
    shown = [
        ("Read", {"file_path": "a"}, "     1→import os\n     2→\n     3→print(1)\n"),
        ("read", {"path": "a"}, content),
        ("exec_command", {"cmd": "cat a"},
         f"Chunk ID: x\nWall time: 0 s\nProcess exited with code 0\nOutput:\n{content}"),
        ("exec_command", {"cmd": "nl -ba a"},
         "Process exited with code 0\nOutput:\n     1\timport os\n     2\t\n     3\tprint(1)\n"),
        ("bash", {"command": "cat a"}, f"<returncode>0</returncode>\n<output>\n{content}</output>"),
        ("read_file", {"path": "a"}, content.replace("\n", "\r\n")),
    ]  # fmt: skip
    versions = {see_call(name=n, arguments=a, text=t).version for n, a, t in shown}
    written = see_call(name="write_file", arguments={"path": "a", "content": content}, text="ok")
    heredoc = see_call(
        name="bash", arguments={"command": f"cat > a <<'E'\n{content}E"}, text="Exit code: 0\n"
    )
    assert len(versions) == 1
    assert versions == {written.version, heredoc.version}
    other = see_call(name="read", arguments={"path": "a"}, text=content + "# more")
    assert other.version not in versions


def test_a_failed_read_has_no_version() -> None:
    seen = see_call(name="read", arguments={"path": "a"}, text="no such file", is_error=True)
    assert (seen.version, seen.outcome) == ("", Outcome.FAILED)


TODOS: list[tuple[str, Any, tuple[TodoItem, ...]]] = [
    (
        "TodoWrite",
        {"todos": [
            {"content": "Fix *it*", "status": "in_progress", "activeForm": "Fixing"},
            {"content": "Test", "status": "pending"},
            {"content": "Read", "status": "completed"},
        ]},
        (
            TodoItem(text="Fix *it*", state="active"),
            TodoItem(text="Test", state="open"),
            TodoItem(text="Read", state="done"),
        ),
    ),
    (
        "update_plan",
        {"plan": [{"step": "A", "status": "completed"}, {"step": "B", "status": "cancelled"}]},
        (TodoItem(text="A", state="done"), TodoItem(text="B", state="dropped")),
    ),
    (
        "todo_write",
        {"todos": "- [x] a\n- [ ] b b\n* [~] c"},
        (
            TodoItem(text="a", state="done"),
            TodoItem(text="b b", state="open"),
            TodoItem(text="c", state="active"),
        ),
    ),
    ("TaskCreate", {"subject": "Ship", "description": "d"}, (TodoItem(text="Ship", state="open"),)),
    ("TaskUpdate", {"taskId": "3", "status": "completed"}, (TodoItem(text="3", state="done"),)),
    ("task_tracker", {"task_list": [{"title": "x", "status": "todo"}]},
     (TodoItem(text="x", state="open"),)),
    ("TodoWrite", {"todos": None}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "items"), TODOS)
def test_plans_are_read_verbatim_with_normal_states(
    name: str, arguments: Any, items: tuple[TodoItem, ...]
) -> None:
    assert see_call(name=name, arguments=arguments).todo == items


def message(role: Role, *parts: Part) -> Message:
    plain = {"role": role.value, "parts": [repr(p) for p in parts]}
    return Message(role=role, parts=parts, native=plain, plain=plain, digest=digest_of(plain))


def call(call_id: str, command: str) -> ToolCallPart:
    return ToolCallPart(call_id=call_id, name="bash", arguments=json.dumps({"command": command}))


def result(call_id: str, text: str, name: str = "") -> ToolResultPart:
    return ToolResultPart(call_id=call_id, name=name, parts=(TextPart(text=text),))


def test_results_are_paired_by_id_in_any_order() -> None:
    seen = see_exchange(
        [
            message(Role.ASSISTANT, call("a", "make a"), call("b", "make b")),
            message(Role.TOOL, result("b", "Exit code: 2\nb broke")),
            message(Role.TOOL, result("a", "Exit code: 0\nfine")),
        ]
    )
    assert [(s.call_id, s.outcome) for s in seen] == [("a", Outcome.OK), ("b", Outcome.FAILED)]


def test_results_without_ids_are_paired_by_name_in_order() -> None:
    seen = see_exchange(
        [
            message(Role.ASSISTANT, call("", "make a"), call("", "make b")),
            message(
                Role.USER, result("", "Exit code: 0", "bash"), result("", "Exit code: 1", "bash")
            ),
        ]
    )
    assert [s.outcome for s in seen] == [Outcome.OK, Outcome.FAILED]


def test_a_call_without_a_result_never_claims_anything() -> None:
    seen = see_exchange([message(Role.ASSISTANT, call("a", "git push"))])
    assert (seen[0].outcome, seen[0].effect) == (Outcome.UNKNOWN, "git push")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.sampled_from([c[0] for c in CALLS] + [t[0] for t in TODOS]) | st.text(max_size=20),
    st.dictionaries(
        st.sampled_from(["command", "cmd", "path", "file_path", "todos", "plan", "content", "x"]),
        json_values,
        max_size=4,
    ),
    st.text(max_size=60),
)
def test_no_arguments_are_too_strange(name: str, arguments: dict[str, Any], text: str) -> None:
    part = ToolCallPart(call_id="c", name=name, arguments=json.dumps(arguments))
    seen = see(part, result("c", text))
    assert seen.tool == name
    assert see(part, result("c", text)) == seen
