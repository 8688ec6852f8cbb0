"""How an answer ends: with a question that waits for the user, or with a courtesy."""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues

_ENDING_CHARS = 1_200
_ASKING_CHARS = 300
_LINES = 3
"""How many lines of courtesy may stand behind the question that counts."""
_SENTENCE = re.compile(r"[^.!?？。！]+[.!?？。！]*[\s*_`)]*")


def asked_last(answer: str, cues: Cues) -> str:
    """The line with which a final answer asks for something, without courtesies; else empty.

    "Is there anything else?" waits for nobody.
    """
    lines = [line for line in answer[-_ENDING_CHARS:].split("\n") if line.strip()]
    for line in reversed(lines[-_LINES:]):
        left = _without_courtesy(line.strip(), cues)
        if left:
            end = left[-_ASKING_CHARS:]
            asks = end.rstrip("*_`) ").endswith(("?", "？")) or cues.has("question", end)
            return left if asks else ""
    return ""


def asks_the_user(answer: str, cues: Cues) -> bool:
    """Whether a final answer ends by asking for something."""
    return bool(asked_last(answer, cues))


def _without_courtesy(line: str, cues: Cues) -> str:
    """The line up to the sentences at its end that only offer more help."""
    if not cues.has("courtesy", line):
        return line
    sentences = list(_SENTENCE.finditer(line))
    while sentences and cues.has("courtesy", sentences[-1].group()):
        sentences.pop()
    return line[: sentences[-1].end()].rstrip() if sentences else ""
