"""Ideas that the agent weighed or measured and turned down in prose: no call shows that they fail.

"So `q` can't be a quit key there", "drop the index idea: measured at no benefit", "the match was
never the bottleneck".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.claims import Claim, failed_way
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, trimmed
from clew.tools_seen.worded import Worded, worded

_LONGEST_PASSAGE = 8_000
_LONGEST_SAID = 360
_FEWEST_WORDS = 5
_MOST = 6
_RANK = 0.8
"""Below a call that failed and stands, above one that was overcome."""
_OPENS = r"(?:^|(?<=\n)|(?<=[.!?*] ))\W{0,4}"
_IDEA = r"\b(?:idea|approach|plan|option|path|route|index|proposal|variant|design)\b"
_BARRED = worded(
    rf"{_OPENS}So\s(?:`[^`\n]+`|(?!it\b|i\b|we\b|you\b|they\b|this\b)[\w-]+)(?:\s[\w-]+)?\s"
    r"(?:can['\u2019]t|cannot)\s(?:be|work|have|go|run|help|hold|serve)\b",
    needs="can't |cannot ",
)
"""Concludes what something cannot be."""
_TURNED_DOWN = worded(
    r"\b(?:was|were|is|are)\snever\sthe\s(?:actual\s|real\s|main\s)?"
    r"(?:bottleneck|culprit|cause|problem|cost|issue)\b"
    rf"|{_OPENS}(?:so:?\s)?\W{{0,4}}(?:drop|scrap|abandon|forget|skip)\s(?:the|that|this|my)\s"
    rf"[^.\n]{{0,60}}?{_IDEA}"
    r"|:\s(?:simply\s|just\s)?not\sworth\sit\b"
    r"|(?:\s[\u2013\u2014-]\s|,\s(?:which|and\s(?:that|this))(?:['\u2019]s|\sis)\s)(?:simply\s|just\s|plainly\s)?(?:wrong|"
    r"incorrect|misleading|useless)\s(?:on|in|for|when|as|because|since|here)\b"
    r"|\b(?:is|was|were|be)\s(?:just\s|only\s|really\s|probably\s)?an?\s(?:misdiagnosis|red\sherring|false\s(?:alarm|lead|"
    r"trail)|wrong\s(?:guess|assumption|theory|turn|track)|dead\send)\b"
    r"|\b(?:zero|no\smeasurable|negligible)\s(?:[\w-]+\s){0,2}?(?:benefit|gain|speedup|payoff)\b"
    r"|\bmy\s(?:added|earlier|previous|initial|original|first|proposed|last)\s[^.\n]{2,90}?\s"
    r"(?:is|was|were)\s(?:simply\s|just\s)?\W{0,2}(?:wrong|redundant|unnecessary|overkill|"
    r"mistaken|incorrect|an?\s(?:micro|premature|needless)|too\s\w)",
    needs="never the|drop |scrap |abandon |forget |skip |not worth|wrong|incorrect|"
    "misleading |useless |misdiagnosis|red herring|false |dead end|zero |"
    "no measurable |negligible |redundant|unnecessary|overkill|mistaken|a micro|"
    "an micro|premature|needless|too ",
    flags=re.IGNORECASE,
)
_FALLS_SHORT = worded(
    r"(?:\b(?:is|was|are|were)|['\u2019]s|['\u2019]re)\s(?:still\s|simply\s|just\s|far\s|way\s|much\s|a\s(?:bit|little)\s)*"
    r"too\s(?:generous|strict|broad|narrow|aggressive|conservative|optimistic|pessimistic|fragile|"
    r"loose|permissive|greedy|coarse|fine-grained|noisy|na[i\u00ef]ve|simplistic|eager|lenient|expensive|risky|"
    r"complex|complicated|invasive|intrusive|brittle|ambitious|restrictive|lax|blunt|clever|weak|"
    r"drastic|wide|heavy|costly|error-prone)\b"
    r"|\b(?:alone|by\sitself|on\sits\sown)\s(?:is\snot|isn['\u2019]t|won['\u2019]t\sbe|wouldn['\u2019]t\sbe)\s"
    r"(?:enough|sufficient)\b"
    r"|\b(?:that|this|it|which)\s(?:won['\u2019]t|will\snot|wouldn['\u2019]t|would\snot)\s"
    r"(?:work|help|do|be\senough)\b[^.\n]{0,30}?\b(?:because|since|due\sto|as|without|:|\u2014)",
    needs="too |enough|sufficient|won't |will not|wouldn't |would not",
    flags=re.IGNORECASE,
)
"""Says in which way something does not do."""
_HEDGED = worded(
    r"\b(?:might|may|would|could)\s(?:well\s)?be\s(?:far\s|way\s|much\s|a\s(?:bit|little)\s)?"
    r"(?:too\s(?!late\b)\w+|overkill)\b",
    needs="too |overkill",
    flags=re.IGNORECASE,
)
_MIGHT = re.compile(r"\b(?:might|may|would|could)\b", re.IGNORECASE)
"""Doubts something; it is turned down where something else is offered behind it."""
_CANNOT = worded(
    r"(?:^|(?<=\n)|(?<=[.!?:*] )|(?<=, )|(?<=but )|(?<=however, ))(?:i|we)\s"
    r"(?:can['\u2019]t|cannot|can\snot|couldn['\u2019]t|could\snot|am\snot\sable\sto|was\snot\sable\sto)\s"
    r"(?:just\s|simply\s|easily\s|directly\s|really\s)?"
    r"(?!see\b|find\b|tell\b|say\b|be\b|think\b|help\b|wait\b|know\b|prove\b|believe\b|verify\b|"
    r"reproduce\b|guarantee\b|rule\b)"
    r"\w+\s[^.\n]{4,160}?(?:\b(?:because|since|due\sto|while|without|until|unless)\b|,\sas\s|"
    r"\b(?:doesn['\u2019]t|isn['\u2019]t|only)\b)",
    needs="can't |cannot |can not |couldn't |could not |not able",
    flags=re.IGNORECASE,
)
"""Says what cannot be done, and for which reason."""
_SO_CANNOT = worded(
    r"(?<=[\w)`\"*], so )(?:i|we)\s(?:can['\u2019]t|cannot|can\snot|couldn['\u2019]t|could\snot|"
    r"am\sunable\sto|was\sunable\sto)\s(?!see\b|tell\b|say\b|be\b|help\b|know\b)\w+"
    r"|(?:,\s|\band\s|\bwhich\s)(?:makes?|making|made|leaves?|leaving)\s(?:it|them|this|that|these)\s(?:\w+\s)?"
    r"(?:impossible|unusable|unreadable|infeasible|unworkable|useless)\b"
    r"|\bthat\s(?:rules\sout|makes\s(?:it|this)\simpossible)\b",
    needs="so |makes |make |making |made |leave|leaving |that rules ",
    flags=re.IGNORECASE,
)
"""Says what does not go behind the reason for it."""
_SO_OTHERWISE = worded(
    r"`[^`\n]+`(?:\s\([^()\n]*\))?\s(?:(?:matches|returns|finds|does|gives|yields)\snothing|(?:can['\u2019]t|cannot|won['\u2019]t)\s\w+)\b"
    r"[^.!?\n]{0,100}?,\sso\s(?:i['\u2019]ll|i\swill|i['\u2019]m|i\sam|let\sme|we['\u2019]ll)\s(?:\w+\s){0,3}?(?:write|writing|use|using|build|"
    r"building|go|going|switch|switching|do|doing|call|calling|add|adding|walk|parse)\b",
    needs=", so ",
    flags=re.IGNORECASE,
)
"""Says of a way that nothing comes of it, and takes another one."""
_INSTEAD = re.compile(
    r"\s*\W{0,4}(?:alternative(?:ly)?\b|instead\b|a\s(?:better|simpler|lighter|safer|cleaner)\s)",
    re.IGNORECASE,
)
"""Opens what is offered in place of what was turned down before."""
_OF_THE_MATTER = re.compile(
    r"\b(?:issue|problem|bug|cause|reason)\b[^.\n]{0,20}\bis\b|\botherwise\b|\bso\s(?:that|as)\b|\bto\savoid\b",
    re.IGNORECASE,
)
"""Speaks of what is to be mended, or of what would be without something."""
_ASIDE = re.compile(r"\([^()]{0,120}\)")
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
        for pattern in (
            _BARRED,
            _TURNED_DOWN,
            _FALLS_SHORT,
            _CANNOT,
            _SO_CANNOT,
            _SO_OTHERWISE,
            _HEDGED,
        ):
            for match in pattern.finditer(shown):
                start, end = bounds_of(shown, match.start(), match.end())
                said = trimmed(shown, start, end).removeprefix("THOUGHT: ")
                if pattern is _FALLS_SHORT and _OF_THE_MATTER.search(said):
                    continue
                if pattern is _HEDGED and _INSTEAD.match(shown, end) is None:
                    continue
                told = _is_told(_unhedged(said, pattern))
                if told and not any(said in other for other in found):
                    found[said] = failed_way(
                        said, span=reading.handle, position=reading.position, rank=_RANK
                    )
                if len(found) >= _MOST:
                    return tuple(found.values())
    return tuple(found.values())


def _unhedged(said: str, pattern: Worded) -> str:
    """A sentence without the hedge that its sort of refusal may have."""
    if pattern is _CANNOT:
        return said.replace("unless", "")
    return _MIGHT.sub("", said) if pattern is _HEDGED else said


def _is_told(said: str) -> bool:
    few = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_SAID
    return not (
        few
        or said.startswith(("|", ">"))
        or _SUPPOSED.search(_ASIDE.sub(" ", said))
        or looks_like_code(said)
    )
