"""Whether a sentence with a word of a rule asks for something, or only says how something is.

"Never push to main" is a rule. "It starts high and never gets to 0" is not, though it says never.
"Never touch these:" is one with the entries below it, and "No new dependencies." without a verb.
"""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.lists import entry_in

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
    r"|\bnot\sworth\b",
    re.IGNORECASE,
)
"""Says in the indicative how something is."""
_MOST_ENTRIES = 30
_MOST_LINES, _LONGEST_LINE = 6, 60
_OWN_RULE = re.compile(
    r"\W*(?:please\s|also\s|you\s)?(?:never|always|only|must|do\snot|don['\u2019]?t|dont)\b",
    re.IGNORECASE,
)
"""Opens an entry that is a rule without its heading."""
_NOT_A_NOUN = re.compile(
    r"^(?:the|an?|my|our|your)\b|\b(?:is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|should|may|"
    r"just|not|please|but|that['\u2019]?s|thats|this|that|it|its|i|we|you|they|he|she|there|"
    r"idea|problems?|worries|need|reason|wonder|doubt|thanks|errors?|"
    r"results?|response|output|difference|luck|clue|way|yet|still|anymore|longer|matter|"
    r"(?!need|hardcod|unus|nest|shar|generat|mix)\w+ed|n['\u2019]t)\b",
    re.IGNORECASE,
)
"""What a row of nouns does not hold, or what says that something is not there."""
_MOST_NOUNS = 7


def only_tells(sentence: str) -> bool:
    """Whether a sentence that sounds like a rule says how something is and asks for nothing."""
    told = _TELLS.search(sentence) is not None
    return told and _ASKS.search(sentence) is None and _ORDERS.search(sentence) is None


def heads(sentence: str) -> bool:
    """Whether a sentence ends in a colon: what it asks for stands below it."""
    return sentence.rstrip("*_ ").endswith((":", "\uff1a"))


def entries_below(text: str, at: int) -> tuple[tuple[int, int], ...]:
    """Where the entries of the list begin and end that stands below the line at a place.

    Without the lines that an entry goes on in; none where an entry is a rule by itself. Where no
    list stands below, a few short lines do: names without marks, or a command in a fence.
    """
    end = text.find("\n", at)
    found: list[tuple[int, int]] = []
    while end >= 0 and len(found) < _MOST_ENTRIES:
        start = end + 1
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        entry = entry_in(line)
        if entry is not None:
            if _OWN_RULE.match(entry):
                return ()
            begins = start + line.rindex(entry)
            found.append((begins, begins + len(entry)))
        elif line.strip() and not found:
            return _lines_from(text, start)
        elif line.strip() and not line.startswith((" ", "\t")):
            break
    return tuple(found)


def _lines_from(text: str, start: int) -> tuple[tuple[int, int], ...]:
    """The few short lines of the block that begins at a place; none where it is prose."""
    block = text[start:].split("\n\n", 1)[0]
    lines = block.split("\n")
    if len(lines) > _MOST_LINES or any(len(each) > _LONGEST_LINE for each in lines):
        return ()
    if any(_OWN_RULE.match(each) for each in lines) or heads(block):
        return ()
    return ((start, start + len(block.rstrip())),)


def bars(sentence: str, cues: Cues) -> bool:
    """Whether a whole sentence rules without a verb of an order what may not be, or who alone may.

    "No new dependencies." "Only Lea approves releases." "Nobody deploys without Lea's ok."
    """
    bare = sentence.lstrip("*_> ")
    if (opened := cues.patterns["alone"].match(bare)) is not None:
        return cues.has("permission", bare[opened.end() :])
    opened = cues.patterns["barred"].match(bare)
    if opened is None or not bare[opened.end() :].startswith(" "):
        return False
    nouns = bare[opened.end() :].strip().rstrip(".!")
    few = 1 < len(nouns.split()) <= _MOST_NOUNS
    return few and _NOT_A_NOUN.search(nouns) is None and not set(nouns) & set(",;?()")
