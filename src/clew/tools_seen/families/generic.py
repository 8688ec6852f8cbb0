"""Names that many agents and MCP servers share."""

from __future__ import annotations

from functools import partial

from clew.tools_seen.seen import Action
from clew.tools_seen.table import ToolRule

_files = partial(ToolRule, family="mcp_files")
_plain = partial(ToolRule, family="generic")

_PATH = ("path", "file_path", "filePath", "filename", "file", "uri", "target_file")
_TEXT = ("content", "text", "contents", "file_text", "body")
_SHELL = ("command", "cmd", "script", "input", "commands")
_QUERY = ("query", "pattern", "q", "regex", "search", "term", "path")

GENERIC: tuple[ToolRule, ...] = (
    *(
        _files(name=name, action=Action.READ, resource=("paths", *_PATH))
        for name in (
            "read_file",
            "read_text_file",
            "read_media_file",
            "read_multiple_files",
            "get_file",
            "view_file",
            "open_file",
            "cat",
            "view",
            "read",
            "get_file_contents",
            "get_file_info",
        )
    ),
    *(
        _files(name=name, action=Action.WRITE, resource=_PATH, content=_TEXT)
        for name in (
            "write_file",
            "create_file",
            "write",
            "save_file",
            "append_file",
            "create_directory",
            "edit_file",
            "edit",
            "patch_file",
            "str_replace",
            "insert",
            "multi_edit",
            "search_replace",
            "update_file",
            "create",
        )
    ),
    _files(name="move_file", action=Action.EFFECT, resource=("source", *_PATH), effect="move"),
    _files(name="rename_file", action=Action.EFFECT, resource=("source", *_PATH), effect="move"),
    _files(name="delete_file", action=Action.EFFECT, resource=_PATH, effect="delete"),
    _files(name="remove_file", action=Action.EFFECT, resource=_PATH, effect="delete"),
    *(
        _files(name=name, action=Action.SEARCH, resource=_QUERY)
        for name in (
            "list_directory",
            "list_dir",
            "directory_tree",
            "list_directory_with_sizes",
            "ls",
            "list_files",
            "list_allowed_directories",
            "search_files",
            "find_files",
            "glob",
            "grep",
            "search",
            "find",
            "codebase_search",
            "grep_search",
            "file_search",
            "web_search",
            "search_web",
            "semantic_search",
            "search_code",
            "tavily_search",
            "brave_web_search",
        )
    ),
    *(
        _plain(name=name, action=Action.RUN, command=_SHELL)
        for name in (
            "bash",
            "shell",
            "sh",
            "run",
            "exec",
            "execute",
            "run_command",
            "execute_command",
            "run_terminal_cmd",
            "run_terminal_command",
            "run_in_terminal",
            "terminal",
            "powershell",
            "cmd",
            "run_bash",
            "bash_tool",
            "execute_shell",
            "run_shell",
            "command",
            "exec_shell",
        )
    ),
    *(
        _plain(name=name, action=Action.RUN, resource=("code", "source", "script"))
        for name in (
            "python",
            "ipython",
            "jupyter",
            "run_python",
            "execute_python",
            "python_exec",
            "run_code",
            "execute_code",
            "code_interpreter",
            "code_execution",
            "run_tests",
            "test",
        )
    ),
    _plain(name="run_tests", action=Action.RUN, resource=("path", "target")),
    *(
        _plain(name=name, action=Action.READ, resource=("url", "uri"))
        for name in (
            "http_get",
            "fetch",
            "fetch_url",
            "fetch_webpage",
            "get_url",
            "open_url",
            "visit_webpage",
            "browse",
            "web_fetch",
            "read_url",
        )
    ),
    *(
        _plain(name=f"http_{verb}", action=Action.EFFECT, resource=("url",), effect=f"http {verb}")
        for verb in ("post", "put", "patch", "delete")
    ),
    *(
        _plain(
            name="http_request",
            action=Action.EFFECT,
            when=(("method", verb),),
            resource=("url",),
            effect=f"http {verb.lower()}",
        )
        for verb in ("POST", "PUT", "PATCH", "DELETE", "post", "put", "patch", "delete")
    ),
    _plain(name="http_request", action=Action.READ, resource=("url",)),
    *(
        _plain(name=name, action=Action.PLAN, todo=("todos", "todo", "items", "plan", "tasks"))
        for name in (
            "todo_write",
            "todowrite",
            "write_todos",
            "update_todos",
            "todo_list",
            "plan",
            "update_todo_list",
            "manage_todo_list",
            "set_plan",
            "create_plan",
            "todo",
        )
    ),
    *(
        _plain(name=name, action=Action.PLAN, resource=("thought", "note", "content"))
        for name in ("sequentialthinking", "sequential_thinking", "think", "thinking", "note")
    ),
    *(
        _plain(name=name, action=Action.ASK, resource=("question", "message", "summary"))
        for name in (
            "ask",
            "ask_user",
            "ask_human",
            "request_approval",
            "transfer_to_human_agents",
            "finish",
            "done",
            "final_answer",
            "submit",
            "give_answer",
            "respond",
            "task_complete",
            "complete_task",
            "talk_to_user",
            "message_user",
            "user",
        )
    ),
    *(
        _plain(name=name, action=Action.DELEGATE, resource=("task", "prompt", "description"))
        for name in (
            "delegate",
            "delegate_task",
            "spawn_agent",
            "run_agent",
            "subagent",
            "start_agent",
            "dispatch_agent",
            "task",
            "agent",
            "call_agent",
            "handoff",
        )
    ),
)
