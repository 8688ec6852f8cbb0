"""What calls did: resource, action, version and outcome, one table a tool family."""

from clew.tools_seen.asked import Answered, answered_in, answered_in_result
from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.harness import (
    ended_tasks,
    expands_command,
    is_harness_text,
    is_product_summary,
    spoken_beside_output,
    spoken_in_answer,
    spoken_in_result,
    typed_text,
)
from clew.tools_seen.see import see, see_call, see_exchange
from clew.tools_seen.seen import Action, CallSeen, Outcome, TestRun, TodoItem
from clew.tools_seen.shell import ShellSeen, see_shell
from clew.tools_seen.slash_commands import is_slash_command
from clew.tools_seen.table import CommandRule, ToolRule, ToolTable
from clew.tools_seen.tests_run import see_tests
from clew.tools_seen.text_protocols import (
    is_observation,
    observed_text,
    see_transcript,
    text_calls,
    textual_calls,
)
from clew.tools_seen.version import plain_content, version_of

__all__ = [
    "DEFAULT_TABLE",
    "Action",
    "Answered",
    "CallSeen",
    "CommandRule",
    "Outcome",
    "ShellSeen",
    "TestRun",
    "TodoItem",
    "ToolRule",
    "ToolTable",
    "answered_in",
    "answered_in_result",
    "ended_tasks",
    "expands_command",
    "is_harness_text",
    "is_observation",
    "is_product_summary",
    "is_slash_command",
    "observed_text",
    "plain_content",
    "see",
    "see_call",
    "see_exchange",
    "see_shell",
    "see_tests",
    "see_transcript",
    "spoken_beside_output",
    "spoken_in_answer",
    "spoken_in_result",
    "text_calls",
    "textual_calls",
    "typed_text",
    "version_of",
]
