"""What went wrong, told by who sets it right: "The edit landed in a string; I'm fixing that".

No word of failure stands in such a sentence. That something is mended, done over or left for
another way right behind it is what tells that it did not do what it should.
"""

from __future__ import annotations

import re

from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, trimmed
from clew.summarize.extractive.stating import says_how_it_is
from clew.tools_seen.seen import Action
from clew.tools_seen.worded import worded

_OPENING = 800
_LONGEST_SAID = 240
_FEWEST_WORDS, _SHORTEST_LEFT = 5, 12
_SETS = (
    r"(?:i['\u2019]m|i\sam|i['\u2019]ll|i\swill|i\sneed\sto|i\shave\sto|let\sme|let['\u2019]s)\s"
    r"(?:now\s|also\s|just\s|going\sto\s|quickly\s)?"
)
_MENDS = worded(
    rf"(?:\b{_SETS}|(?:^|(?<=[.!?:;\u2014] )))(?:fix|correct|repair|tighten|narrow|widen|broaden|"
    r"loosen|relax|redo|re-do|revert|undo|restor|rework|restag|reissu|re-?creat|re-?insert|swap|switch|"
    r"chang|replac|normali[sz])(?:e|ing|ting|ping)?\b(?!\s(?:to|over|gears)\b)",
    needs="fix|correct|repair|tighten|narrow|widen|broaden|loosen|relax|redo|re-do|revert|"
    "undo|restor|rework|restag|reissu|creat|insert|swap|switch|chang|replac|normali",
    flags=re.IGNORECASE,
)
"""Sets out to set something right."""
_FIXES = re.compile(
    rf"^\W*(?:(?:now|so|ok(?:ay)?|next|first)\b\W+)*(?:{_SETS})(?:\w+\s)?(?:fix|correct|resolve|solve|"
    r"address|repair|work\saround|get\saround)\s(?:the|this|that|these|those|an?|my|both)\s(?:[\w./`'\u2019-]+\s){0,4}?"
    r"(?:issues?|errors?|problems?|bugs?|failures?|mistakes?|mismatch\w*|typos?|conflicts?|crash\w*|"
    r"warnings?|syntax)\b",
    re.IGNORECASE,
)
"""Sets out to mend a fault, and names it in no other way."""
_ANOTHER_WAY = worded(
    rf"\b(?:{_SETS}(?:try|take|use|go\sfor|switch\sto)(?:ing)?|(?:re)?trying|taking)\s(?:an?\s)?"
    r"(?:completely\s|slightly\s|more\s)?(?:different|another|alternative|simpler|cleaner|"
    r"systematic|efficient|direct|robust)\s(?:\w+\s)?(?:approach|way|route|tack|method|strategy)\b"
    rf"|\b{_SETS}start\s(?:over|fresh|again\sfrom\sscratch)\b"
    rf"|(?:\b{_SETS}\w+|(?:^|(?<=[.!?:;\u2014] ))\w+ing)\b[^.!?:\n]{{2,140}}?"
    r"\binstead\b(?=\W{0,3}(?:\n|$))",
    needs="approach|way|route|tack|method|strategy|start |instead",
    flags=re.IGNORECASE,
)
"""Leaves a way for another one."""
_OTHER_APPROACH = worded(
    rf"\b{_SETS}(?:try|take|use|go\sfor|switch\sto)(?:ing)?\s(?:an?\s)?(?:completely\s|slightly\s|more\s)?"
    r"(?:different|another|alternative)\s(?:approach|way|route|tack|method|strategy|angle)\b",
    needs="different |another |alternative ",
    flags=re.IGNORECASE,
)
"""Says in so many words that the way before is left."""
_ASKED = re.compile(r"\?")
_SETS_OUT = re.compile(
    r"\b(?:i['\u2019]m|i\sam|i['\u2019]ll|i\swill|let\sme|let['\u2019]s)\s", re.IGNORECASE
)
_THEN = re.compile(
    r"[,;\u2014-]\s*(?:so|and)?\s*(?:i['\u2019]m|i['\u2019]ll|let\sme)\s", re.IGNORECASE
)
_BETTER = re.compile(
    r"\bmake\s[^.\n]{3,40}?\bmore\s(?:robust|precise|strict|general)\b", re.IGNORECASE
)
_FAULT = re.compile(
    r"\b(?:overwr(?:itten|ites?)|clobber\w+|lost|loses|remains?|left\s?over|stray|dangling|duplicated?|orphan\w*|"
    r"shadow(?:s|ed)|swallow\w+|truncat\w+|mismatch\w*|collid\w+|leak\w*|off\sby\sone|the\swrong|"
    r"(?:is|are)\s(?:still\s)?missing|breaks?|broke|unbalanced|unterminated)\b",
    re.IGNORECASE,
)
"""Says that something is there, or is not, against what was meant."""
_LONGEST_JOINT = 40
_JOINT = re.compile(
    r"(?:[,;]|\s[\u2014\u2013-])?\s*(?:so|and|but|then|which\sis\swhy)?\s*$", re.IGNORECASE
)
_WELL = re.compile(
    r"\b(?:in\splace|pass(?:es|ed|ing)?|green|done|completed?|clean(?:ly)?|works?|worked|working|"
    r"ready|success\w*|fixed|good|great|perfect|installed|updated|added|created|generated|verified|"
    r"correct(?:ly)?|fine|stale|accurate|now)\b",
    re.IGNORECASE,
)
"""Says that something came out well, or how it is by now."""
_CAUSED = re.compile(
    r"\b(?:created|introduced|caused|produced|left|added|brought|broke|hit|ran\sinto|got)\s(?:[\w-]+\s){0,4}?"
    r"(?:issues?|errors?|problems?|conflicts?|duplicates?|regressions?|failures?|snags?|mismatch\w*|"
    r"collisions?|clean-?ups?|breakages?|loops?)\b",
    re.IGNORECASE,
)
"""Says that something made trouble, with a verb that tells of good news otherwise."""
_POINTS = re.compile(r"^\W*(?:these|those|this|i\ssee)\b", re.IGNORECASE)
"""Opens with what only the text before it names."""
_ONLY_POINTS = re.compile(r"^\W*(?:this|that|these|those)\s(?:is|are|was|were)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:will|would|should|could|may|might|maybe|perhaps|probably|likely|if|whether|needs?|want\w*|"
    r"seems?|looks\slike|must|can\b)|\?",
    re.IGNORECASE,
)
"""Wishes, supposes or plans."""
_IF = re.compile(
    r"\b(?:will|would|should|could|may|might|maybe|perhaps|if|whether)\b|\?", re.IGNORECASE
)
"""The same without what somebody may say who tells what a trouble needs."""


_DID_NOT = re.compile(
    r"^(?:(?:ah|oh|hm+|wait|no|oops|strange|interesting(?:ly)?|again|unfortunately|however|but)\b\W+)*"
    r"(?:it|that|this|they|(?:the|my|our|that|this)\s(?:[\w.'\u2019-]+\s){0,4}?[\w.-]+|`[^`\n]+`)\s"
    r"(?:still\s|just\s|really\s|actually\s)?"
    r"(?:(?:didn|wasn|weren|hasn|haven)['\u2019]t|(?:did|was|were|has|have)\snot)\s(?:even\s|yet\s|been\s)?"
    r"(?!(?:affect|chang|touch|break|broke|fail|crash|complain|error|raise|seem|matter|find|found|need|"
    r"hurt|introduc|cause|regress|block|expected|a\s|an\s|the\s(?:cause|issue|problem)|due|because|"
    r"there\b)\w*)\w+",
    re.IGNORECASE,
)
"""Opens with what something did not do. That it did not break is good news."""
_SILENT = re.compile(
    r"^(?:(?:ah|oh|ok(?:ay)?|hm+|well|so)\b\W+)*(?:it|that|this|they|(?:the|my|that|this)\s(?:[\w.'\u2019-]+\s){0,3}?[\w.-]+"
    r"|`[^`\n]+`)\s(?:just\s|only\s)?(?:ran|runs|finished|completed|succeeded|exited|returned|executed|ended|started)\b"
    r"[^.!?\n]{0,40}?(?:\bbut\s(?:it\s)?(?:(?:didn|doesn)['\u2019]t|(?:did|does)\snot|(?:printed|gave|produced|showed|shows|"
    r"has|had|made|returned)\s(?:no|nothing))|\bwithout\s(?:any\s|printing\s|producing\s|giving\s)*(?:output|results?|"
    r"anything)\b)",
    re.IGNORECASE,
)
"""Opens with what ended and showed nothing of what it was for."""
_REALIZES = worded(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:(?:ah|oh|oops)\b[,!]?|(?:the\sreason|this)\sis\sbecause\b|"
    r"because\b|i\ssee\swhat\shappened\b[.:,!]*|i\ssuspect\b)\s(?=\S)",
    needs="ah|oh|oops|because |happened|suspect ",
    flags=re.IGNORECASE,
)
"""Takes in why."""
_GOES_ON = re.compile(
    r"^\W*(?:\d+[.)]\s|[-*]\s|(?:but|maybe|if|wait|however|then|or)\b|let['\u2019]s|let\sme|i['\u2019]ll|i\swill|i\sneed|i\sshould|now|so\si\s(?:should|need)\b|i\swant\b)",
    re.IGNORECASE,
)
"""Turns to what is done next, or to something else."""
_MOST_SENTENCES = 3
_LONGEST_REASON = 280


_ONLY = re.compile(
    r"^(?:(?:ah|oh|hm+|wait|no|oops|but|however)\b\W+)*"
    r"(?:it|that|this|(?:the|my|that|this)\s(?:[\w.'\u2019-]+\s){0,4}?[\w.-]+|`[^`\n]+`)\s(?:has\s)?only\s"
    r"(?:captured|caught|covered|matched|changed|updated|included|picked\sup|got|wrote|applied|printed|"
    r"returned|processed|replaced|handled|removed|deleted|copied|stored|kept|saved|reported|fixed|"
    r"fetched|listed|touched)\b",
    re.IGNORECASE,
)
"""Opens with the part of it that something did."""
_BEYOND = re.compile(
    r"^(?:(?:ah|oh|hm+|wait|no|oops|but|however)\b\W+)*"
    r"(?:it|that|this|(?:the|my|that|this)\s(?:[\w.'\u2019-]+\s){0,4}?[\w.-]+|`[^`\n]+`)\s(?:has\s)?\w+"
    r"(?:ed|t|ook|ent|ew|ote|as|ere|it|ut)\s[^.!?\n]{0,60}?\b(?:more|less|further|wider|broader|narrower|"
    r"fewer|larger|smaller|deeper|farther)\s(?:[\w-]+\s){0,3}?than\s(?:(?:i|we)\s)?(?:(?:had\s|was\s|were\s)?"
    r"(?:intended|meant|planned|wanted|asked)|it\sshould(?:\shave)?)\b",
    re.IGNORECASE,
)
"""Opens with how much farther, or less far, something went than it was meant to."""


@once
def undershot(reading: Reading) -> str:
    """The first words of an exchange where they say what was not done; empty where they do not."""
    opening = _opening(reading)
    tried = (_DID_NOT, _SILENT, _ONLY, _BEYOND)
    found = next((match for each in tried if (match := each.match(opening))), None)
    if found is None:
        return ""
    said = trimmed(opening, *bounds_of(opening, found.start(), found.end()))
    supposed = re.search(r"\b(?:if|whether|maybe|perhaps|might|may)\b|\?", said) is not None
    few = len(said.split()) < 4 or len(said) > _LONGEST_SAID
    return "" if few or supposed or said.endswith(":") or looks_like_code(said) else said


@once
def realized(reading: Reading) -> str:
    """Why something went wrong, in the first words of an exchange; empty where nobody says."""
    opening = reading.prose[0][: 2 * _OPENING] if reading.prose else ""
    for found in _REALIZES.finditer(opening):
        shown = _reason(opening, found)
        if shown and len(shown.split()) >= _FEWEST_WORDS and len(shown) <= _LONGEST_REASON:
            return shown
    return ""


def _reason(text: str, found: re.Match[str]) -> str:
    """The sentence that gives a reason, with those behind it that go on with it."""
    start, end = found.start(), found.start()
    for _ in range(1 if found.group().lower().startswith("i suspect") else _MOST_SENTENCES):
        last = bounds_of(text, end, end + 1)[1]
        said = text[end:last].strip()
        unclear = said.endswith(("?", ":")) or "```" in said or looks_like_code(said)
        cut = last >= len(text) >= 2 * _OPENING
        if not said or cut or unclear or last - start > _LONGEST_REASON:
            break
        heads = said.startswith(("**", "#", "|"))
        if end > start and (heads or _GOES_ON.match(said)):
            break
        end = last
        while end < len(text) and text[end].isspace():
            end += 1
    return text[start:end].strip()


@once
def mended(reading: Reading) -> str:
    """What the first words of an exchange say went wrong with what is set right; empty without."""
    opening = _opening(reading)
    other = _ANOTHER_WAY.search(opening)
    left = _before(opening, other) if other is not None else ""
    if len(left) >= _SHORTEST_LEFT and _ONLY_POINTS.match(left) is None:
        return left
    mends = _MENDS.search(opening)
    if mends is not None and (made := _before(opening, mends, _IF)) and _CAUSED.search(made):
        return made if len(made.split()) >= _FEWEST_WORDS else ""
    said = _before(opening, mends) if mends is not None else ""
    vague = len(said.split()) < _FEWEST_WORDS or _POINTS.match(said) is not None
    if vague or _WELL.search(said) or not says_how_it_is(said):
        return ""
    return said


@once
def way_left(reading: Reading) -> str:
    """What an exchange says of the way that it leaves for another one; empty where it leaves none.

    Who says so has tried a way, even if it was only a look.
    """
    words = reading.prose or reading.reasoning
    opening = words[0].removeprefix("THOUGHT: ")[:_OPENING] if words else ""
    other = _OTHER_APPROACH.search(opening)
    said = _before(opening, other, _ASKED) if other is not None else ""
    few = len(said) < _SHORTEST_LEFT or _ONLY_POINTS.match(said) is not None
    return "" if few or not says_how_it_is(said) else said


@once
def fault_seen(reading: Reading) -> str:
    """What is wrong with a change, in the words of who looked at it and changes it again."""
    opening = _opening(reading)
    said = trimmed(opening, *bounds_of(opening, 0, 1)) if opening else ""
    joint = _THEN.search(said)
    said = said[: joint.start()].rstrip() if joint is not None else said
    changes = any(call.action is Action.WRITE for call in reading.calls)
    again = changes or _BETTER.search(opening) is not None
    few = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_SAID
    if few or not again or not says_how_it_is(said) or looks_like_code(said):
        return ""
    faulty = _FAULT.search(said) is not None and _SETS_OUT.search(opening) is not None
    return said if faulty and not (said.endswith((":", "?")) or _SUPPOSED.search(said)) else ""


@once
def fault_named(reading: Reading) -> str:
    """The first sentence of an exchange where it sets out to mend a fault by its name."""
    opening = _opening(reading)
    found = _FIXES.match(opening)
    if found is None:
        return ""
    said = trimmed(opening, *bounds_of(opening, found.end() - 1, found.end())).rstrip(":")
    few = len(said.split()) <= _FEWEST_WORDS or len(said) > _LONGEST_SAID
    return "" if few or looks_like_code(said) or said.endswith("?") else said


def makes_trouble(said: str) -> bool:
    """Whether a sentence says that something made trouble, not only that it found some."""
    return _CAUSED.search(said) is not None


def _opening(reading: Reading) -> str:
    """The first words of an exchange; those of a thought where it says nothing aloud."""
    words = reading.prose or reading.reasoning
    return words[0].removeprefix("THOUGHT: ")[:_OPENING] if words else ""


def _before(text: str, found: re.Match[str], supposed: re.Pattern[str] = _SUPPOSED) -> str:
    """What stands in front of a piece in its sentence, else the sentence before it."""
    start, _ = bounds_of(text, found.start(), found.end())
    joint = _JOINT.search(text, max(start, found.start() - _LONGEST_JOINT), found.start())
    said = trimmed(text, start, joint.start() if joint is not None else found.start())
    if len(said.split()) < 2 and start > 1:
        end = len(text[:start].rstrip())
        if text.count("\n\n", end - 1, start + 1):
            return ""
        said = trimmed(text, *bounds_of(text, max(0, end - 1), end))
    unclear = said.endswith((":", "?")) or looks_like_code(said) or supposed.search(said)
    return "" if unclear or len(said) > _LONGEST_SAID else said
