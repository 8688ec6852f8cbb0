"""Whatever goes wrong is one line on standard error and a number."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from clew.cli import main
from tests.conftest import shared_path

PROGRAM = "import sys; from clew.cli import main; sys.exit(main())"
CHAT = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]


@pytest.fixture
def chat(tmp_path: Path) -> str:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    return str(path)


def fails(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """The one line that a failing command writes."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("clew: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("empty.json", b"", "empty"),
        ("list.json", b"[]", "list of 0 entries"),
        ("truncated.jsonl", b'{"type": "user", "message": {"role": "us', "broken JSON"),
        ("binary.bin", b"\x7fELF\x00\x01\x02\x00\xff\xfe" * 40, "binary"),
        ("zip.zip", b"PK\x03\x04 rest", "zip archive"),
        ("text.txt", b"just some words\nand more\n", ""),
        ("number.json", b"17", ""),
        ("strings.json", b'["a", "b"]', ""),
    ],
)
@pytest.mark.parametrize("command", ["replay", "compact"])
def test_an_unreadable_file_is_named_with_what_was_expected(
    command: str,
    name: str,
    content: bytes,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    line = fails(capsys, [command, str(path), "--json"])
    assert name in line
    assert expected in line


def test_a_missing_file_and_a_folder_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nowhere.json" in fails(capsys, ["replay", str(tmp_path / "nowhere.json")])
    assert "a folder without" in fails(capsys, ["replay", str(tmp_path)])


def test_mixed_formats_are_refused_with_the_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mixed.json"
    mixed = [*CHAT, {"role": "user", "parts": [{"text": "gemini"}]}]
    path.write_text(json.dumps(mixed))
    assert "message " in fails(capsys, ["replay", str(path)])


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("0", "below 1"),
        ("-5", "below 1"),
        ("ten", "not a whole number of tokens"),
        ("1.5", "not a whole number of tokens"),
        ("", "not a whole number of tokens"),
    ],
)
@pytest.mark.parametrize("command", ["replay", "compact"])
def test_a_window_that_cannot_work_is_refused_with_the_arithmetic(
    command: str, window: str, expected: str, chat: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert expected in fails(capsys, [command, chat, f"--window={window}"])


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("budget = 3", "expected a table"),
        ("[budget]\nwindow_tokens = -1", "below 1"),
        ("[budget]\nwindow = 1", "budget.window is no setting"),
        ("not toml at all", "no TOML document"),
    ],
)
def test_a_policy_that_cannot_be_read_is_named(
    document: str, expected: str, chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(document)
    assert expected in fails(capsys, ["replay", chat, "--policy", str(path)])


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["replay"],
        ["replay", "a", "b"],
        ["budget"],
        ["budget", "--window", "200k", "--frobnicate"],
        ["record"],
        ["recall", "words"],
        ["recall", "words", "--store", "x.db", "--limit", "0"],
    ],
)
def test_bad_usage_points_to_the_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--help" in fails(capsys, arguments)


def test_a_folder_for_results_that_is_a_file_is_named(
    chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "taken"
    path.write_text("")
    assert "taken: File exists" in fails(capsys, ["replay", chat, "--out", str(path)])


class TestStores:
    def test_a_missing_archive_is_not_made(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "nothing.db"
        assert "no such file" in fails(capsys, ["recall", "words", "--store", str(path)])
        assert not path.exists()

    def test_a_database_of_something_else_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "other.db"
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE t (x)")
        database.close()
        assert "other.db" in fails(capsys, ["recall", "words", "--store", str(path)])

    def test_a_database_of_a_newer_version_is_refused(
        self, chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "clew.db"
        assert main(["compact", chat, "--store", str(path)]) == 0
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 9999")
        database.close()
        capsys.readouterr()
        line = fails(capsys, ["compact", chat, "--store", str(path)])
        assert "upgrade Clew" in line

    def test_a_locked_database_is_refused(
        self, chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "clew.db"
        assert main(["compact", chat, "--store", str(path)]) == 0
        capsys.readouterr()
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        try:
            line = fails(capsys, ["compact", chat, "--store", str(path)])
        finally:
            holder.close()
        assert "close the other writer" in line

    def test_an_archive_without_a_session_says_so(
        self, chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "clew.db"
        assert main(["compact", chat, "--store", str(path)]) == 0
        capsys.readouterr()
        assert "no session yet" in fails(capsys, ["recall", "words", "--store", str(path)])


@pytest.mark.parametrize("name", ["missing.db", "missing.md", "no/such/folder"])
@pytest.mark.parametrize("command", ["show", "check"])
def test_a_record_that_is_not_there_is_named_with_what_may_be_named(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = fails(capsys, ["record", command, name])
    assert said.startswith(f"clew: {name}: no such file or folder; expected an archive, a handoff")


@pytest.mark.parametrize(("window", "code"), [("10", 2), ("900", 2), ("2000", 0), ("200k", 0)])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_budget_in_which_nothing_fits_is_a_failure_with_its_arithmetic(
    window: str, code: int, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["budget", "--window", window, *form]) == code
    said = capsys.readouterr()
    assert "floor" in said.out
    assert said.err.count("\n") == (1 if code else 0)
    if code:
        assert "does not fit the transcript budget of" in said.err
        assert "head 1,000" in said.err


def test_messages_that_cannot_be_written_are_one_clear_error(
    chat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "none" / "left.json")
    assert path in fails(capsys, ["compact", chat, "--out", path])


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "clew", *arguments],
        capture_output=True,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1", **environment},
    )


def test_the_program_exits_with_the_number() -> None:
    done = run("budget", "--window", "0")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"clew: window_tokens is below 1: window_tokens = 0\n"


def test_a_traceback_is_shown_only_on_request() -> None:
    done = run("budget", "--window", "0", CLEW_DEBUG="1")
    assert b"BudgetError" in done.stderr
    assert b"Traceback" in done.stderr


def test_without_arguments_the_help_is_shown() -> None:
    done = run()
    assert done.returncode == 0
    for command in (b"demo", b"replay", b"compact", b"budget", b"record", b"recall", b"doctor"):
        assert command in done.stdout


@pytest.mark.parametrize("arguments", [["doctor", "--json"], ["doctor"], ["budget"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    window = ["--window", "9000"] if arguments == ["budget"] else []
    writer = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments, *window],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    assert writer.wait(timeout=60) == 0
    assert writer.stderr.read() == b""
    writer.stderr.close()


class Interrupted:
    """A standard input at which a person presses Ctrl-C."""

    @property
    def buffer(self) -> Interrupted:
        return self

    def read(self) -> bytes:
        raise KeyboardInterrupt


def test_an_interrupt_ends_with_130_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["replay", "-"]) == 130
    assert capsys.readouterr() == ("", "")


def test_standard_input_is_read() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "compact", "-"],
        input=json.dumps(CHAT).encode(),
        capture_output=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == CHAT
    assert done.returncode == 0


def test_a_case_of_the_shared_set_is_no_recorded_session_but_its_messages_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = json.loads(shared_path("cases", "01-orphaned-tool-result.json").read_text())
    path = tmp_path / "messages.json"
    path.write_text(json.dumps(case["messages"]))
    assert main(["replay", str(path), "--json", "--window", "8k"]) == 0
    assert json.loads(capsys.readouterr().out)["goal_intact"] is True


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (">&-", b"clew: standard output is closed; there is nowhere to write the answer\n"),
        ("<&-", b"clew: <stdin>: closed; expected a recorded session or a JSON list of messages\n"),
        ("2>&-", b""),
    ],
)
def test_a_stream_that_is_closed_from_the_start_is_one_line(closed: str, said: bytes) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m clew compact - {closed}', sys.executable],
        input=b"[]",
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", said)


def test_what_is_not_utf_8_is_said_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'[\n{"role": "user", "content": "caf\xe9"}]')
    assert main(["compact", str(path)]) == 0
    said = capsys.readouterr()
    assert "line 2 is not UTF-8" in said.err
    assert json.loads(said.out)[0]["content"] == "caf\ufffd"
    assert main(["replay", str(path)]) == 0
    assert "line 2 is not UTF-8" in capsys.readouterr().out


def test_a_store_that_is_a_directory_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "it is a directory" in fails(capsys, ["recall", "word", "--store", str(tmp_path)])


def test_a_session_in_which_nobody_asked_for_anything_breaks_no_law(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "silent.json"
    talk = [{"role": "user", "content": ""}, {"role": "assistant", "content": "I go on."}]
    path.write_text(json.dumps(talk * 3))
    assert main(["replay", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["goal_intact"] is True


def test_compact_says_what_it_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    told = [{"role": "tool", "tool_call_id": "t", "content": text} for text in "12"]
    asked = {"role": "assistant", "content": None, "tool_calls": [call, call]}
    path = tmp_path / "twice.json"
    path.write_text(json.dumps([CHAT[0], asked, *told]))
    assert main(["compact", str(path)]) == 0
    said = capsys.readouterr()
    written = json.loads(said.out)
    assert [each["id"] for each in written[1]["tool_calls"]] == ["t", "t_2"]
    assert [each["tool_call_id"] for each in written[2:]] == ["t", "t_2"]
    assert (
        "clew: the call id t was used before; this f call and its result go out as t_2" in said.err
    )
