"""The fence around a rendered record, which nothing inside can close or imitate.

Recorded text can hold anything a tool result held: a closing tag, the role marks of a chat
template, characters that nobody sees. Only look-alikes are changed, one character each; the
archive keeps the bytes.
"""

from __future__ import annotations

import re

FENCE_OPEN = "<clew-record>"
FENCE_CLOSE = "</clew-record>"

_UNSEEN = "[\\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{0,16}"
_ANGLE = "[<\uff1c\ufe64\u2039\u276e\u3008]"
_ROLE_TAGS = (
    "system", "system-reminder", "developer", "user", "human", "assistant", "tool", "tool_result",
    "tool_response", "tool_call", "tool_use", "function_calls", "function_results", "invoke",
    "antml", "sys", "start_of_turn", "end_of_turn", "instructions", "thinking", "think",
)  # fmt: skip
_FENCE_NAME = _UNSEEN.join("clew") + f"{_UNSEEN}[-_\u2010-\u2015\u2212\uff0d]?{_UNSEEN}"
_FENCE_NAME += _UNSEEN.join("record")
_LOOK_ALIKE = re.compile(
    f"{_ANGLE}(?=[<\uff1c]?{_UNSEEN}/?{_UNSEEN}(?:{_FENCE_NAME}|(?:{'|'.join(_ROLE_TAGS)})\\b))"
    f"|{_ANGLE}(?={_UNSEEN}[|\uff5c])",
    re.IGNORECASE,
)
_BRACKET_MARK = re.compile(r"\[(?=\s*/?\s*INST\s*\])", re.IGNORECASE)
_NEVER_SEEN = re.compile("[\U000e0000-\U000e007f]+|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{4,}")
_SPEAKER = re.compile(
    r"^([\s>*#-]*)(system|developer|user|human|assistant|tool)(\s*\**\s*):",
    re.IGNORECASE | re.MULTILINE,
)
_SUSPECT = re.compile(
    "[<\uff1c\ufe64\u2039\u276e\u3008\U000e0000-\U000e007f]|\\[\\s*/?\\s*inst", re.IGNORECASE
)


def neutral(text: str) -> str:
    """The text with look-alikes of the fence and of role marks made harmless.

    The angle or bracket that opens one becomes `‹` or `⟦` with a blank, so that no reader takes it
    for a mark; tag characters and runs of zero-width ones, which no screen shows, are left out.
    """
    if text.isascii() and "<" not in text and "inst" not in text.lower():
        return text
    if not _SUSPECT.search(text):
        return text
    seen = _NEVER_SEEN.sub("", text)
    return _BRACKET_MARK.sub("⟦ ", _LOOK_ALIKE.sub("‹ ", seen))


def neutral_block(text: str) -> str:
    """A neutral text of several lines in which no line opens like a speaker's turn (`User:`)."""
    return _SPEAKER.sub(r"\1(\2\3):", neutral(text))
