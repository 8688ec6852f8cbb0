"""What a message of the agent shows and does not say: a page, what a script printed, a helper.

Agents that only talk to each other put what they saw into their message: the page behind the words
with which they tell what they clicked, the output behind the exit code. An export puts the turn of
a helper there, with its heading. None of it is their word.
"""

from __future__ import annotations

import re

from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

_SHOWS = re.compile(
    r"^[ \t]*(?:Here\sis\sa\sscreenshot\sof\s\["
    r"|The\sfollowing\s(?:metadata|text)\swas\s(?:extracted|read)\b"
    r"|(?:Automatic\s)?OCR\sof\s[^\n]{3,80}\sdetected\b)"
    r"|_\*\*(?:User|Agent)\s-\ssidechain\s\([^)\n]*\)\*\*_"
    r"|\Aexitcode:\s-?\d{1,6}\b[^\n]*\n\s*Code\soutput:",
    re.MULTILINE,
)
"""From here on a message shows what was there."""
_SIGNS = ("screenshot of [", "metadata was", "text was", "detected", "exitcode: ", "sidechain (")


@once
def own_prose(reading: Reading) -> tuple[str, ...]:
    """What the agent says in an exchange, without what its messages only show."""
    return tuple(said for text in reading.prose if (said := _said_in(text)).strip())


def _said_in(text: str) -> str:
    if not any(sign in text for sign in _SIGNS):
        return text
    shows = _SHOWS.search(text)
    return text[: shows.start()].rstrip() if shows is not None else text
