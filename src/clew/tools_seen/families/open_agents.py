"""Tools of the open agents: Cline, opencode, pi, OpenHands, SWE-agent, mini-SWE-agent, Terminus."""

from __future__ import annotations

from functools import partial

from clew.tools_seen.seen import Action
from clew.tools_seen.table import ToolRule

_cline = partial(ToolRule, family="cline")
_opencode = partial(ToolRule, family="opencode")
_pi = partial(ToolRule, family="pi", marks_errors=True)
_openhands = partial(ToolRule, family="openhands")
_swe = partial(ToolRule, family="swe_agent")

CLINE: tuple[ToolRule, ...] = (
    _cline(name="execute_command", action=Action.RUN, command=("command",)),
    _cline(name="read_file", action=Action.READ, needs=("path",), resource=("path",)),
    _cline(name="write_to_file", action=Action.WRITE, resource=("path",), content=("content",)),
    _cline(name="replace_in_file", action=Action.WRITE, resource=("path",)),
    _cline(name="apply_diff", action=Action.WRITE, resource=("path",)),
    _cline(name="insert_content", action=Action.WRITE, resource=("path",)),
    _cline(name="list_files", action=Action.SEARCH, resource=("path",)),
    _cline(name="search_files", action=Action.SEARCH, resource=("regex", "pattern", "query")),
    _cline(name="list_code_definition_names", action=Action.SEARCH, resource=("path",)),
    _cline(name="browser_action", action=Action.RUN, resource=("url", "action")),
    _cline(name="access_mcp_resource", action=Action.READ, resource=("uri",)),
    _cline(name="load_mcp_documentation", action=Action.READ),
    _cline(name="ask_followup_question", action=Action.ASK, resource=("question",)),
    _cline(name="plan_mode_respond", action=Action.ASK, resource=("response",)),
    _cline(name="attempt_completion", action=Action.ASK, resource=("result",)),
    _cline(name="new_task", action=Action.DELEGATE, resource=("context", "message")),
    _cline(name="update_todo_list", action=Action.PLAN, todo=("todos",)),
    _cline(name="focus_chain", action=Action.PLAN, todo=("todos", "list")),
)

OPENCODE: tuple[ToolRule, ...] = (
    _opencode(name="read", action=Action.READ, needs=("filePath",), resource=("filePath",)),
    _opencode(
        name="write",
        action=Action.WRITE,
        needs=("filePath",),
        resource=("filePath",),
        content=("content",),
    ),
    _opencode(name="edit", action=Action.WRITE, needs=("filePath",), resource=("filePath",)),
    _opencode(name="patch", action=Action.WRITE, needs=("patchText",), content=("patchText",)),
    _opencode(
        name="apply_patch", action=Action.WRITE, needs=("patchText",), content=("patchText",)
    ),
    _opencode(
        name="bash",
        action=Action.RUN,
        needs=("command", "description"),
        command=("command",),
        purpose=("description",),
    ),
    _opencode(name="todowrite", action=Action.PLAN, todo=("todos",)),
    _opencode(name="todoread", action=Action.PLAN),
    _opencode(name="webfetch", action=Action.READ, resource=("url",)),
    _opencode(name="skill", action=Action.READ, resource=("name",)),
    _opencode(name="task", action=Action.DELEGATE, resource=("description",)),
    _opencode(name="question", action=Action.ASK, resource=("questions",)),
    _opencode(name="list", action=Action.SEARCH, resource=("path",)),
    _opencode(name="codesearch", action=Action.SEARCH, resource=("query",)),
    _opencode(name="websearch", action=Action.SEARCH, resource=("query",)),
)

PI: tuple[ToolRule, ...] = (
    _pi(name="bash", action=Action.RUN, needs=("command",), command=("command",)),
    _pi(name="read", action=Action.READ, needs=("path",), resource=("path",)),
    _pi(
        name="write",
        action=Action.WRITE,
        needs=("path", "content"),
        resource=("path",),
        content=("content",),
    ),
    _pi(name="edit", action=Action.WRITE, needs=("path",), resource=("path",)),
    _pi(name="grep", action=Action.SEARCH, needs=("pattern",), resource=("pattern",)),
    _pi(name="find", action=Action.SEARCH, needs=("pattern",), resource=("pattern",)),
    _pi(name="ls", action=Action.SEARCH, needs=("path",), resource=("path",)),
)

_EDITORS = ("str_replace_editor", "str_replace_based_edit_tool", "file_editor", "editor")

OPENHANDS: tuple[ToolRule, ...] = (
    _openhands(name="execute_bash", action=Action.RUN, command=("command",)),
    _openhands(name="terminal", action=Action.RUN, command=("command",)),
    _openhands(name="execute_ipython_cell", action=Action.RUN, resource=("code",)),
    *(
        _openhands(
            name=editor,
            action=action,
            when=(("command", command),),
            resource=("path",),
            content=content,
        )
        for editor in _EDITORS
        for command, action, content in (
            ("view", Action.READ, ()),
            ("create", Action.WRITE, ("file_text",)),
            ("str_replace", Action.WRITE, ()),
            ("insert", Action.WRITE, ()),
            ("undo_edit", Action.WRITE, ()),
        )
    ),
    *(
        _openhands(name=editor, action=Action.WRITE, needs=("path",), resource=("path",))
        for editor in (*_EDITORS, "edit_file")
    ),
    _openhands(name="task_tracker", action=Action.PLAN, todo=("task_list",)),
    _openhands(name="think", action=Action.PLAN, resource=("thought",)),
    _openhands(name="finish", action=Action.ASK, resource=("message",)),
    _openhands(name="browser", action=Action.RUN, resource=("code",)),
    _openhands(name="web_read", action=Action.READ, resource=("url",)),
    _openhands(name="delegate", action=Action.DELEGATE, resource=("task", "inputs")),
)

SWE_AGENT: tuple[ToolRule, ...] = (
    _swe(name="open", action=Action.READ, needs=("path",), resource=("path",)),
    _swe(name="goto", action=Action.READ, resource=("line_number",)),
    _swe(name="scroll_up", action=Action.READ),
    _swe(name="scroll_down", action=Action.READ),
    _swe(name="create", action=Action.WRITE, needs=("filename",), resource=("filename",)),
    _swe(name="edit", action=Action.WRITE, needs=("search",)),
    _swe(name="edit", action=Action.WRITE, needs=("replacement_text",)),
    _swe(name="insert", action=Action.WRITE, needs=("text",)),
    _swe(name="find_file", action=Action.SEARCH, resource=("file_name",)),
    _swe(name="search_dir", action=Action.SEARCH, resource=("search_term",)),
    _swe(name="search_file", action=Action.SEARCH, resource=("search_term",)),
    _swe(name="submit", action=Action.ASK, effect="submit"),
    _swe(name="bash_command", action=Action.RUN, command=("keystrokes", "command")),
    _swe(name="mark_task_complete", action=Action.ASK),
)

OPEN_AGENTS: tuple[ToolRule, ...] = (*CLINE, *OPENCODE, *PI, *OPENHANDS, *SWE_AGENT)
