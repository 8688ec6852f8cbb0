"""An output may show that a call failed though nothing marks it; others only hold the words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.summarize.extractive import failures_shown
from clew.summarize.extractive.actions import attempts_in
from clew.summarize.extractive.failures_shown import judged
from clew.summarize.extractive.reading import Reading, read_span
from clew.tools_seen.seen import Action, CallSeen, Outcome
from tests.summarize.extractive.told import Native, bash, call, spans_of

COMPILED = "# app/cmd\ncmd/main.go:64:23: cannot use name (untyped string) as Name value\n"
EDIT = "Your proposed edit has introduced new syntax error(s). Please fix them and retry.\n"
ENDED_WELL = "Command: dump\nOutput: Failed to parse input.\nError: (none)\nExit Code: 0"
LARGE = (
    "File content (47905 tokens) exceeds the maximum of 25000 tokens. "
    "Use offset and limit to read portions of it."
)
HUGE = "<warning>\nThe output of your last command was too long.\n</warning>\n" + "x = 1\n" * 90


def seen(*exchanges: list[Native]) -> list[str]:
    readings = [read_span(s) for s in spans_of([m for each in exchanges for m in each])]
    return shown(readings)


def shown(readings: Sequence[Reading]) -> list[str]:
    return [a.call.decisive_line for a in judged(attempts_in(readings)) if a.shown]


@pytest.mark.parametrize(
    ("exchange", "line"),
    [
        (
            bash("go build ./cmd 2>&1 | head -30", COMPILED),
            "cmd/main.go:64:23: cannot use name (untyped string) as Name value",
        ),
        (
            bash("mise run lint 2>&1 | head -50", "[lint:go] $ run\n[lint:go] ERROR task failed"),
            "[lint:go] ERROR task failed",
        ),
        (
            bash("make check | tail", "src/a.c:20:4: expected a semicolon\n2 errors\nOK"),
            "src/a.c:20:4: expected a semicolon",
        ),
        (
            bash("ls /srv/old 2>&1 | head -5", "ls: /srv/old: No such file or directory"),
            "ls: /srv/old: No such file or directory",
        ),
        (
            bash(
                "go list ./... | grep x || true",
                "go: writing cache: open /m/v: operation not permitted",
            ),
            "go: writing cache: open /m/v: operation not permitted",
        ),
        (
            call("webfetch", {"url": "https://a.example/x"}, "A page\n\nPlease enable JavaScript."),
            "Please enable JavaScript.",
        ),
        (
            call("edit", {"path": "a.py", "text": "x"}, EDIT + "\nERRORS:\n- E999 SyntaxError: ]"),
            "- E999 SyntaxError: ]",
        ),
        (call("read", {"path": "m.py"}, HUGE), "The output of your last command was too long."),
        (bash("dump --raw < a.bin | head -40", ENDED_WELL), "Failed to parse input."),
        (
            bash("zcat a.bin | head -c 200", "gzip: a.bin: not in gzip format"),
            "gzip: a.bin: not in gzip format",
        ),
        (
            bash("app commit a1b2 --fast 2>&1 | head -9", "commit accepts at most one revision"),
            "commit accepts at most one revision",
        ),
        (bash("journal | grep http | tail -5", "Segmentation fault"), "Segmentation fault"),
        (
            call("read", {"path": "big.md"}, LARGE),
            LARGE,
        ),
    ],
    ids=[
        "compiler behind a pipe",
        "task behind a pipe",
        "check behind a pipe",
        "shell behind a pipe",
        "shell behind a way out",
        "wall",
        "edit",
        "flood",
        "answer behind a pipe",
        "program behind a pipe",
        "usage behind a pipe",
        "died behind a pipe",
        "too large",
    ],
)
def test_what_an_output_says_of_its_own_call_is_a_failure(
    exchange: list[Native], line: str
) -> None:
    assert seen(exchange) == [line]


@pytest.mark.parametrize(
    "exchange",
    [
        bash("grep -rn Error src", "src/a.go:64:23: return fmt.Errorf(name)"),
        bash("go vet ./... | tail -3", "a/b.go:10:2: warning: name shadows another"),
        bash("fan status", "dmesg: read of the buffer failed: Operation not permitted\nFalse"),
        bash("tail -5 app.log", "ValueError: bad row 7\nlistening on port 80"),
        bash("git log --oneline | head", "4197b0c Fix: error is lost when the file is not found"),
        call("read", {"path": "errors.md"}, "Invalid keys are refused.\n" + "More text. " * 40),
        call("webfetch", {"url": "https://a.example"}, "How to enable JavaScript. " * 40),
        call("run_checks", {"title": "all"}, "Failed: 0, passed: 12"),
        call("read", {"path": "guide.md"}, "How to tell that the output was too long. " * 20),
        bash("echo hello", "hello"),
        bash(
            "go test -v ./a 2>&1 | tail -9",
            "    hooks.go:209: Hook output: none\n--- PASS: TestA\nPASS",
        ),
        bash("pytest -v | tail -9", "tests/a.py:4: checked the rows\n=== 3 passed in 0.1s ==="),
        call(
            "grep",
            {"pattern": "x"},
            "Output too large (22KB). Saved to: /tmp/o.txt\n" + "x\n" * 200,
        ),
        call("read", {"path": "a"}, "Result too long, written to out/a.txt\n" + "a = 1\n" * 200),
        call("read", {"path": "faq.md"}, "The response exceeds what we hoped for."),
        bash("tail -1 app.log | cut -c1-80", "worker: job 7 was not found"),
        bash("make -s all; date", "make: Nothing to be done for 'all'."),
        bash("grep -rn Failed docs | head", ENDED_WELL),
    ],
    ids=[
        "search",
        "warning",
        "warned and went on",
        "log",
        "history",
        "file",
        "page",
        "count",
        "guide",
        "plain",
        "logged",
        "checked",
        "saved",
        "written",
        "praise",
        "another program",
        "nothing to do",
        "found in a file",
    ],
)
def test_words_of_failure_in_what_was_looked_at_are_none(exchange: list[Native]) -> None:
    assert seen(exchange) == []


def test_each_result_speaks_of_its_own_call() -> None:
    first = CallSeen(call_id="a", tool="lookup", family="x", action=Action.READ, resource="one")
    second = CallSeen(call_id="b", tool="lookup", family="x", action=Action.READ, resource="two")
    ok = [
        CallSeen(
            call_id=c.call_id, tool=c.tool, family=c.family, action=c.action, resource=c.resource,
            outcome=Outcome.OK,
        )
        for c in (first, second)
    ]  # fmt: skip
    both = Reading(
        handle="S-1",
        position=0,
        calls=tuple(ok),
        results=("Four rows.", "Invalid API key. Check it."),
    )
    made = [a.call.resource for a in judged(attempts_in([both])) if a.shown]
    assert made == ["two"]


def test_a_call_that_is_marked_as_failed_keeps_its_own_line() -> None:
    failed = CallSeen(
        call_id="a", tool="bash", family="shell", action=Action.RUN, command="make",
        outcome=Outcome.FAILED, decisive_line="make: *** no rule",
    )  # fmt: skip
    reading = Reading(handle="S-1", position=0, calls=(failed,), results=("Error: other",))
    (attempt,) = judged(attempts_in([reading]))
    assert (attempt.call.decisive_line, attempt.shown) == ("make: *** no rule", False)


def test_a_title_of_an_error_marks_what_stands_below_it() -> None:
    output = "> jest\n\nValidation Error:\n\nlinks.follow is incompatible with the watcher"
    said = ["links.follow is incompatible with the watcher"]
    assert seen(bash("npm test -- --all | tail", output)) == said
    assert seen(bash("npm test -- --all | tail", output.replace("Error:", "result:"))) == []


_WRITTEN = st.lists(
    st.one_of(
        st.sampled_from(failures_shown._FRAMES),
        st.sampled_from(
            ["src/a", ".py", ":12", ":3: ", "(4,5): ", "cannot use it", " ", "[x] ", "0"]
        ),
        st.text(max_size=4),
    ),
    max_size=6,
).map("".join)


@given(_WRITTEN)
def test_every_line_with_a_frame_begins_as_one(line: str) -> None:
    bare = line.strip()
    assert failures_shown._unframed(bare) == failures_shown._FRAME.sub("", bare)


@given(_WRITTEN)
def test_every_line_of_a_fault_at_a_place_holds_the_place(line: str) -> None:
    if failures_shown._AT_A_PLACE.match(line):
        assert failures_shown._PLACE.search(line)
