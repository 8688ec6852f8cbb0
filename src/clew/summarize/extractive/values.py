"""What sort of value a statement gives: money, a date, a person, a quantity, a code of a shape."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety)"
)
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_SORTS = {
    "money": re.compile(
        rf"[$€£]\s?\d[\d.,]*\d|[$€£]\s?\d|"
        rf"\b\d[\d,.]*\s?(?:dollars?|euros?|pounds?|usd|eur|gbp)\b|"
        rf"\b{_NUMBER_WORDS}(?:[\s-]\w+){{0,3}}\s(?:dollars|euros|pounds)\b",
        re.IGNORECASE,
    ),
    "date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b{_MONTHS}\s\d{{1,2}}\b|\b\d{{1,2}}\.?\s{_MONTHS}\b|"
        rf"\b(?:end\sof|mid[\s-]|until|by|in)\s?{_MONTHS}(?:\s\d{{4}})?\b|"
        r"\bthe\s\d{1,2}(?:st|nd|rd|th)\b",
        re.IGNORECASE,
    ),
    "clock": re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b|\bnoon\b|\bmidnight\b",
                        re.IGNORECASE),
    "weekday": re.compile(
        r"(?<!last )(?<!past )\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
    ),
    "time zone": re.compile(
        r"\b(?:UTC|GMT|CET|EST|PST)\b|\btime\s?zone\b|\b[A-Z][a-z]+ [Tt]ime\b|\bZone/\w+"
    ),
    "percent": re.compile(r"\b\d[\d.]*\s?(?:%|percent\b)", re.IGNORECASE),
    "duration": re.compile(
        r"\b\d+\s?(?:seconds?|minutes?|hours?|days?|weeks?|months?)\b", re.IGNORECASE
    ),
    "address": re.compile(
        r"https?://\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:internal|local|lan|com|org|net|io)\b"
    ),
    "person": re.compile(
        r"\b(?:Mrs?|Ms|Dr|Prof)\.?\s[A-Z]\w+(?:\s[A-Z]\w+)?|"
        r"\b(?!(?:Hey|Hi|Hello|Dear|Thanks|Thank|Yeah|Yes|No|Ok|Okay|Oh|Wow|Sure|Bye|Sorry|Right|Good|"
        r"Great|The|This|That|Our|My|Your|We|If|When|From|For|On|In|At|By|Please|Use|New|Last|Next)\b)"
        r"[A-Z][a-z]+ [A-Z][a-z]+\b"
    ),
    "units": re.compile(r"\b(?:metric|imperial)\b", re.IGNORECASE),
    "wish": re.compile(r"\b(?:prefers?|rather|wants?|would like|\w+'d like)\b", re.IGNORECASE),
}  # fmt: skip
_CODE = re.compile(r"(?<![\w/.-])(?=[\w/.-]*\d)(?=[\w/.-]*[A-Za-z])[\w/-]+(?:\.[\w-]+)*")
_COUNTED = re.compile(r"(?<![\w.,:/$€£-])\d[\d.,]*\s+(?P<noun>[a-z][a-z-]+)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?P<noun>[A-Za-z][a-z]{2,})\s+\d[\d.,]*(?![\w:/-])", re.IGNORECASE)
_NO_NOUNS = frozenset(
    """
    and are but for from has have had its not now off one only out over per than that the then
    this till until was were will with about above after below before under within least most
    between around costs cost takes equals gives this these those and or
    """.split()  # noqa: SIM905
)
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_PLURAL = re.compile(r"(?:es|s)$")
_SHORTEST_CODE = 4


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a text: its sort, and from where to where it stands."""

    sort: str
    start: int
    end: int


def sorts_of_value(text: str) -> frozenset[str]:
    """The sorts of value in a text; a code is known by its shape, so `AB-12` and `XYZ-7` agree."""
    return frozenset(value.sort for value in values_in(text))


@lru_cache(maxsize=8_192)
def values_in(text: str) -> tuple[Value, ...]:
    """The values in a text; of a number with its noun the noun is the sort."""
    found = [
        Value(name, *match.span())
        for name, pattern in _SORTS.items()
        for match in pattern.finditer(text)
    ]
    for match in _CODE.finditer(text):
        code = match.group()
        if len(code) >= _SHORTEST_CODE and not code.isdigit():
            shape = _DIGITS.sub("9", _LETTERS.sub("a", code))
            found.append(Value(shape, *match.span()))
    taken = [(value.start, value.end) for value in found]
    for pattern in (_COUNTED, _NUMBERED):
        for match in pattern.finditer(text):
            noun = _PLURAL.sub("", match["noun"].lower())
            inside = any(start < match.end() and match.start() < end for start, end in taken)
            if noun not in _NO_NOUNS and match["noun"].lower() not in _NO_NOUNS and not inside:
                found.append(Value(f"number of {noun}", *match.span()))
    return tuple(found)
