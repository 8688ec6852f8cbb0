"""Words, sentences and qualifiers, as far as comparing a claim with its source needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

_STOPWORDS = """
    a an the this that these those it its is are was were be been being am do does did done has
    have had will would shall should can could may might must to of in on at by for from with as
    and or but so than then there here we i you he she they them our us your his her their who
    which what when where why how all any each every not no never only also just very into over
    because since while if unless except until within without per about out up down off again
    now still already
"""
STOPWORDS = frozenset(_STOPWORDS.split())
"""Words that carry no meaning of their own when a claim is compared with its source."""

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:'[a-z]+)?|\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s+|\n+|(?<=[。！？；])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "ly", "s")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without case and common English endings; crude, the same on both sides."""
    low = word.casefold().removesuffix("'s")
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            low = low[: -len(ending)]
            break
    return low.removesuffix("e") if len(low) > 3 else low


def words(text: str) -> list[str]:
    """The words of a text, compound names taken apart (`pool_size`, `poolSize`)."""
    return _WORD.findall(_CAMEL.sub(" ", text))


def content(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order, numbers left out."""
    return [
        stem(word) for word in words(text)
        if word.casefold() not in STOPWORDS and not word[0].isdigit()
    ]  # fmt: skip


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, without blank ones."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def overlap(claim: frozenset[str], source: frozenset[str]) -> float:
    """The share of the claim's stems that the source has; 1.0 for a claim without any."""
    return len(claim & source) / len(claim) if claim else 1.0


# ---- qualifiers -----------------------------------------------------------------------------

_CLASSES: dict[str, str] = {
    "negation": (
        r"not|never|no|none|nothing|nobody|nowhere|neither|nor|without|cannot|\w+n't|no longer|"
        r"fail\w*|lack\w*|miss(?:ing|es|ed)?|refus\w*|unable|avoid\w*|forbid\w*|forbidden|den(?:y|ies|ied)|"
        r"reject\w*|prohibit\w*|disallow\w*|absent|instead of|rather than|stop\w*|skip\w*|"
        r"un(?:supported|available|changed|touched|safe|set|known|tested|used|able|reachable)|"
        r"in(?:valid|compatible|correct|complete)|non-?\w+|off[- ]limits|impossible|free of|"
        r"ignor\w*|exclud\w*|leave\w* out|left out|don't"
    ),
    "exclusivity": r"only|solely|exclusively|just|alone|nothing but|limited to|restricted to",
    "exception": (
        r"except\w*|unless|exclud\w*|other than|apart from|aside from|but not|bar|save for|"
        r"but for|besides|outside(?: of)?|not counting|other"
    ),
    "bound": (
        r"at least|at most|no more than|no fewer than|not more than|up to|within|maximum|minimum|"
        r"max|min|under|below|above|over|more than|less than|fewer than|no less than|upper limit|"
        r"limit\w*|cap(?:ped)?|<=|>=|≤|≥|<|>|exceed\w*|inside|longer than|shorter than|"
        r"or more|or less|or fewer|upwards"
    ),
    "until": (
        r"until|till|as long as|before|after|while|during|once|from then on|so long as|then|when"
    ),
    "per": (
        r"per|each|every|apiece|a (?:second|minute|hour|day|week|month|worker|request)|/|"
        r"hourly|daily"
    ),
    "condition": (
        r"if|unless|when|provided|in case|as long as|only|where|once|whenever|otherwise|depend\w*|"
        r"assuming|given|need\w*|require\w*|conditional\w*|without"
    ),
}
_TRIGGERS: dict[str, str] = {
    "negation": r"not|never|no|none|neither|nor|without|cannot|\w+n't|no longer",
    "exclusivity": r"only|solely|exclusively",
    "exception": r"except|unless|excluding|other than|apart from|but not",
    "bound": r"at least|at most|no more than|no fewer than|up to|within",
    "until": r"until|till|as long as",
    "per": r"per",
    "condition": r"if|unless|provided that",
}


def _compiled(alternatives: str) -> re.Pattern[str]:
    """A pattern of whole words; a slash (`5/worker`) stands between words."""
    spaced = alternatives.replace("|/|", "|").replace(" ", r"\s+")
    slash = r"|/(?=\w)" if "|/|" in alternatives else ""
    return re.compile(rf"(?<![\w-])(?:{spaced})(?![\w-]){slash}", re.IGNORECASE)


_KEEPS = {name: _compiled(alternatives) for name, alternatives in _CLASSES.items()}
_STANDS = {name: _compiled(alternatives) for name, alternatives in _TRIGGERS.items()}
_REACH_CHARS = 300
_QUALIFIERS_READ = 40
_CLAUSE = re.compile(
    r"[,;:()\n]|\s[-–—]\s|\b(?:because|since|and|but(?!\s+not)|so that|although)\b",
    re.IGNORECASE,
)
WIDENING = re.compile(
    r"(?<![\w-])(?:all|any|always|every|everywhere|everything|anything|whenever|entire(?:ly)?|"
    r"whole|globally|unconditionally|unlimited|anyone|everyone|in general|completely)(?![\w-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifier:
    """A qualifying word in a source sentence, its class, and the stems it stands next to."""

    name: str
    word: str
    nearby: frozenset[str]


def qualifiers_in(sentence: str) -> list[Qualifier]:
    """The qualifiers of a sentence that narrow what it says, with their neighbourhood.

    A qualifier that opens its clause (`…, unless …`) belongs to the clause before it too.
    """
    return [
        Qualifier(name=name, word=m.group(), nearby=_nearby(sentence, m.start(), m.end()))
        for name, pattern in _STANDS.items()
        for m in islice(pattern.finditer(sentence), _QUALIFIERS_READ)
    ]


def _nearby(sentence: str, start: int, end: int) -> frozenset[str]:
    sentence = sentence[: end + _REACH_CHARS]
    if start > _REACH_CHARS:
        cut = start - _REACH_CHARS
        sentence, start, end = sentence[cut:], start - cut, end - cut
    cuts = [m.span() for m in _CLAUSE.finditer(sentence)]
    opening = max((stop for _, stop in cuts if stop <= start), default=0)
    closing = min((begin for begin, _ in cuts if begin >= end), default=len(sentence))
    before, behind = sentence[opening:start], sentence[end:closing]
    if not before.strip():
        earlier = max((stop for _, stop in cuts if stop < opening), default=0)
        before = sentence[earlier:opening] if _is_mark(sentence[opening - 1 : opening]) else ""
    return frozenset(content(before)[-3:] + content(behind)[:2])


def _is_mark(character: str) -> bool:
    return character in (",", "(", "-", "–", "—", ";")


def kept_count(claim: str, name: str) -> int:
    """How many qualifiers of a class a claim has, whatever the words."""
    return len(_KEEPS[name].findall(claim))
