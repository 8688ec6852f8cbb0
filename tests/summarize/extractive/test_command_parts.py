"""Effects of commands of several parts: what happened, what did not, and what nobody can tell."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from tests.summarize.extractive.told import bash, items, proposed

GEMINI = (
    "Command: {command}\nDirectory: (root)\nOutput: {output}\nError: (none)\nExit Code: {code}\n"
    "Signal: 0\nBackground PIDs: (none)\nProcess Group PGID: 955985"
)
CODEX = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}"
MINI = "<returncode>{code}</returncode>\n<output>\n{output}\n</output>"
CLAUDE = "Exit code {code}\n{output}"
FAMILIES = [GEMINI, CODEX, MINI, CLAUDE]

HOOKED = "warning: unable to access '/home/a/.gitignore_global'\nBlocked string\nCommit aborted."
UNSIGNED = "error: gpg failed to sign the data\n\nfatal: failed to write commit object"
MADE = "[main 4197b0c] Fix it\n 1 file changed, 2 insertions(+)"
REJECTED = " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'o'"
PUSHED = "To github.com:a/b.git\n   eba0e67..7368c30  main -> main"


def effects(command: str, family: str, output: str, code: int = 1) -> list[tuple[str, Status]]:
    told = family.format(command=command, output=output, code=code)
    return [(i.text, i.status) for i in items(proposed(bash(command, told)), "effect")]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("command", "output"),
    [
        ('git add . && git commit -m "Fix it" && git push', HOOKED),
        ('git commit -m "Fix it" && gh repo create a/b --push', UNSIGNED),
        ('git commit -m "Fix it"', UNSIGNED),
        ("git push; git log -1 bogus", REJECTED),
        ("git add . && git commit -am fix; make test", "nothing to commit, working tree clean"),
    ],
)
def test_what_git_would_have_said_did_not_happen(family: str, command: str, output: str) -> None:
    assert effects(command, family, output) == []


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        (
            'git commit -m "Fix it" && git push',
            f"{MADE}\n{REJECTED}",
            [("git commit: 4197b0c Fix it", Status.ACTIVE)],
        ),
        (
            "git push && make deploy-check",
            f"{PUSHED}\nmake: *** [x] Error 1",
            [("git push: git push → eba0e67..7368c30 main -> main", Status.ACTIVE)],
        ),
        (
            "git checkout src/a.py && make",
            "Updated 1 path from the index\nmake: *** [x] Error 1",
            [
                (
                    "discard changes: git checkout src/a.py → Updated 1 path from the index",
                    Status.ACTIVE,
                )
            ],
        ),
        (
            "git restore a.py && make",
            "make: *** [x] Error 1",
            [("discard changes: git restore a.py", Status.UNKNOWN)],
        ),
        # Quiet, cut or hidden output tells nothing.
        ("git commit -qm x && git push", REJECTED, [("git commit: git commit -qm x",
                                                     Status.UNKNOWN)]),
        ("git commit -m x | tail -1; make", "make: *** [x] Error 1",
         [("git commit: git commit -m x | tail -1", Status.UNKNOWN)]),
        ("git commit -m x; make", "[... 200 lines truncated ...]\nmake: *** [x] Error 1",
         [("git commit: git commit -m x", Status.UNKNOWN)]),
        ("rm a.py && make", "make: *** [x] Error 1", [("delete: rm a.py", Status.UNKNOWN)]),
    ],
)  # fmt: skip
def test_what_it_said_or_nobody_saw_stands(
    family: str, command: str, output: str, expected: list[tuple[str, Status]]
) -> None:
    assert effects(command, family, output) == expected


@pytest.mark.parametrize(
    ("command", "output", "happened"),
    [
        ("git push origin main 2>&1 | tail -3", REJECTED, False),
        ("git push origin main 2>&1 | tail -3", PUSHED, True),
        ("git commit -m x; echo done", "On branch main\nnothing to commit\ndone", False),
        ("git commit -m x; echo done", f"{MADE}\ndone", True),
        ("git merge topic 2>&1 | tail -1", "fatal: refusing to merge unrelated histories", False),
        ("git tag v1; git log bogus", "fatal: ambiguous argument 'bogus'", True),
        ("git commit -qm x; echo done", "done", True),
    ],
)
def test_an_exit_code_that_hides_a_refusal_does_not_make_it_an_effect(
    command: str, output: str, happened: bool
) -> None:
    assert bool(effects(command, MINI, output, code=0)) is happened


def test_each_effect_of_a_chain_that_worked_stands_for_itself() -> None:
    command = 'git commit -m "Fix it" && gh repo create a/b --source=. --push'
    output = f"{MADE}\n✓ Created repository a/b on github.com"
    assert effects(command, GEMINI, output, code=0) == [
        ("git commit: 4197b0c Fix it", Status.ACTIVE),
        (
            f"repository created: {command[26:]} → ✓ Created repository a/b on github.com",
            Status.ACTIVE,
        ),
    ]


def test_a_refusal_that_a_pipe_hides_is_a_dead_end() -> None:
    told = MINI.format(output=REJECTED, code=0)
    (dead,) = items(proposed(bash("git push origin main 2>&1 | tail -3", told)), "dead_end")
    assert dead.field("error") == "error: failed to push some refs to 'o'"


@pytest.mark.parametrize(
    ("command", "happened"),
    [
        ("S=/private/tmp/a/x\ngit clone -q o $S\ngit -C $S commit --allow-empty -q -m same", False),
        ("cd /tmp/x && git init -q && git commit -q -m one", False),
        ('D=$(mktemp -d); git -C "$D" commit -q -m one', False),
        ("git -C /tmp/x push -q origin main", True),
        ("cd /tmp/x && ls; cd /work && git commit -q -m one", True),
        ("git commit -q -F /work/message.txt", True),
    ],
)
def test_what_git_did_in_a_scratch_folder_is_no_effect(command: str, happened: bool) -> None:
    assert bool(effects(command, MINI, "", code=0)) is happened


GONE = "zsh: no matches found: /home/keeper/.tide/rows.db-*"


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat > lamp_test.go <<'EOF'\npackage lamp\nEOF\ngo test ./lamp\nrm lamp_test.go", "ok"),
        ("echo 1 >moon.txt; wc moon.txt; rm -f moon.txt", "1 moon.txt"),
        ("rm -f ~/.tide/rows.db ~/.tide/rows.db-* 2>/dev/null\n./tide index", f"{GONE}\nindexed 8"),
        ("rm lamp.log moon.log; ls", "rm: lamp.log: No such file\nrm: moon.log: No such file"),
    ],
)
def test_what_was_made_there_or_is_not_there_is_not_deleted(
    family: str, command: str, output: str
) -> None:
    assert effects(command, family, output, code=0) == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("rm lamp_test.go", ""),
        ("rm lamp_test.go\ncat > lamp_test.go <<'EOF'\npackage lamp\nEOF", ""),
        ("cat > lamp_test.go.old <<'EOF'\nEOF\nrm lamp_test.go", ""),
        ("echo 1 > moon.txt; rm moon.txt tide.txt", ""),
        ("rm -f ~/.tide/rows.db ~/.tide/rows.db-*", "indexed 8"),
        ("rm lamp.log moon.log", "rm: lamp.log: No such file or directory"),
    ],
)
def test_what_was_there_before_is_deleted(command: str, output: str) -> None:
    made = effects(command, MINI, output, code=0)
    assert [text.split(":")[0] for text, _ in made] == ["delete"]
