"""Ideas that the agent weighed or measured and turned down in prose: no call shows that they fail.

"So `q` can't be a quit key there", "drop the index idea: measured at no benefit", "the match was
never the bottleneck".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, trimmed

_LONGEST_PASSAGE = 8_000
_LONGEST_SAID = 300
_FEWEST_WORDS = 5
_MOST = 6
_RANK = 0.8
"""Below a call that failed and stands, above one that was overcome."""
_OPENS = r"(?:^|(?<=\n)|(?<=[.!?*] ))\W{0,4}"
_IDEA = r"\b(?:idea|approach|plan|option|path|route|index|proposal|variant|design)\b"
_BARRED = re.compile(
    rf"{_OPENS}So\s(?:`[^`\n]+`|(?!it\b|i\b|we\b|you\b|they\b|this\b)[\w-]+)(?:\s[\w-]+)?\s"
    r"(?:can['\u2019]t|cannot)\s(?:be|work|have|go|run|help|hold|serve)\b"
)
"""Concludes what something cannot be."""
_TURNED_DOWN = re.compile(
    r"\b(?:was|were|is|are)\snever\sthe\s(?:actual\s|real\s|main\s)?"
    r"(?:bottleneck|culprit|cause|problem|cost|issue)\b"
    rf"|{_OPENS}(?:so:?\s)?\W{{0,4}}(?:drop|scrap|abandon|forget|skip)\s(?:the|that|this|my)\s"
    rf"[^.\n]{{0,60}}?{_IDEA}"
    r"|:\s(?:simply\s|just\s)?not\sworth\sit\b"
    r"|\b(?:zero|no\smeasurable|negligible)\s(?:[\w-]+\s){0,2}?(?:benefit|gain|speedup|payoff)\b"
    r"|\bmy\s(?:added|earlier|previous|initial|original|first|proposed|last)\s[^.\n]{2,90}?\s"
    r"(?:is|was|were)\s(?:simply\s|just\s)?\W{0,2}(?:wrong|redundant|unnecessary|overkill|"
    r"mistaken|incorrect|an?\s(?:micro|premature|needless)|too\s\w)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|maybe|perhaps|might|whether|unless|likely|probably|would|could)\b|\?\W*$",
    re.IGNORECASE,
)


def rejected_ideas(readings: Sequence[Reading]) -> list[Claim]:
    """The ideas that the agent turned down in these exchanges."""
    return [made for reading in readings for made in ideas_in(reading)]


@once
def ideas_in(reading: Reading) -> tuple[Claim, ...]:
    """The sentences of one exchange that turn an idea down, each once."""
    found: dict[str, Claim] = {}
    for text in reading.prose:
        shown = text[:_LONGEST_PASSAGE]
        for pattern in (_BARRED, _TURNED_DOWN):
            for match in pattern.finditer(shown):
                said = trimmed(shown, *bounds_of(shown, match.start(), match.end()))
                if _is_told(said) and not any(said in other for other in found):
                    found[said] = _turned_down(said, reading)
                if len(found) >= _MOST:
                    return tuple(found.values())
    return tuple(found.values())


def _is_told(said: str) -> bool:
    few = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_SAID
    return not (
        few or said.startswith(("|", ">")) or _SUPPOSED.search(said) or looks_like_code(said)
    )


def _turned_down(said: str, reading: Reading) -> Claim:
    return claim(
        "dead_end",
        said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=_RANK,
    )
