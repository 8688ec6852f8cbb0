"""Effects that only a helper's report tells of, and installations by the line that says so."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from tests.summarize.extractive.told import Native, bash, call, items, proposed, user

HASH = "32031504db48fc3f641724ab10113f5dc04d2062"
REPORT = (
    "Committed successfully.\n\n- Commit hash: `" + HASH + "`\n"
    "- Commit message: `Tooling // Docs // Add the snapshots`\n- Files: `a.md`\n"
)
SETUP = (
    "## Summary\n\n- Created using `npx create-next-app@latest todo` with it\n"
    "- Configured with `src/` for better order\n- Installed `lucide-react` for icons\n\n"
    "To install `x` later, ask. The icons were installed.\n"
)


def effects(*parts: list[Native]) -> list[tuple[str, Status]]:
    return [(i.text, i.status) for i in items(proposed(user("go"), *parts), "effect")]


def helper(report: str) -> list[Native]:
    return call("task", {"description": "Commit", "prompt": "x", "subagent_type": "g"}, report)


def test_a_commit_told_behind_labels_is_a_commit_of_the_helper() -> None:
    assert effects(helper(REPORT)) == [
        (
            f"git commit by a helper: {HASH} Tooling // Docs // Add the snapshots",
            Status.UNKNOWN,
        )
    ]


def test_a_line_of_a_report_that_opens_with_what_was_done_is_an_effect() -> None:
    assert effects(helper(SETUP)) == [
        (
            "created by a helper: Created using `npx create-next-app@latest todo` with it",
            Status.UNKNOWN,
        ),
        ("install by a helper: Installed `lucide-react` for icons", Status.UNKNOWN),
    ]


def test_the_same_lines_in_a_file_are_no_effect() -> None:
    assert effects(call("read", {"filePath": "/a/report.md"}, REPORT + SETUP)) == []


@pytest.mark.parametrize(
    ("command", "output", "said"),
    [
        ("bun install -g tui", "bun add v1.3\n\ninstalled tui@0.2.0 with binaries:\n - tui",
         "installed tui@0.2.0 with binaries:"),
        ("pip install -e .", "Obtaining file:///x\nSuccessfully installed x-3.1",
         "Successfully installed x-3.1"),
        ("npm install", "\nadded 116 packages, and audited 117 packages in 8s",
         "added 116 packages, and audited 117 packages in 8s"),
    ],
)  # fmt: skip
def test_an_installation_carries_the_line_that_says_so(
    command: str, output: str, said: str
) -> None:
    assert effects(bash(command, output)) == [(f"install: {command} → {said}", Status.ACTIVE)]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("brew install jq", "Warning: jq 1.7 is already installed and up-to-date.\n"),
        ("mas install 497799835", "[stderr] Warning: Already installed Xcode (497799835)"),
        ("pip install six", "Requirement already satisfied: six in /usr/lib/python3"),
    ],
)
def test_what_was_there_was_not_installed(command: str, output: str) -> None:
    assert effects(bash(command, output)) == []


def test_handing_in_the_work_is_an_effect_with_the_words_that_announce_it() -> None:
    made = items(
        proposed(
            user("go"), call("submit", {}, "diff --git a/x b/x", said="Calling `submit` now.")
        ),
        "effect",
    )
    assert [(i.text, i.evidence[0].quote) for i in made] == [
        ("submit: submit", "Calling `submit` now.")
    ]


def test_asking_whether_a_process_lives_ends_none() -> None:
    assert effects(bash("while kill -0 $(pgrep -f bench); do sleep 3; done", "(done)")) == []
    assert effects(bash("kill -9 4711", "")) == [("kill process: kill -9 4711", Status.ACTIVE)]


def test_a_script_that_installed_something_says_so_in_its_output() -> None:
    said = "added 96 packages, and audited 585 packages in 4s"
    assert effects(bash("node setup.js", f"Setting up\n\n{said}\n")) == [
        (f"install: node setup.js \u2192 {said}", Status.ACTIVE)
    ]
    assert (
        effects(bash("node setup.js", "added 0 packages\nThis added 3 packages to the list")) == []
    )


def test_a_package_manager_is_known_by_its_script() -> None:
    command = "/opt/node /opt/lib/npm/bin/npm-cli.js install left-pad@1.3.0"
    ((text, _),) = effects(bash(command, "changed 1 package"))
    assert text.startswith("install: ")
    assert effects(bash("node server.js install", "listening")) == []


def test_a_clone_of_what_others_made_is_an_effect_wherever_it_lies() -> None:
    afar = "git clone --depth 1 https://example.org/grammar.git /tmp/grammar"
    assert effects(bash(afar, "Cloning into '/tmp/grammar'...")) == [
        (f"git clone: {afar}", Status.ACTIVE)
    ]
    assert effects(bash("git clone /work/app /tmp/app", "Cloning into '/tmp/app'...")) == []


def test_a_helpers_commit_under_labels_rests_on_what_it_was_told_to_commit() -> None:
    order = "Commit the names and the second pass over the manual."
    report = "Done.\n\nCommit details:\n- Hash: `2146b6e`\n- Message: `Names: call things alike`\n"
    made = items(
        proposed(user("go"), call("Task", {"prompt": f"Goal:\n- {order}\n- Do not push."}, report)),
        "effect",
    )
    assert [each.text for each in made] == [
        "git commit by a helper: 2146b6e Names: call things alike"
    ]
    assert order in [evidence.quote for evidence in made[0].evidence]
