"""Shell text: what is read, searched, run, written, and what has an effect outside."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools_seen import DEFAULT_TABLE, Action, CommandRule, see_shell
from clew.tools_seen.shell_lex import split_commands

READS = [
    ("cat a.py", ("a.py",)),
    ("cd /x && cat a.py | head -5", ("/x/a.py",)),
    ("cd /x && cat host:notes.txt", ("host:notes.txt",)),
    ("sed -n '1,20p' a.go && nl -ba b.go", ("a.go", "b.go")),
    ("head -n 20 log.txt", ("log.txt",)),
    ("tail -f -n 5 'my file.txt'", ("my file.txt",)),
    ("type C:\\work\\a.txt", ("C:\\work\\a.txt",)),
    ("less docs/a.md", ("docs/a.md",)),
    ("git -C repo status", ("git status",)),
    ("git diff HEAD~1 -- a.py", ("git diff HEAD~1 a.py",)),
    ("curl -s https://x/y", ("https://x/y",)),
    ("bash -lc 'cat setup.cfg'", ("setup.cfg",)),
    ("cat a.txt > /dev/null 2>&1", ("a.txt",)),
    ("FOO=1 env BAR=2 cat a.txt", ("a.txt",)),
]


@pytest.mark.parametrize(("text", "resources"), READS)
def test_reading_commands_name_what_they_read(text: str, resources: tuple[str, ...]) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert (seen.action, seen.resources, seen.effect) == (Action.READ, resources, "")


def test_what_comes_from_elsewhere_is_no_path_from_here() -> None:
    seen = see_shell("cd /x && bun add github:owner/name#main", DEFAULT_TABLE)
    assert (seen.effect, seen.resources) == ("install", ("github:owner/name#main",))


SEARCHES = [
    ("rg -n foo src", "foo", ("src",)),
    ('grep -n "a\\|b" file.py', "a\\|b", ("file.py",)),
    ("find . -name '*.go'", "*.go", (".",)),
    ("ls -la src", "", ("src",)),
    ("grep -e pattern -r lib", "pattern", ("lib",)),
    ("git grep TODO", "TODO", ()),
]


@pytest.mark.parametrize(("text", "pattern", "resources"), SEARCHES)
def test_searching_commands_keep_pattern_and_place(
    text: str, pattern: str, resources: tuple[str, ...]
) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert seen.action is Action.SEARCH
    if "git grep" not in text:
        assert (seen.pattern, seen.resources) == (pattern, resources)


PATCH = """apply_patch <<'PATCH'
*** Begin Patch
*** Update File: a/b.py
@@
-x
+y
*** Add File: c.py
+z
*** End Patch
PATCH"""
WRITES = [
    ("echo hi > out.txt", ("out.txt",)),
    ("cat <<'EOF' > f.py\nprint('a; rm -rf /')\nEOF", ("f.py",)),
    ("printf x | tee -a log", ("log",)),
    ("sed -i 's/a/b/' x.go", ("x.go",)),
    ("sed --in-place=.bak 's/a/b/' x.go", ("x.go",)),
    ("mkdir -p a/b", ("a/b",)),
    (PATCH, ("a/b.py", "c.py")),
]


@pytest.mark.parametrize(("text", "resources"), WRITES)
def test_writing_commands_name_what_they_write(text: str, resources: tuple[str, ...]) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert (seen.action, seen.resources) == (Action.WRITE, resources)


def test_a_heredoc_gives_the_content_that_was_written() -> None:
    seen = see_shell("cat > f.py <<'EOF'\nprint(1)\nprint(2)\nEOF", DEFAULT_TABLE)
    assert seen.content == "print(1)\nprint(2)"


EFFECTS = [
    ("git switch -c topic", "create branch"),
    ("git branch topic", "create branch"),
    ("git branch -m topic", "rename branch"),
    ("git config --global core.hooksPath ~/.hooks", "git config"),
    ("git remote set-url origin https://x/y", "git remote"),
    ("git pull --rebase", "git pull"),
    ("git -C /repo/.worktrees/2 read-tree HEAD", "git read-tree"),
    ("chmod -x /repo/.git/hooks/post-commit", "repository settings"),
    ("cat > .git/hooks/pre-commit <<'EOF'\n#!/bin/sh\nEOF", "repository settings"),
    ("echo 'nameserver 1.1.1.1' > /etc/resolv.conf", "system change"),
    ("/etc/init.d/blocky restart", "service restart"),
    ("ssh root@host 'uci set a.b=1 && uci commit a'", "remote change"),
    ("ssh root@host 'cat > /tmp/x.sh && sh /tmp/x.sh'", "remote change"),
    ("gh api -X POST repos/a/b/pulls/3/comments", "api call"),
    ("gh api repos/a/b/issues -f title=x", "api call"),
    ("gh api graphql -f query='mutation { x }'", "api call"),
    ("go get example.org/x@v1", "install"),
    ("docker run -d redis", "docker run"),
    ("git add -A && git commit -m 'x; y && z'", "git commit"),
    ("git push origin main", "git push"),
    ("git merge topic", "git merge"),
    ("git tag v1", "git tag"),
    ("git branch -D old", "delete branch"),
    ("git reset --hard HEAD~1", "git reset --hard"),
    ("rm -rf build", "delete"),
    ("mv a b", "move"),
    ("curl -s -X POST http://h/api -d '{}'", "http post"),
    ("curl -XPUT http://h/api", "http put"),
    ("curl --request DELETE http://h/api", "http delete"),
    ("curl -d a=1 http://h/api", "http post"),
    ("gh pr create --title x", "pull request created"),
    ("gh issue create -t x", "issue created"),
    ("kubectl -n prod apply -f x.yaml", "kubectl apply"),
    ("kubectl delete pod x", "kubectl delete"),
    ("terraform apply -auto-approve", "terraform apply"),
    ("docker push img:1", "docker push"),
    ("npm publish", "publish"),
    ("psql -c 'DROP TABLE t'", "sql drop"),
    ('psql db -c "UPDATE t SET a = 1"', "sql update"),
    ('sqlite3 x.db "INSERT INTO t VALUES (1)"', "sql insert"),
    ("sqlite3 x.db <<'SQL'\nDELETE FROM t;\nSQL", "sql delete"),
    ("psql -c 'ALTER TABLE t ADD c int'", "sql alter"),
    ("alembic upgrade head", "migration"),
    ("docker compose exec web alembic upgrade head", "migration"),
    ("python manage.py migrate", "migration"),
    ("mail -s hi a@b.c", "mail sent"),
    ("kill -9 123", "kill process"),
    ("ssh root@h 'rm -rf /x'", "delete"),
    ("sudo rm x", "delete"),
    ("if [ -f x ]; then rm x; fi", "delete"),
    ("(cd sub && git commit -qm x)", "git commit"),
    ("git rebase --onto origin/main c2fe52e topic", "git rebase"),
    ("git checkout -- . && ls", "discard changes"),
    ("sudo pacman -S --noconfirm kde-cli-tools", "install"),
    ("python3 -m pip install -q imageio", "install"),
    ("Set-Location -Path C:\\x; npm install", "install"),
    ("find . -name '__pycache__' -type d -exec rm -rf {} +", "delete"),
    ("echo 'options x force=1' | sudo tee /etc/modprobe.d/x.conf", "system change"),
    ("sudo modprobe -r x", "kernel module"),
    ("sudo legion_cli fan-speed-enable", "legion_cli fan-speed-enable"),
    ("mise trust -y mise.toml", "trust"),
    ("entire plugin install ./graph --force", "install"),
    ("npm run deploy", "npm run deploy"),
    ("make install", "make install"),
    ("git stash && git status", "git stash"),
    ("git stash pop", "git stash pop"),
    ("git restore a.py", "discard changes"),
    ("git worktree add ../x", "create worktree"),
    ("git checkout sympy/core/numbers.py", "discard changes"),
    ("cd app && git checkout .", "discard changes"),
    ("git checkout src/", "discard changes"),
    ("git checkout HEAD~1 README Makefile", "discard changes"),
    ("git checkout main src/a", "discard changes"),
    ("git checkout -f -- a", "discard changes"),
    ("git checkout .gitignore src/utils2.py", "discard changes"),
    ("git checkout .gitignore", "discard changes"),
    ("git checkout src/utils2.py", "discard changes"),
    ("git checkout lib/a.c", "discard changes"),
    ("gh repo edit a/b --visibility private", "repository edited"),
    ("gh repo rename c", "repository renamed"),
    ("mkdir x && cd x && git init && gh repo create x --public", "repository created"),
]


@pytest.mark.parametrize(("text", "effect"), EFFECTS)
def test_side_effects_are_named(text: str, effect: str) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert (seen.action, seen.effect) == (Action.EFFECT, effect)


@pytest.mark.parametrize(
    "text",
    [
        "tee notes.md", "git checkout topic", "pacman -Qi x", "./update-golden.sh", "tool list",
        "git checkout v1.2", "git checkout release/2.x", "git checkout feature/a-b", "git checkout",
        "git checkout -", "git checkout -t origin/topic", "git switch main", "git checkout HEAD~2",
        "gh repo view a/b", "git checkout 3.12", "gh repo list",
        "git checkout v1.2.rc1", "git branch -a", "git branch", "git branch --contains abc1234",
        "git config user.name", "git remote -v", "gh api repos/a/b --jq .name", "docker run x",
        "gh api graphql -f query='query { x }'", "gh api repos/a/b -X GET -f per_page=9",
        "ssh root@host 'cat /etc/hosts' > hosts.txt", "/etc/init.d/blocky status",
    ],
)  # fmt: skip
def test_what_stays_in_the_working_directory_is_no_effect(text: str) -> None:
    assert see_shell(text, DEFAULT_TABLE).effect == ""


@pytest.mark.parametrize(
    ("text", "action", "tests"),
    [
        ("bin/test sympy/core", Action.RUN, True),
        ("./test -v", Action.RUN, True),
        ("test -f x", Action.READ, False),
        ("/usr/bin/test -d x", Action.READ, False),
    ],
)
def test_a_runner_called_test_is_not_the_shells_comparison(
    text: str, action: Action, tests: bool
) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert (seen.action, seen.tests) == (action, tests)


def test_all_effects_of_a_command_are_named_and_the_furthest_first() -> None:
    seen = see_shell("rm -f x && git commit -qm y && git push", DEFAULT_TABLE)
    assert seen.effects == ("git commit", "git push", "delete")
    assert seen.effect == "git commit"


HARMLESS = [
    "git branch", "git stash list", "git tag --list", "psql -c 'SELECT 1'", "git log --oneline",
    "echo 'rm -rf /'", "kubectl get pods", "terraform plan", "grep -r 'git push' .",
    "cat <<'EOF'\nrm -rf x\nEOF", "# rm -rf x\nls",
    "edit 1:2\nrm -rf x\ngit push\nend_of_edit",
    "pytest tests install", "python install.py", "npm run lint", "git restore --staged a",
    "node tools/deploy.js", "make test install", "mytool plugin list",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS)
def test_text_that_only_mentions_an_effect_has_none(text: str) -> None:
    assert see_shell(text, DEFAULT_TABLE).effect == ""


TESTS = [
    "pytest -q tests", "python -m pytest -x", "uv run pytest", "cd a && go test ./... | tail -20",
    "cargo test --all", "npm test -- --watch=false", "FOO=1 timeout 60 npx vitest run",
    "make test", "mise run test:ci", "bash -lc 'go test ./...'", "dotnet test", "ctest -j4",
    "./gradlew test", "mvn -q test", "bundle exec rspec", "vendor/bin/phpunit",
]  # fmt: skip


@pytest.mark.parametrize("text", TESTS)
def test_test_runs_are_recognised(text: str) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert (seen.action, seen.tests) == (Action.RUN, True)


MASKED = [
    ("go test ./...", False),
    ("go test ./... | tail -20", True),
    ("pytest || true", True),
    ("pytest; echo done", True),
    ("cd a && pytest", False),
]


@pytest.mark.parametrize(("text", "masked"), MASKED)
def test_an_exit_code_that_speaks_for_another_command_is_marked(text: str, masked: bool) -> None:
    assert see_shell(text, DEFAULT_TABLE).masked is masked


def test_the_table_of_commands_can_be_extended() -> None:
    ours = CommandRule(words=("shipit",), action=Action.EFFECT, effect="shipped")
    table = DEFAULT_TABLE.extended(commands=(ours,))
    assert see_shell("shipit prod", table).effect == "shipped"
    assert see_shell("shipit prod", DEFAULT_TABLE).action is Action.RUN


def test_quotes_and_operators_are_not_confused() -> None:
    words = [c.words for c in split_commands("a 'b && c' \"d; e\" f\\ g && h # i")]
    assert words == [["a", "b && c", "d; e", "f g"], ["h"]]


@given(st.text(alphabet="ab '\"\\$()`<>|&;\n#={}EOF-/.", max_size=200))
def test_any_text_is_understood_without_an_exception(text: str) -> None:
    seen = see_shell(text, DEFAULT_TABLE)
    assert seen.action in Action


@pytest.mark.parametrize("piece", ["$(", "'", '"', "`", "<<E\n", "(", "a|", "\\", "a && "])
def test_long_hostile_text_is_read_in_linear_time(piece: str) -> None:
    start = time.process_time()
    see_shell(piece * 20_000, DEFAULT_TABLE)
    assert time.process_time() - start < 5
