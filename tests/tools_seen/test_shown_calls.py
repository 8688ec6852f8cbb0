"""A call that an export wrote into one text, and texts that only look like one."""

from __future__ import annotations

import pytest

from clew.codecs import codec_for
from clew.summarize.extractive.reading import read_span
from clew.summarize.request import SpanView
from clew.tools_seen import textual_calls
from clew.tools_seen.seen import CallSeen, Outcome
from clew.tools_seen.shown_calls import shown_call
from clew.transcript import Format, Message

SCRIPT = (
    "Remove the throwaway test, rebuild\n\n```bash\ncd /app\nrm -f pkg/zz_test.go\ngo build ./..."
    "\n```\n\n```text\n=== BUILD OK ===\n```"
)
LINE = (
    "Show the results\n\n`cat /tmp/out.txt`\n\n"
    "```text\n<tool_use_error>Blocked: sleep 60</tool_use_error>\n```"
)
WROTE = "```text\nThe file /app/pkg/a.go has been updated successfully.\n```"


def said(text: str) -> Message:
    return codec_for(Format.OPENAI_CHAT).parse({"role": "assistant", "content": text}, 0)


def seen(text: str) -> tuple[CallSeen, ...]:
    return textual_calls(said(text), None)


def test_a_title_a_script_and_an_output_are_a_call() -> None:
    (made,) = seen(SCRIPT)
    assert (made.command, made.effect, made.outcome) == (
        "cd /app\nrm -f pkg/zz_test.go\ngo build ./...", "delete", Outcome.OK,
    )  # fmt: skip


def test_a_line_between_backticks_is_a_command_and_its_output_is_judged() -> None:
    (made,) = seen(LINE)
    assert made.command == "cat /tmp/out.txt"
    assert (made.outcome, made.decisive_line) == (Outcome.FAILED, "Blocked: sleep 60")


def test_the_answer_of_an_edit_alone_is_a_write() -> None:
    (made,) = seen(WROTE)
    assert (made.action.value, made.resource, made.outcome) == (
        "write",
        "/app/pkg/a.go",
        Outcome.OK,
    )


def test_a_path_over_a_text_is_a_read() -> None:
    (made,) = seen("`./pkg/cmd/a.go`\n\n```text\n12\tfunc a() {\n13\t}\n```")
    assert (made.action.value, made.resource, made.outcome) == (
        "read", "./pkg/cmd/a.go", Outcome.OK,
    )  # fmt: skip


def test_the_command_and_its_output_are_nobodys_prose() -> None:
    message = said(SCRIPT)
    span = SpanView(
        handle="S-1", position=0, positions=(0,), messages=(message,), calls=seen(SCRIPT)
    )
    reading = read_span(span)
    assert reading.prose == ("Remove the throwaway test, rebuild",)
    assert reading.results == ("=== BUILD OK ===",)
    assert not reading.finished


@pytest.mark.parametrize(
    "text",
    [
        "Run this yourself:\n\n```bash\nmake\n```\n\n```text\nok\n```",
        "Run it\n\n```bash\nmake\n```\n\nIt prints:\n\n```text\nok\n```",
        "It works\n\n```bash\nmake\n```\n\n```text\nok\n```\n\nShall I go on?",
        "# Usage\n\n```bash\nmake\n```\n\n```text\nok\n```",
        "```text\n1→package main\n```",
        "Both\n\n```bash\na\n```\n\n```text\nok\n```\n\n```text\nok\n```",
        "Two\n\n```bash\na\n```\n\n```bash\nb\n```\n\n```text\nok\n```",
    ],
)
def test_an_account_with_commands_in_it_is_no_call(text: str) -> None:
    assert shown_call(text) is None
    assert seen(text) == ()


def test_a_file_shown_whole_above_what_the_tool_said_was_written() -> None:
    text = (
        "```md\n# Notes\nCome back to the cache.\n```\n\n"
        "```text\nFile created successfully at: /app/notes.md\n```"
    )
    shown = shown_call(text)
    assert shown is not None
    assert (shown.path, shown.call) == ("/app/notes.md", "# Notes\nCome back to the cache.")
    assert shown_call(text.replace("File created", "Nothing created")) is None
