"""What the agent recommends and the person takes up: a choice of both.

"I'd go with p", and then "p, make it so". A reply that names another thing has chosen that one.
"""

from __future__ import annotations

import re

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, trimmed

_REACH = 6_000
_LONGEST_REPLY = 160
_FEWEST_WORDS = 5
_MOST = 2
_RANK = 2.4
_RECOMMENDS = re.compile(
    r"\b(?:i['\u2019]d\s(?:just\s)?(?:go|suggest|recommend|pick|keep|use|make|do|add|drop|rename|split|call|put|"
    r"lean)|i\s(?:would\s|strongly\s)?(?:recommend|suggest|propose)|my\s(?:recommendation|pick|"
    r"suggestion|proposal|preference)|(?:the|a)\sbetter\s(?:\w+\s){0,2}(?:path|default|design|shape|"
    r"option|approach)\sis)\b",
    re.IGNORECASE,
)
_LEAVES_OPEN = re.compile(
    r"\bone\sof\b|\bnext\b|\border\b|\bsomething\slike\b|\blike\sthis\b|\beither\b|\?\s*$|\bif\syou\b",
    re.IGNORECASE,
)
"""Says in which order, or of which two one is done."""
_STRESSED = re.compile(r"\*\*|`")
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|ok(?:ay)?|sure|sounds\sgood|go(?:\sahead|\sfor\sit)?|do\s(?:it|that|this|"
    r"both|all)|make\sit\sso|please\sdo|proceed|agreed?|perfect|great|i\sagree|approved|lgtm|\w+,\smake\sit\sso|"
    r"option\s\w+|\S+\sit\sis|let['\u2019]?s\s(?:do|go\swith|use|take)\b)(?:\W|$)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|instead|rather|not|don['\u2019]?t|dont|however|except|no)\b", re.IGNORECASE
)


def agreed_in(reading: Reading, before: Reading | None) -> list[Claim]:
    """What the agent recommended right before a person agreed, with the person's words."""
    if before is None or not before.finished or len(reading.typed) != 1:
        return []
    reply = reading.typed[0].strip()
    if len(reply) > _LONGEST_REPLY or _AGREES.match(reply) is None or _BUT.search(reply):
        return []
    line = reply.split("\n", 1)[0]
    return [
        _claim(said, before, line, reading)
        for said in recommended(before)
        if all(name in said for name in identifiers_in(reply))
    ]


@once
def recommended(reading: Reading) -> tuple[str, ...]:
    """The sentences of a final answer that recommend one thing."""
    if not reading.finished:
        return ()
    text = reading.prose[-1][-_REACH:]
    found: dict[str, None] = {}
    for match in _RECOMMENDS.finditer(text):
        said = trimmed(text, *bounds_of(text, match.start(), match.end()))
        open_ended = said.endswith((":", "\uff1a")) and _STRESSED.search(said) is None
        if len(said.split()) < _FEWEST_WORDS or open_ended or _LEAVES_OPEN.search(said):
            continue
        found[said] = None
    return tuple(found)[-_MOST:]


def _claim(said: str, before: Reading, reply: str, reading: Reading) -> Claim:
    return claim(
        "decision",
        said,
        span=before.handle,
        position=before.position,
        said_by=Speaker.AGENT,
        evidence=(Evidence(span=reading.handle, quote=reply),),
        rank=_RANK,
    )
