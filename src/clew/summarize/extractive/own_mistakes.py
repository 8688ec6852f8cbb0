"""What the agent says that it did wrong, wherever in its words it says so.

It is told once and mended as a rule, so that it stands in the books as settled: whoever goes on
should know it, and needs no line of the view for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, trimmed
from clew.tools_seen.worded import worded

REASON = "told by the agent itself"
_LONGEST_PASSAGE = 6_000
_LONGEST_SAID = 240
_FEWEST_WORDS = 4
_MOST = 2
_MISTAKE = worded(
    r"\b(?:i|we)\s(?:have\s|['\u2019]ve\s)?(?:just\s|also\s|clearly\s|again\s)?(?:"
    r"(?:made|keep\smaking|was\smaking)\s(?:an?|this|that|the\ssame|some)\s(?:\w+\s)?"
    r"(?:mistake|error|typo)\w*"
    r"|(?:forgot|overlooked|misread|misunderstood|misspoke|overcomplicated|mistyped|miscounted|"
    r"mixed\sup|messed\sup)\b"
    r"|(?:must|should)(?:n['\u2019]t|\snot)?\shave\s(?:been\s)?"
    r"(?:hallucinat|forgot|miss|misread|check|use|done|appl|delet|updat|chang|kept|left|put|ad)\w*)"
    r"|\bmy\s(?:own\s)?(?:mistake|fault|bad|error)\b"
    r"|\bi\s(?:just\s|only\s|simply\s|already\s)*(?:\w+ed|used|wrote|put|made|kept|built)\s[^.!?\n]{2,80}?\s(?:that|which|"
    r"but\s(?:it|they|there))\s(?:(?:doesn|don)['\u2019]t\sexist|(?:does|do)\snot\sexist|(?:isn|aren|wasn)['\u2019]t\s(?:there|"
    r"defined|in\s)|(?:was|were)\snever\s\w+ed|no\slonger\sexists?)"
    r"|\bi\s(?:[^.!?\n]{2,60}?\sand\s)?(?:missed|skipped|neglected|omitted)\s\w+ing\b"
    r"|\bi\s(?:just\s|simply\s)?failed\sto\s(?!see\b|find\b|reproduce\b)\w+"
    r"|\bi\sstopped\s(?:too\s(?:early|soon)|prematurely|short)\b"
    r"|\b(?:i|we)\s(?:have\s|['\u2019]ve\s)?(?:accidentally|mistakenly|inadvertently|wrongly|"
    r"prematurely)\s\w+(?:ed|t|de|ut|an|ew|oke|ote)\b",
    needs="mistake|error|typo|forgot|overlooked|misread|misunderstood|misspoke|"
    "overcomplicated|mistyped|miscounted|mixed up|messed up|have |haven't |fault|"
    "my bad|my own bad|exist|n't there|n't defined|n't in|never |missed |skipped |"
    "neglected |omitted |failed to |stopped |accidentally |inadvertently |wrongly |"
    "prematurely ",
    flags=re.IGNORECASE,
)
_BUT_NOT = worded(
    r"\bi\s(?:\w+ed|said|thought|wrote|did|made|undid|meant)\b[^\n]{2,140}?\bbut\s(?:then\s)?i\s"
    r"(?:(?:did|do)(?:n['\u2019]t|\snot)|forgot|switched|never|missed|left)\b",
    needs="but i |but then i ",
    flags=re.IGNORECASE,
)
"""Sets what was meant or said against what was done."""
_OF_MINE = worded(
    r"(?:^|(?<=\n)|(?<=[.!?:] ))My\s(?:\w+\s){0,2}?(?:command|edit|change|fix|patch|script|regex|"
    r"replacement|query|approach|attempt)\s(?:(?:did|does)(?:n['\u2019]t|\snot)\s(?!break|affect|change|"
    r"touch|cause|alter|introduce)\w+|broke|failed|introduced\s(?:an?|the|new|some)|was\swrong|only\s"
    r"(?:caught|matched|covered|changed|handled))\b",
    needs="my ",
)
"""Says of what the agent just did that it did not do what it should."""
_EXCLAIMED = worded(
    r"(?:^|(?<=\n)|(?<=[.!?:] ))(?i:(?:ah|oh|oops|whoops|wait|no|hm+|argh|damn|but|so)\b\W+)*"
    r"I\s(?:just\s|only\s|also\s|still\s)*(?:(?:missed|deleted|inserted|put|removed|replaced|used|broke|"
    r"added|left|duplicated|overwrote|thought|assumed|expected|appended|placed|changed|edited|ran|"
    r"lost|dropped|truncated|indented|named|typed|confused)|(?:never|didn['\u2019]t|did\snot)\s\w+)\b"
    r"[^.!?\n]{2,160}!(?=\s|$)"
    r"|(?:^|(?<=\n)|(?<=[.!?:] ))(?i:(?:ah|oh|oops|wait|so)\b\W+)*I\s(?:deleted|removed|inserted|"
    r"put|changed|edited|replaced|used)\s[^.!?\n]{0,60}?\b(?:wrong|twice|too\s(?:much|many|early|late))\b"
    r"|(?:^|(?<=\n)|(?<=[.!?:] ))I\smissed\s(?:the|that|this|a|an|one|some)\b"
    r"|(?:^|(?<=\n)|(?<=[.!?:] ))(?i:(?:ah|oh|oops|wait)\b\W+)*"
    r"(?i:(?:the\s)?(?:\w+\s)?line\snumbers)\sshift(?:ed)?\s(?:because|since|when|after)\sI\s",
    needs="!|wrong|twice|too |missed |line numbers",
    flags=re.MULTILINE,
)
"""Calls out what was done, as who just sees that it was not meant so."""
_BUG_OF_MINE = worded(
    r"\b(?:that|this|it|there)(?:['\u2019]s|\sis|\swas)\san?\s(?:\w+\s)?(?:bug|mistake|error|typo|flaw|"
    r"problem)\s(?:in|of|with|on)\smy\s(?:\w+\s){0,2}?(?:script|command|edit|change|fix|patch|regex|"
    r"code|query|test|logic|approach|part|end|side|implementation|replacement)\b",
    needs=" my ",
    flags=re.IGNORECASE,
)
"""Finds a fault in what the agent itself made."""
_OF_OTHERS = re.compile(
    r"\b(?:if|whether|in\scase|unless|to\sensure|make\ssure|so\sthat)\b[^\n]{0,40}$"
    r"|\b(?:did|have|had)\s$|^\W*(?:maybe|perhaps)\b",
    re.IGNORECASE,
)


def own_mistakes(readings: Sequence[Reading]) -> list[Claim]:
    """The mistakes that the agent tells of itself."""
    return [made for reading in readings for made in mistakes_in(reading)]


@once
def mistakes_in(reading: Reading) -> tuple[Claim, ...]:
    """The mistakes that one exchange tells of, each as the sentences it stands in."""
    found: dict[str, Claim] = {}
    for text in reading.prose:
        shown = text[:_LONGEST_PASSAGE]
        for pattern in (_BUT_NOT, _MISTAKE, _OF_MINE, _BUG_OF_MINE, _EXCLAIMED):
            for match in pattern.finditer(shown):
                said = _around(shown, match)
                if said and not any(said in other for other in found):
                    found[said] = _mistake(said, reading)
                if len(found) >= _MOST:
                    return tuple(found.values())
    return tuple(found.values())


def _around(text: str, match: re.Match[str]) -> str:
    """The sentence of a mistake, with the next one where it is short; empty where it is none."""
    start, end = bounds_of(text, match.start(), match.end())
    said = trimmed(text, start, end)
    if (
        match.re is _BUG_OF_MINE.pattern
        and (before := text[:start].rstrip(" "))
        and before[-1] in ".!"
    ):
        # What "that" points to stands in the sentence before it.
        start, _ = bounds_of(text, len(before) - 1, len(before))
        said = trimmed(text, start, end)
    supposed = _OF_OTHERS.search(text[max(start, 0) : match.start()]) is not None
    if supposed or said.endswith(("?", "\uff1f")) or looks_like_code(said):
        return ""
    line_end = text.find("\n", end)
    more = text[start : line_end if line_end >= 0 else len(text)].strip()
    whole = more if len(more) <= _LONGEST_SAID and more.startswith(said) else said
    return whole if len(whole.split()) >= _FEWEST_WORDS else ""


def _mistake(said: str, reading: Reading) -> Claim:
    return claim(
        "dead_end",
        said.removeprefix("THOUGHT: "),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.CLOSED,
        reason=REASON,
        rank=0.4,
    )
