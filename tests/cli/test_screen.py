"""Colours only where they are welcome, and no recording steers a terminal."""

from __future__ import annotations

import io
import json

import pytest

from clew.cli.screen import colours_on, printable, progress, say, show_table, write_json


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_need_a_terminal_and_nobody_against_them(
    stream: io.StringIO,
    environment: dict[str, str],
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colours_on(stream) is expected


@pytest.mark.parametrize("text", ["\x1b]0;title\x07", "\x1b[2J", "a\rb", "\x9b31m", "\u202egnp"])
def test_text_that_steers_a_terminal_is_shown_harmless(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    say(text)
    show_table(("heading",), ((text,),))
    said = capsys.readouterr().out
    assert not set(said) & set("\x1b\x07\r\x9b\u202e")
    assert printable("plain\ttext\nin lines") == "plain\ttext\nin lines"


def test_any_text_survives_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = {"text": "half \ud83d, whole \U0001f600, 漢字, \x1b[2J"}
    write_json(document)
    said = capsys.readouterr().out
    assert said.isascii()
    assert json.loads(said) == document


def test_progress_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work") as step:
        step("half done")
    assert capsys.readouterr() == ("", "")
