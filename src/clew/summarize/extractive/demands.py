"""Whether a sentence with a word of a rule asks for something, or only says how something is.

"Never push to main" is a rule. "It starts high and never gets to 0" is not, though it says never.
"""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\b(?:must|should(?!n['\u2019]t\sbe\sable)|shall|may\s(?:not|only)|can\s?not|can['\u2019]t|needs?\sto|"
    r"ha(?:s|ve)\sto|please|pls|make\ssure|ensure|be\ssure|remember|from\snow\son|going\sforward|"
    r"(?:not\s)?(?:allowed|required|forbidden|prohibited|permitted)|no\smatter|i['\u2019]d|let['\u2019]s|"
    r"(?:i|we)\s(?:\w+\s)?(?:want|need|prefer|like|insist|expect))\b|n['\u2019]t\swant\b",
    re.IGNORECASE,
)
"""Demands, allows or wishes in so many words."""
_ORDERS = re.compile(
    r"(?:^|[.!;:,(]\s|\b(?:and|but|or|so|then)\s|[-*]\s)\W*(?:also\s|just\s|really\s)?"
    r"(?:do\snot|don['\u2019]?t|never|always|only|avoid|keep|use|leave|stop|ask|tell|check|wait|refrain)\s"
    r"(?!(?:\w+ed|\w+s)\b(?<!ss))\w",
    re.IGNORECASE,
)
"""Begins a clause as an order does: the verb stands in its plain form."""
_STATE = (
    r"know|understand|have|record|see|think|remember|care|mean|get|recall|believe|feel|notice|"
    r"track|store|support|show"
)
_TELLS = re.compile(
    rf"\b(?:i|we|they|you)\s(?:\w+\s)?(?:don['\u2019]?t|do\snot)\s(?:really\s|even\s|yet\s|actually\s)?"
    rf"(?:{_STATE}|need\sto|have\sto)\b"
    r"|(?:^|\band\s|\bbut\s|,\s)never\s\w+(?<!s)s\b|\bbut\snever\s\w+(?:ed|en)\b"
    r"|^\W*(?:this|that|it)\s\w+(?<!s)s\s(?:\w+\s)?(?:only|at\sleast|at\smost)\b"
    r"|^\W*(?:(?-i:[a-z]+[A-Z]\w+)|\w+_\w+|`[^`\n]+`)(?:\(\))?\s(?:now\s|only\s|still\s)?(?!is\b|was\b|has\b)\w+(?<!s)s\s"
    r"|\bnot\sworth\b|:\s*$",
    re.IGNORECASE,
)
"""Says in the indicative how something is, or heads what stands below it."""


def only_tells(sentence: str) -> bool:
    """Whether a sentence that sounds like a rule says how something is and asks for nothing."""
    if sentence.rstrip().endswith((":", "\uff1a")):
        return True
    told = _TELLS.search(sentence) is not None
    return told and _ASKS.search(sentence) is None and _ORDERS.search(sentence) is None
