"""A setting that was written outside of the work is an effect, whichever tool wrote it."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.machine_files import is_of_the_machine
from tests.summarize.extractive.told import Native, bash, call, items, proposed, user

DESKTOP = "/home/ann/.local/share/applications/browser.desktop"


@pytest.mark.parametrize(
    "path",
    ["~/.zshrc", "$HOME/.config/nvim/init.lua", DESKTOP, "/root/.ssh/config", "/etc/hosts",
     "/Users/ann/.claude/skills/graph/SKILL.md",
     "/Users/ann/.claude/projects/-app/memory/next-step.md"],
)  # fmt: skip
def test_settings_of_a_home_and_of_the_system_are_of_the_machine(path: str) -> None:
    assert is_of_the_machine(path)


@pytest.mark.parametrize(
    "path",
    ["src/app.py", "/home/ann/work/.gitignore", "/Users/ann/app/.github/workflows/ci.yml",
     "/Users/ann/.claude/plans/a.md", "/Users/ann/.tool/worktrees/fix/src/a.go", "~/.cache/x/y",
     "/workspace/app/.env", "~/notes.txt"],
)  # fmt: skip
def test_files_of_the_work_and_notes_of_the_agents_program_are_not(path: str) -> None:
    assert not is_of_the_machine(path)


def told(*parts: list[Native]) -> list[tuple[str, str]]:
    made = items(proposed(user("go"), *parts), "effect")
    return [(item.text, item.evidence[0].quote) for item in made]


def test_a_line_appended_to_a_dotfile_is_an_effect() -> None:
    command = "echo 'export PATH=\"$HOME/.bun/bin:$PATH\"' >> ~/.zshrc"
    assert told(bash(command, "")) == [
        (f"file of the machine: ~/.zshrc ({command})", command.replace('"', '\\"'))
    ]


def test_an_edit_tool_may_write_one_and_its_answer_is_quoted_once() -> None:
    answer = f"Successfully created and wrote to new file: {DESKTOP}."
    first = call("write_file", {"file_path": DESKTOP, "content": "[Desktop Entry]"}, answer)
    again = call("write_file", {"file_path": DESKTOP, "content": "[Desktop Entry] 2"}, "ok")
    assert told(first, again) == [(f"file of the machine: {DESKTOP}", answer)]


def test_the_folder_made_for_it_is_not_told_beside_it() -> None:
    assert told(bash("mkdir -p ~/.config/hooks", "")) == []
    texts = [text for text, _ in told(bash("mkdir -p ~/.config/h; echo a > ~/.config/h/b.txt", ""))]
    assert texts == [
        "file of the machine: ~/.config/h/b.txt (mkdir -p ~/.config/h; echo a > ~/.config/h/b.txt)"
    ]


def test_a_write_that_failed_is_none() -> None:
    refused = "Error: EACCES: permission denied, open '/home/ann/.ssh/config'"
    assert (
        told(call("write_file", {"file_path": "/home/ann/.ssh/config", "content": ""}, refused))
        == []
    )
