"""What a person types to the agent's program is no request to the agent."""

from __future__ import annotations

import pytest

from clew.tools_seen import is_slash_command


@pytest.mark.parametrize(
    "typed",
    [
        "/undo", "/clear", " /undo\n", "/clear\n/undo", "/add src/app.py", "/add README",
        "/drop src/app.py tests/test_app.py", "/read-only docs/*.md", "/run pytest -q tests",
        "/git commit -m 'the end'", "/model sonnet", "/compact", "/cost", "/rewind",
        "/compress", "/chat save", "/ask", "/web https://example.org/a",
    ],
)  # fmt: skip
def test_a_command_to_the_program(typed: str) -> None:
    assert is_slash_command(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "", "undo", "/ask why is it a float?", "/clear\nall the tooltips show 0 lines",
        "/review 123", "/init", "/fix-issue 42", "/commit", "/add a test for the parser",
        "/run the tests and mend what fails", "/tmp/run.log shows the error", "/etc", "/undo that",
        "/compact keep the list of ids",
        "please /undo", "//undo", "/Undo everything", "/code rename the class",
    ],
)  # fmt: skip
def test_what_asks_the_agent_is_none(typed: str) -> None:
    assert not is_slash_command(typed)
