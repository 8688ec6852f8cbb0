"""Whether a person says of what was handed over that it is not what they asked for, or not done."""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failures_reported import reports_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

_OPENING = 160
_OBJECTS = re.compile(
    r"^\W*(?:(?:hm+|well|ok(?:ay)?|but|sorry|thanks)\b\W+)*(?:"
    r"(?:no|nope)\b(?!\W*(?:thanks|problem|worries|need))|not\s(?:yet|done|really|quite|true|what)\b"
    r"|you\s(?:didn['\u2019]?t|did\snot|haven['\u2019]?t|have\snot|forgot|missed|skipped|only|still)\b"
    r"|(?:that|this|it)(?:['\u2019]s|s|\sis|\swas)\s(?:still\s)?(?:not|wrong|incomplete|incorrect|missing)\b"
    r"|(?:that|this|it)\s(?:isn|wasn)['\u2019]?t\b"
    r"|(?:where|what)(?:['\u2019]s|\sis|\sare|\sabout)\sthe\s[^?\n]{2,60}\byou\s(?:said|promised|were)\b"
    r"|i\s(?:still\s)?(?:don['\u2019]?t|do\snot|can['\u2019]?t|cannot)\s(?:see|find|open|access)\b"
    r"|still\s(?:no|not|the\ssame|missing|broken|wrong)\b)",
    re.IGNORECASE,
)


@once
def objects(reading: Reading, cues: Cues) -> bool:
    """Whether a person's message turns down, or finds missing, what was handed over before it."""
    if not reading.typed:
        return False
    if any(said for _, said in reports_in(reading, cues)):
        return True
    return _OBJECTS.match(reading.typed[-1][:_OPENING]) is not None
