"""Tools of the coding agents in the terminal: Claude Code, Codex, Gemini CLI."""

from __future__ import annotations

from functools import partial

from clew.tools_seen.seen import Action
from clew.tools_seen.table import ToolRule

_claude = partial(ToolRule, family="claude_code", marks_errors=True)
_codex = partial(ToolRule, family="codex")
_gemini = partial(ToolRule, family="gemini_cli")

CLAUDE_CODE: tuple[ToolRule, ...] = (
    _claude(
        name="Bash",
        action=Action.RUN,
        needs=("description",),
        command=("command",),
        purpose=("description",),
    ),
    _claude(name="BashOutput", action=Action.READ, resource=("bash_id",), job=("bash_id",)),
    _claude(name="KillBash", action=Action.EFFECT, resource=("shell_id",), effect="stop job"),
    _claude(name="KillShell", action=Action.EFFECT, resource=("shell_id",), effect="stop job"),
    _claude(name="Read", action=Action.READ, needs=("file_path",), resource=("file_path",)),
    _claude(
        name="Write",
        action=Action.WRITE,
        needs=("file_path",),
        resource=("file_path",),
        content=("content",),
    ),
    _claude(
        name="Edit",
        action=Action.WRITE,
        needs=("file_path", "old_string"),
        resource=("file_path",),
        content=(),
    ),
    _claude(name="MultiEdit", action=Action.WRITE, resource=("file_path",)),
    _claude(name="NotebookEdit", action=Action.WRITE, resource=("notebook_path",), content=()),
    _claude(name="NotebookRead", action=Action.READ, resource=("notebook_path",)),
    _claude(name="Grep", action=Action.SEARCH, needs=("output_mode",), resource=("pattern",)),
    _claude(name="Glob", action=Action.SEARCH, needs=("pattern",), resource=("pattern",)),
    _claude(name="LS", action=Action.SEARCH, resource=("path",)),
    _claude(name="TodoWrite", action=Action.PLAN, todo=("todos",)),
    _claude(name="TodoRead", action=Action.PLAN),
    _claude(name="TaskCreate", action=Action.PLAN, resource=("subject",), todo=("subject",)),
    _claude(name="TaskUpdate", action=Action.PLAN, resource=("taskId",), todo=("taskId",)),
    _claude(name="TaskList", action=Action.PLAN),
    _claude(name="TaskGet", action=Action.PLAN, resource=("taskId",)),
    _claude(name="TaskOutput", action=Action.READ, resource=("task_id",), job=("task_id",)),
    _claude(name="TaskStop", action=Action.EFFECT, resource=("task_id",), effect="stop job"),
    _claude(
        name="Task",
        action=Action.DELEGATE,
        needs=("prompt",),
        resource=("description",),
        purpose=("description",),
    ),
    _claude(
        name="Agent",
        action=Action.DELEGATE,
        needs=("prompt",),
        resource=("description",),
        purpose=("description",),
    ),
    _claude(name="SendMessage", action=Action.DELEGATE, resource=("to", "recipient")),
    _claude(name="Skill", action=Action.READ, resource=("skill", "command")),
    _claude(name="SlashCommand", action=Action.READ, resource=("command",)),
    _claude(name="ToolSearch", action=Action.SEARCH, resource=("query",)),
    _claude(name="AskUserQuestion", action=Action.ASK, resource=("questions",)),
    _claude(name="EnterPlanMode", action=Action.PLAN),
    _claude(name="ExitPlanMode", action=Action.ASK, resource=("plan",)),
    _claude(name="exit_plan_mode", action=Action.ASK, resource=("plan",)),
    _claude(name="WebSearch", action=Action.SEARCH, resource=("query",)),
    _claude(name="WebFetch", action=Action.READ, resource=("url",), purpose=("prompt",)),
    _claude(name="ListMcpResourcesTool", action=Action.SEARCH, resource=("server",)),
    _claude(name="ReadMcpResourceTool", action=Action.READ, resource=("uri",)),
)

CODEX: tuple[ToolRule, ...] = (
    _codex(
        name="exec_command",
        action=Action.RUN,
        needs=("cmd",),
        command=("cmd",),
        purpose=("justification",),
    ),
    _codex(name="exec_command", action=Action.RUN, needs=("command",), command=("command",)),
    _codex(name="shell", action=Action.RUN, command=("command", "cmd")),
    _codex(name="shell_command", action=Action.RUN, command=("command", "cmd")),
    _codex(name="local_shell", action=Action.RUN, command=("command",)),
    _codex(name="local_shell_call", action=Action.RUN, command=("command",)),
    _codex(name="container.exec", action=Action.RUN, command=("cmd", "command")),
    _codex(name="write_stdin", action=Action.RUN, resource=("session_id",), job=("session_id",)),
    _codex(
        name="apply_patch",
        action=Action.WRITE,
        resource=("path",),
        content=("patch", "input", "patchText"),
    ),
    _codex(name="apply_patch_call", action=Action.WRITE, content=("patch", "input", "diff")),
    _codex(name="update_plan", action=Action.PLAN, todo=("plan",), purpose=("explanation",)),
    _codex(name="view_image", action=Action.READ, resource=("path",)),
    _codex(name="web_search_call", action=Action.SEARCH, resource=("query",)),
    _codex(name="web_search", action=Action.SEARCH, resource=("query",)),
    _codex(name="file_search_call", action=Action.SEARCH, resource=("queries", "query")),
    _codex(name="code_interpreter_call", action=Action.RUN, resource=("code",)),
    _codex(name="image_generation_call", action=Action.RUN, resource=("prompt",)),
    _codex(name="load_workspace_dependencies", action=Action.READ),
    _codex(name="read_thread_terminal", action=Action.READ),
    _codex(name="spawn_agent", action=Action.DELEGATE, resource=("message", "prompt", "task")),
    _codex(name="send_input", action=Action.DELEGATE, resource=("id",), job=("id",)),
    _codex(name="wait_agent", action=Action.READ, resource=("id", "ids", "targets")),
    _codex(name="close_agent", action=Action.EFFECT, resource=("id",), effect="stop helper"),
    _codex(name="request_user_input", action=Action.ASK, resource=("questions",)),
    _codex(name="list_mcp_resources", action=Action.SEARCH, resource=("server",)),
    _codex(name="read_mcp_resource", action=Action.READ, resource=("uri",)),
)

GEMINI_CLI: tuple[ToolRule, ...] = (
    _gemini(
        name="run_shell_command",
        action=Action.RUN,
        command=("command",),
        purpose=("description",),
    ),
    _gemini(name="read_file", action=Action.READ, needs=("file_path",), resource=("file_path",)),
    _gemini(
        name="read_file",
        action=Action.READ,
        needs=("absolute_path",),
        resource=("absolute_path",),
    ),
    _gemini(name="read_many_files", action=Action.READ, resource=("paths", "include")),
    _gemini(
        name="write_file",
        action=Action.WRITE,
        needs=("file_path",),
        resource=("file_path",),
        content=("content",),
    ),
    _gemini(
        name="replace",
        action=Action.WRITE,
        needs=("file_path",),
        resource=("file_path",),
        purpose=("instruction",),
    ),
    _gemini(name="list_directory", action=Action.SEARCH, resource=("dir_path", "path")),
    _gemini(name="search_file_content", action=Action.SEARCH, resource=("pattern",)),
    _gemini(name="grep_search", action=Action.SEARCH, resource=("pattern", "query")),
    _gemini(name="google_web_search", action=Action.SEARCH, resource=("query",)),
    _gemini(name="web_fetch", action=Action.READ, resource=("url", "prompt")),
    _gemini(name="save_memory", action=Action.WRITE, content=("fact",)),
    _gemini(name="write_todos", action=Action.PLAN, todo=("todos",)),
    _gemini(name="delegate_to_agent", action=Action.DELEGATE, resource=("objective",)),
    _gemini(name="codebase_investigator", action=Action.DELEGATE, resource=("objective",)),
    _gemini(name="activate_skill", action=Action.READ, resource=("name",)),
    _gemini(name="ask_user", action=Action.ASK, resource=("questions",)),
)

CODING_AGENTS: tuple[ToolRule, ...] = (*CLAUDE_CODE, *CODEX, *GEMINI_CLI)
