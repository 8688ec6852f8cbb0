"""Calls that an export wrote into one text: what it was for, the command, and what it printed.

An export without marks leaves the title of a call, its command as a script or between backticks,
and its output in a fence of its own, and nothing else. Who tells of a command in prose writes a
sentence before it, or goes on behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_RAN = re.compile(
    r"\A(?P<title>(?![#>*`|\d-])[^\n`]{3,120}[\w)\]\"'])\n\n"
    r"(?P<call>```(?:bash|sh|zsh|shell)\n(?P<script>.*?)\n```|`(?P<line>[^`\n]+)`)\n\n"
    r"```text\n(?P<output>.*?)\n?```\s*\Z",
    re.DOTALL,
)
_WROTE = re.compile(
    r"\A```text\n(?P<output>(?:The file |File created successfully at: )(?P<path>/[^\s`]+)"
    r"[^`\n]{0,300})\n```\s*\Z"
)
_WROTE_WHOLE = re.compile(
    r"\A```(?!text\n)[\w+-]*\n(?P<content>.*?)\n?```\n\n"
    r"```text\n(?P<output>(?:The file |File created successfully at: )(?P<path>/[^\s`]+)"
    r"[^`\n]{0,300})\n```\s*\Z",
    re.DOTALL,
)
"""The file as it was written, and below it what the tool said."""
_READ = re.compile(
    r"\A`(?P<path>[^`\s]*[/.][^`\s]*)`\n\n```text\n(?P<output>.*?)\n?```\s*\Z", re.DOTALL
)
_FENCE = "```text\n"
_CLOSES = "```"
_INNER = "\n```"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCall:
    """A call that stands as text with its output: a command, or a file written or read.

    `path` is that of a file that was written, `file` of one that was read. `words` is the title,
    `call` the text of the call as it stands there.
    """

    words: str
    call: str
    output: str
    command: str = ""
    path: str = ""
    file: str = ""


def shown_call(text: str) -> ShownCall | None:
    """The call that a text is, or None where it is anything else."""
    # With one fence of output alone: several are an account, and would be slow to look through.
    if text.count(_FENCE) != 1 or not text.rstrip().endswith(_CLOSES):
        return None
    if wrote := _WROTE.match(text):
        return ShownCall(words="", call=wrote["path"], output=wrote["output"], path=wrote["path"])
    if wrote := _WROTE_WHOLE.match(text):
        content = wrote["content"]
        return ShownCall(words="", call=content, output=wrote["output"], path=wrote["path"])
    if read := _READ.match(text):
        path = f"`{read['path']}`"
        return ShownCall(words="", call=path, output=read["output"], file=read["path"])
    found = _RAN.match(text)
    if found is None or _INNER in (found["script"] or ""):
        return None
    return ShownCall(
        words=found["title"],
        call=found["call"],
        output=found["output"],
        command=found["script"] or found["line"],
    )
