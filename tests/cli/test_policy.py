"""`clew policy check`: what a document will do, or the one line that says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import Policy
from clew.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "policies"


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["policy", "check", *arguments, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return found


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_examples_are_explained(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, str(path))
    assert found["digest"] == Policy.load(path).digest
    assert found["problems"] == []
    assert list(found["sentences"]) == [
        "Window", "When it acts", "Good moments", "What always stays",
        "What is kept in the record", "What is evicted", "Which model is called", "Probes",
    ]  # fmt: skip
    assert all(found["sentences"].values())
    assert main(["policy", "check", str(path)]) == 0
    shown = capsys.readouterr().out
    for sentences in found["sentences"].values():
        assert all(sentence in shown for sentence in sentences)


def test_the_numbers_are_those_of_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, str(EXAMPLES / "compliance.toml"), "--window", "100k")
    assert found["window"] == {"tokens": 100_000, "source": "declared"}
    assert found["budget"]["trigger_tokens"] == 55_200
    text = json.dumps(found["sentences"])
    for said in (
        "At the trigger of 55,200 tokens",
        "At most 6 calls a compaction",
        "20 an hour, 100 a run",
        "When it fails, anthropic:claude-haiku-4-5 is asked",
        "Only the user's own words make one",
        "Each counts for one request alone",
        "A call of apply_change or merge_change that names the request uses it up.",
        "A call of close_review that ended well is one (subtask done).",
        "Not a good moment here: subtask done",
        "'CR-1041' has to be in the context, once it was said: Which request is under",
    ):
        assert said in text, said


def test_the_whole_document_is_read_as_the_same_policy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = EXAMPLES / "support.toml"
    assert main(["policy", "check", str(path), "--toml"]) == 0
    whole = tmp_path / "whole.toml"
    whole.write_text(capsys.readouterr().out, encoding="utf-8")
    assert Policy.load(whole) == Policy.load(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'\ncooldwon = 1", ":2: cooldwon is no setting; did you mean cooldown?"),
        ("[budget]\nwindow_tokens = 0", ":2: budget window_tokens is below 1"),
        ("spec = 9", ":1: spec is 9; expected one of 1"),
        ("x = ", ":1: is no TOML document"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_what_is_wrong_is_one_line_with_its_place(
    text: str, said: str, form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["policy", "check", str(path), *form]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"clew: {path}{said}")
    assert shown.err.count("\n") == 1


def test_a_model_that_cannot_be_called_fails_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.toml"
    path.write_text('summarizer = "nobody:small"', encoding="utf-8")
    assert main(["policy", "check", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (problem,) = found["problems"]
    assert problem.startswith("nobody:small cannot be called: the providers are openai, ")
    assert any("safe default" in line for line in found["sentences"]["Window"])


def test_a_package_that_is_missing_fails_the_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.cli.policy._PACKAGES", {"openai": "no_such_a", "anthropic": "no.b"})
    assert main(["policy", "check", str(EXAMPLES / "compliance.toml")]) == 1
    shown = capsys.readouterr().out
    assert "Problems" in shown
    assert (
        "the package 'no_such_a' is missing; install it with: pip install 'clew[openai]'" in shown
    )
    assert "'no.b' is missing" in shown


def test_settings_that_wait_for_a_model_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.toml"
    path.write_text("instructions = 'x'\n[limits]\nper_hour = 1", encoding="utf-8")
    found = document(capsys, str(path))
    assert any("instructions and limits count only where" in note for note in found["notes"])


@pytest.mark.parametrize("window", ["10", "40"])
def test_a_window_that_holds_no_record_is_refused_with_the_arithmetic(
    window: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f"[budget]\nwindow_tokens = {window}\n")
    for arguments in ([str(own)], [str(EXAMPLES / "coding.toml"), "--window", window]):
        assert main(["policy", "check", *arguments, "--json"]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert f"of a window of {window} <= empty record" in said.err


def test_a_window_in_which_every_call_would_compact_is_refused_with_the_arithmetic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[budget]\nwindow_tokens = 100\n")
    assert main(["policy", "check", str(own)]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "every call would compact again: empty record" in said.err
    own.write_text("[budget]\nwindow_tokens = 1_000\n")
    assert main(["policy", "check", str(own)]) == 0
