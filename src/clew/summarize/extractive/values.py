"""What sort of value a statement gives: money, a date, a person, a code of a certain shape."""

from __future__ import annotations

import re

_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety)"
)
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_SORTS = {
    "money": re.compile(
        rf"[$€£]\s?\d|\b\d[\d,.]*\s?(?:dollars?|euros?|pounds?|usd|eur|gbp)\b|"
        rf"\b{_NUMBER_WORDS}(?:[\s-]\w+){{0,3}}\s(?:dollars|euros|pounds)\b",
        re.IGNORECASE,
    ),
    "date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b{_MONTHS}\s\d{{1,2}}\b|\b\d{{1,2}}\.?\s{_MONTHS}\b",
        re.IGNORECASE,
    ),
    "weekday": re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE),
    "time zone": re.compile(
        r"\b(?:UTC|GMT|CET|EST|PST)\b|\btime\s?zone\b|\b[A-Z][a-z]+ time\b|\bZone/\w+"
    ),
    "percent": re.compile(r"\b\d[\d.]*\s?(?:%|percent\b)", re.IGNORECASE),
    "duration": re.compile(
        r"\b\d+\s?(?:seconds?|minutes?|hours?|days?|weeks?|months?)\b", re.IGNORECASE
    ),
    "person": re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b"),
    "wish": re.compile(r"\b(?:prefers?|rather|wants?|would like)\b", re.IGNORECASE),
    "address": re.compile(r"https?://|\b[\w-]+(?:\.[\w-]+)*\.(?:internal|local|com|org|net|io)\b"),
}
_CODE = re.compile(r"(?<![\w/.-])(?=[\w/.-]*\d)(?=[\w/.-]*[A-Za-z])[\w/-]+(?:\.[\w-]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_SHORTEST_CODE = 4


def sorts_of_value(text: str) -> frozenset[str]:
    """The sorts of value in a text; a code is known by its shape, so `AB-12` and `XYZ-7` agree."""
    found = {name for name, pattern in _SORTS.items() if pattern.search(text)}
    for code in _CODE.findall(text):
        if len(code) >= _SHORTEST_CODE and not code.isdigit():
            found.add(_DIGITS.sub("9", _LETTERS.sub("a", code)))
    return frozenset(found)
