"""Cuts shell text into simple commands. Never raises, linear in the length of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_CHARACTERS = 60_000

# Where a path of Windows stands, a backslash parts folders and escapes nothing.
_WINDOWS = re.compile(r"(?:^|[\s\"'=])[A-Za-z]:\\|^\s*(?:dir|del|type|rmdir|copy|mkdir) \S*\w\\\w")
_PLAIN = re.compile(r"[^\s'\"\\`$#<>&|;()]+")
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")", "\n")


@dataclass(slots=True)
class SimpleCommand:
    """Words with their quotes removed, redirections as (operator, target), heredoc bodies.

    `joined_by` is the operator in front of it (`""` for the first); `masked` tells that the exit
    code of this command is not the exit code of the whole.
    """

    words: list[str] = field(default_factory=list)
    redirects: list[tuple[str, str]] = field(default_factory=list)
    heredocs: list[str] = field(default_factory=list)
    joined_by: str = ""
    masked: bool = False


def split_commands(text: str) -> list[SimpleCommand]:
    """The simple commands of a shell text, in order; an unclosed quote reaches to the end."""
    text = text[:MAX_CHARACTERS]
    windows = bool(_WINDOWS.search(text))
    if not windows:
        text = text.replace("\\\r\n", " ").replace("\\\n", " ")
    return _Splitter(text, escapes=not windows).run()


class _Splitter:
    """One pass over the characters."""

    def __init__(self, text: str, *, escapes: bool) -> None:
        self._text = text
        self._escapes = escapes
        self._at = 0
        self._done: list[SimpleCommand] = []
        self._command = SimpleCommand()
        self._word: list[str] = []
        self._in_word = False
        self._redirect = ""
        self._waiting: list[str] = []

    def run(self) -> list[SimpleCommand]:
        """Read the whole text."""
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if char in "'\"":
                self._quoted(char)
            elif char == "\\" and self._escapes:
                self._take(text[self._at + 1 : self._at + 2])
                self._at += 2
            elif char == "`" or (char == "$" and text[self._at + 1 : self._at + 2] == "("):
                self._substitution()
            elif char in " \t\r":
                self._end_word()
                self._at += 1
            elif char == "#" and not self._in_word:
                self._comment()
            elif char in "<>" or (char == "&" and text[self._at + 1 : self._at + 2] == ">"):
                self._redirection()
            elif char in "&|;()\n":
                self._operator()
            else:
                self._plain()
        self._end_word()
        self._end_command("")
        return self._done

    def _take(self, piece: str) -> None:
        self._word.append(piece)
        self._in_word = True

    def _plain(self) -> None:
        """Characters that mean nothing to a shell, as many as follow."""
        found = _PLAIN.match(self._text, self._at)
        end = found.end() if found else self._at + 1
        self._take(self._text[self._at : end])
        self._at = end

    def _comment(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end

    def _quoted(self, quote: str) -> None:
        start = self._at + 1
        end = start
        while end < len(self._text) and self._text[end] != quote:
            escaped = quote == '"' and self._escapes and self._text[end] == "\\"
            end += 2 if escaped else 1
        inside = self._text[start:end]
        if quote == '"' and self._escapes and "\\" in inside:
            inside = inside.replace('\\"', '"').replace("\\$", "$").replace("\\\\", "\\")
        self._take(inside)
        self._at = end + 1

    def _substitution(self) -> None:
        if self._text[self._at] == "`":
            end = self._text.find("`", self._at + 1)
            end = len(self._text) if end < 0 else end + 1
        else:
            end = _closing(self._text, self._at + 1)
        self._take(self._text[self._at : end])
        self._at = end

    def _redirection(self) -> None:
        text, start = self._text, self._at
        end = start + 1
        while end < len(text) and text[end] in "<>&|-" and end - start < 3:
            end += 1
        operator = text[start:end]
        if self._in_word and "".join(self._word).isdigit():
            operator = "".join(self._word) + operator
            self._word, self._in_word = [], False
        self._end_word()
        self._at = end
        if operator.lstrip("0123456789") in (">&", "<&", ">&-") and text[end : end + 1].isdigit():
            self._at = end + 1
            return
        self._redirect = operator

    def _end_word(self) -> None:
        if not self._in_word:
            return
        word = "".join(self._word)
        self._word, self._in_word = [], False
        if self._redirect.startswith("<<") and not self._redirect.startswith("<<<"):
            self._waiting.append(word)
        elif self._redirect:
            self._command.redirects.append((self._redirect, word))
        else:
            self._command.words.append(word)
        self._redirect = ""

    def _operator(self) -> None:
        self._end_word()
        operator = next(o for o in _OPERATORS if self._text.startswith(o, self._at))
        self._at += len(operator)
        if operator == "\n" and self._waiting:
            self._heredocs()
        self._end_command(operator)

    def _heredocs(self) -> None:
        for mark in self._waiting:
            lines: list[str] = []
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                line = self._text[self._at : end]
                self._at = end + 1
                if line.strip() == mark:
                    break
                lines.append(line)
            self._command.heredocs.append("\n".join(lines))
        self._waiting = []

    def _end_command(self, operator: str) -> None:
        command = self._command
        if command.words or command.redirects:
            command.masked = operator in ("||", ";", "\n", "|", "|&", "&", ";;")
            self._done.append(command)
            self._command = SimpleCommand(joined_by=operator)
        elif operator:
            command.joined_by = operator
        if operator == "" and self._done:
            self._done[-1].masked = False


def _closing(text: str, opening: int) -> int:
    """The position behind the bracket that closes the one at `opening`."""
    depth, at = 0, opening
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "'":
            end = text.find("'", at + 1)
            at = len(text) if end < 0 else end
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)
