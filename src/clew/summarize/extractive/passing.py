"""Sentences that look like findings and pass with the moment in which they are said.

What is looked at next, what is hoped, an account of a step, the number of a line that the next edit
moves, an answer that says nothing without its question.
"""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.tools_seen.worded import worded

_FEWEST_WORDS_OF_AN_ANSWER = 9
_FRAGMENT = re.compile(
    r"^(?:and|or|plus|with|without|for|from|to|in|on|of|by|as|instead|whatever|whichever|probably|"
    r"maybe|e\.g\.|i\.e\.|etc)\b"
)
"""A piece of a list that goes on from what stands above it; written small."""
_SUPPOSED = re.compile(
    r"^\W*(?:(?:so|and|but|now|well|ok(?:ay)?|wait)\W+)*(?:if|unless|ideally|suppose)\b(?!\snot\b)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|wait|ah|so|yes|no|and)\W+)*lines?\s\d[\d\s,\u2013-]*(?:is|are|was|seems?|"
    r"looks?)\s(?!in\b|inside\b|part\b)[\w\s]{3,40}\W*$",
    re.IGNORECASE,
)
"""A line by its number alone, with nothing said that outlives the next edit."""
_SAW = re.compile(
    r"^\W*(?:(?:so|now|ok(?:ay)?|good|great|perfect|yes|ah)\W+)*(?:i|we)(?:\shave|['\u2019]ve)?\s"
    r"(?:now\s)?(?:found|identified|located|see|understand|know)\s(?:the|an?|my|our)\s[^:\u2014\u2013(]*$",
    re.IGNORECASE,
)
"""Says that something was found, but not what."""
_THINKS_ANEW = re.compile(
    r"^\W*(?:wait|hmm+|oh|actually)\b|^\W*(?:good|great|nice)\s(?:catch|point|question|call|eye)\b"
    r"|^\W*now\s(?:that|i\shave|we\shave)\b|^\W*(?:one|two|three|a\sfew|several)\sthings?:?\s(?:to|let)\b",
    re.IGNORECASE,
)
"""Goes back on what was just thought, or opens with a word to the user or on the moment."""
_SHORT_STEP = re.compile(r"^\W*so,?\s(?:\S+\s*){1,7}$", re.IGNORECASE)
"""One small step of a thought; the step behind it needs it, a reader does not."""
_NUMBERED = re.compile(
    r"^\W*(?:so\s|and\s)?lines?\s\d[\d,\s\u2013-]*(?!.{0,40}\b(?:in|inside)\b)", re.IGNORECASE
)
"""Says of lines by their numbers what stands there now."""
_PERSISTS = worded(
    r"\b(?:issue|problem|error|failure)s?\b.{0,40}\b(?:persists?|remains?)\b"
    r"|\bstill\s(?:(?:an?|the|\w+ing)\s)?(?:issue|error|problem|fail\w*|persist\w*|not)\b",
    needs="persist|remain|still ",
    flags=re.IGNORECASE,
)
"""Says that a failure is still there; the failed call says so, and with what."""
_LIKELY = worded(
    r"(?:^\W*(?:so\s|and\s)?(?:it|this|that|the\s(?:issue|problem|bug|error|cause))|\bwhich|"
    r"\bthat\sthe\s\S+(?:\s\w+)?)\s(?:is|are|was|were)\s(?:most\s|very\s|quite\s)?"
    r"(?:likely|probably|possibly|presumably)\b(?!\s(?:the|an?|another)\b)",
    needs="likely|probably|possibly|presumably",
    flags=re.IGNORECASE,
)
"""A guess as the whole of what is said."""
_TO_SOMEBODY = re.compile(
    r"^\W*(?:also,?\s)?please\b|^\s*\"\w+\":\s|^\s*\d+\s?\u2192", re.IGNORECASE
)
"""Asks somebody for something, or is a field or a line of a file as a program shows it."""
_SPEAKS_ON = re.compile(r"(?:^|[\s,:;(*])let\s(?:me|us)\b")
_POINTS_BACK = re.compile(
    r"^\W*(?:made|added|put|moved|changed|updated|fixed|did|captured|done)\s(?:that|this|it|both|them|"
    r"the\s(?:issue|problem|bug))\b",
    re.IGNORECASE,
)
"""An account of a step whose object stands in another sentence."""
_DESCRIBES = re.compile(
    r"^\W*`?[\w./*-]*\w\.\w{1,5}`?(?:\*\*)?\s?(?:\s[-\u2013\u2014]|:(?:\*\*)?)\s"
    r"(?!now\b|no\slonger\b|uses?\b|[a-z]+ed\s)",
    re.IGNORECASE,
)
"""Says of a file by its name what it is; the file says so itself."""
_NUMBER = re.compile(r"\d")
_LINKED = re.compile(r"\([^()\s]*\)|\[[^\[\]]*\]|`[^`]*`")
_SAYS_WHAT = re.compile(r"\b(?:that|because|since|due|where|which|is|are|was|were)\b|\d|`")
_ANSWER = re.compile(
    r"^\W*(?:yes|no|yep|nope|right|correct|exactly)(?:[\s]*[,.!;:\u2014\u2013]|\s(?:but|and|not)\b)",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"^\W*(?:(?:so|now|ok(?:ay)?|good|great|perfect|yes|no|and|done|it\sseems)\W+)*"
    r"(?:i|we)(?:\shave|['\u2019]ve|\shad)?\s(?:now\s|also\s|just\s)?(?:successfully\s|manually\s)?"
    r"(?:created|added|updated|written|wrote|fixed|implemented|applied|edited|modified|inserted|"
    r"deleted|removed|replaced|renamed|moved|used|ran|run|saved|completed|made|tried|copied)\b"
    r"|^\W*the\s[`\w./-]+\s(?:\w+\s)?(?:has|have)\sbeen\s(?:updated|created|added|modified|saved)\b",
    re.IGNORECASE,
)

_SAYS_AN_ERROR = worded(
    r"^\W*the\serror\s(?:message|output)\s(?:says|shows|indicates|suggests|tells|states|means)\b"
    r"|^\W*(?:it\s(?:seems|appears|looks)\s(?:that\s|like\s)?)?the\s(?:compilation|build|tests?|command|"
    r"script|run|installation)(?:\s\w+)?\s(?:has\s|have\s)?failed(?:\sagain)?\W*$",
    needs="the error |failed",
    flags=re.IGNORECASE,
)
"""Says again of a failed call that it failed; the call itself stands with its decisive line."""
_MEANT_TO_FAIL = worded(
    r"\bfail(?:s|ed|ing|ure)?\s(?:first\s)?(?:as\sexpected|for\sthe\s(?:expected|right|intended)\sreason)\b"
    r"|\b(?:intended|expected)\s(?:[\w-]+\s)?failure\b",
    needs="fail",
    flags=re.IGNORECASE,
)
"""Tells of a test that was to fail before the change; the change has been made since."""
_OF_A_FILE = worded(
    r"^\W*(?:we|i)\s(?:can\s)?see\s(?:that\s)?there(?:['\u2019]s|\sis)\san?\s\S+\sfile\W*$"
    r"|\bfile\sis\s(?:quite|very|pretty|rather)\s(?:large|long|big|complex)\b",
    needs="file",
    flags=re.IGNORECASE,
)
"""Says that something is there, or how long a file is."""

_IN_PROGRESS = worded(
    r"^(?!\W*no\b)[^.;:]{0,60}(?<!\w)(?:push|pull|clone|install\w*|builds?|tests?|suite|agents?|coders?|"
    r"workers?|reviewers?|reviews?|helpers?|downloads?|checks?|ci|sync|gate|jobs?|diagnostics|"
    r"toolchain|`[\w-]+`)(?!\w)[^.;:]{0,30}(?<!\w)(?:is|are)\s(?:(?:still|now|all|both|already)\s)*"
    r"(?:running|pulling|downloading|installing|compiling|resolving|in\sprogress|in\sflight|underway)\b",
    needs="is |are ",
    flags=re.IGNORECASE,
)
"""Says that something is under way; its end says what came of it."""
_MEMBER = worded(
    r'^\W{0,3}"[\w .:@-]{1,60}"\s*:|\\?",\s?\\?"[\w@]{1,40}\\?":'
    r'|\\n(?:\\n|[-*\d ])|\w\W{0,2}",\s*$',
    needs='"|\\n',
)
"""A member of a document, or a text with the line ends of one; its sentences are read elsewhere."""

_OPTIONS = re.compile(
    r"^\W*(?:(?:the|two|three|some|my)\s)?(?:options?|alternatives?)(?:\s(?:i\ssee|here|are)){0,2}:\s",
    re.IGNORECASE,
)
"""Lists what could be done, in a line."""
_UNTOLD = re.compile(
    r"^\W*(?:what(?:['\u2019]s)?|how|where|why|which)\s[^.?!:\u2014,;]{3,60}$|[a-z]{3}\d{1,2}\.$",
    re.IGNORECASE,
)
"""A thing to find out, as an entry names it, or an entry with the number of the next one."""
_OPENINGS = (_OPTIONS, _TO_SOMEBODY, _THINKS_ANEW, _SHORT_STEP, _NUMBERED, _POINTS_BACK, _DESCRIBES)
_ANYWHERE = (
    _MEMBER,
    _UNTOLD,
    _IN_PROGRESS,
    _PERSISTS,
    _LIKELY,
    _SPEAKS_ON,
    _SAYS_AN_ERROR,
    _OF_A_FILE,
    _MEANT_TO_FAIL,
)


def passes(text: str, cues: Cues) -> bool:
    """Whether a sentence is about the moment, and nothing that outlives it."""
    if _FRAGMENT.match(text) is not None or _SUPPOSED.match(text) is not None:
        return True
    if _LINE.match(text) is not None or cues.has("moment", text):
        return True
    if any(each.match(text) for each in _OPENINGS) or any(each.search(text) for each in _ANYWHERE):
        return True
    if text.endswith(":") and "`" not in text and _NUMBER.search(_LINKED.sub("", text)) is None:
        return True  # It only leads to what stands below it.
    if _SAW.match(text) is not None and _SAYS_WHAT.search(text) is None:
        return not identifiers_in(text)
    return _ANSWER.match(text) is not None and _says_little(text)


def _says_little(text: str) -> bool:
    few = len(text.split()) < _FEWEST_WORDS_OF_AN_ANSWER
    return few and not identifiers_in(text) and _SAYS_WHAT.search(text) is None


def is_member(text: str) -> bool:
    """Whether a piece of text is a member of a document, such as JSON, and no sentence."""
    return _MEMBER.search(text) is not None


def is_account(text: str) -> bool:
    """Whether a sentence tells a step of the agent; a report may, work that goes on shows it."""
    return _ACCOUNT.match(text) is not None
