"""What did not help: what the agent says is still so after what it did, wherever it says it.

"We removed the field, but we're still seeing the error", "parse errors despite our settings",
"the searches did not yield different results": a way was gone and led nowhere. No word here needs
a call beside it: a plan and a report tell of such ways too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.claims import Claim, failed_way
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import looks_like_code, sentences_with
from clew.summarize.extractive.told_runs import led
from clew.tools_seen.worded import worded

_LONGEST_PASSAGE, _LONGEST_SAID, _FEWEST_WORDS, _MOST = 12_000, 300, 5, 4
_RANK = 0.8
_WE = r"(?:i|we)(?:['\u2019](?:m|re|ve)|\sam|\sare|\shave)?"
_STILL_SO = worded(
    rf"\b(?:but|and|yet)\s{_WE}\sstill\s(?:see|get|hit|have|run\sinto)(?:ing|ting)?\b"
    rf"|\b{_WE}\s(?:still\s)?(?:seeing|getting|hitting|running\sinto)\s[^.!?\n]{{3,120}}?\b(?:errors?|failures?|crash\w*|"
    r"warnings?|timeouts?|exceptions?)\b[^.!?\n]{0,60}?\b(?:despite|even\s(?:after|though|with))\b"
    r"|\b(?:attempts?|tries|searches|queries|requests|runs|efforts)\b[^.!?\n]{0,60}?\s(?:did\snot|didn['\u2019]t|"
    r"have\snot|haven['\u2019]t)\s(?:yield|produce|give|return|bring|yielded|produced|given|returned|brought)\b"
    r"|^[^\w\n]{0,4}(?:so\s)?my\s[^.!?\n]{3,60}?\s(?:was|were)\s(?:silently\s)?(?:failing|not\sworking|broken|going\snowhere)\b",
    needs="still |despite|even after|even though|even with|yield|produce|give|return|bring|"
    "brought|failing|not working|broken|going nowhere",
    flags=re.IGNORECASE | re.MULTILINE,
)
_OVER = re.compile(
    r"\b(?:no\slonger|fixed|resolved|gone|now\s(?:pass|work)\w*|if|would|could|might|unless|until|expected|"
    r"intended)\b|\?\W*$",
    re.IGNORECASE,
)
"""Tells of a trouble that is over, or only supposes one."""


def still_so(readings: Sequence[Reading]) -> list[Claim]:
    """What the agent says did not help in these exchanges."""
    return [made for reading in readings for made in still_so_in(reading)]


@once
def still_so_in(reading: Reading) -> tuple[Claim, ...]:
    """The sentences of one exchange that say what did not help, each once."""
    found: dict[str, Claim] = {}
    for text in () if reading.typed or led(reading) else reading.prose:
        for sentence in sentences_with(_STILL_SO, text[:_LONGEST_PASSAGE], most=_MOST):
            said = sentence.text.removeprefix("THOUGHT: ")
            few = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_SAID
            if not (few or _OVER.search(said) or said.startswith(("|", ">"))):
                found.setdefault(
                    said,
                    failed_way(said, span=reading.handle, position=reading.position, rank=_RANK),
                )
    return tuple(made for said, made in found.items() if not looks_like_code(said))
