"""Failures while they are sorted: those of one sort stand once, with all that was tried.

A tool that turns every call down fails each time with the same line. What matters then is which
ways were tried, so that nobody tries them again one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from clew.record.delta import Dismiss
from clew.record.items import Evidence
from clew.summarize.extractive.claims import Claim, resting_on
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, shortened, trimmed

_MOST_OVERCOME = 48
"""Failures of a stretch that were overcome and are kept; of more the latest are."""
_MOST_WAYS = 16
"""Calls of one sort of failure that are named with what they were for."""
_LONGEST_WAY, _LONGEST_WAYS = 36, 90
_LONGEST_INTENT = 200
_VARYING = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|\S*[/\\]\S*|\d+")
"""What differs between failures of one sort: names, places, numbers."""
_SETS_OUT = re.compile(
    r"(?:^|(?<=\n)|(?<=[.!?:] ))(?:THOUGHT:\s)?(?:(?:now|next|so|ok(?:ay)?|first|then|instead)\W+)?"
    r"(?:i['\u2019]ll|i\swill|let\sme|i['\u2019]m\sgoing\sto|i\sam\sgoing\sto|let['\u2019]s|"
    r"(?:re)?try(?:ing)?)\s\w",
    re.IGNORECASE,
)
"""Says what the call beside it is for."""
_ARROW = " \u2192 "
_PLACE_FIRST = re.compile(r"^cd \S+\s*(?:&&|;|\n)\s*")
"""Goes to where the command is meant to run, which tells no two ways apart."""


@dataclass(slots=True)
class Failures:
    """The failures of a stretch while they are sorted, each sort of error once."""

    live: dict[str, Claim] = field(default_factory=dict)
    overcome: dict[str, Claim] = field(default_factory=dict)
    dismissed: list[Dismiss] = field(default_factory=list)
    _ways: dict[str, list[str]] = field(default_factory=dict)

    def take(self, found: Claim, over: str, tool: str) -> None:
        """Keep a failure, of several alike the latest; one that still stands outweighs."""
        kept, key = self.live, found.item.field("error").lower()
        if over:
            kept, key = self.overcome, f"{tool} {_VARYING.sub('', key)}"
        ways = self._ways.setdefault(f"{bool(over)} {key}", [])
        way = found.item.text.partition(_ARROW)[0]
        if way not in ways:
            ways.append(way)
        if before := kept.pop(key, None):
            span = before.item.evidence[0].span
            self.dismissed.append(Dismiss(span=span, reason="the same failure again"))
            found = resting_on(found, _what_was_tried(before), most=2 * _MOST_WAYS)
            if not over:
                found = _naming(found, ways)
        kept[key] = found

    def made(self) -> list[Claim]:
        """What still stands, and the latest of what was overcome."""
        over = list(self.overcome.values())
        for left in over[:-_MOST_OVERCOME]:
            span, reason = left.item.evidence[0].span, left.item.reason
            self.dismissed.append(Dismiss(span=span, reason=reason))
        return [*self.live.values(), *over[-_MOST_OVERCOME:]]


def _what_was_tried(before: Claim) -> Claim:
    """The earlier failure without the line that the later one shows again, where more is quoted."""
    error = before.item.field("error")
    quotes = [e for e in before.item.evidence if e.quote != error]
    spans = {e.span for e in quotes}
    kept = tuple(e for e in before.item.evidence if e.quote != error or e.span not in spans)
    return before.of(before.item.changed(evidence=kept))


def _naming(found: Claim, ways: list[str]) -> Claim:
    """The failure with all the ways that ended in it, the latest last."""
    if len(ways) < 2:
        return found
    named = [shortened(_PLACE_FIRST.sub("", way), _LONGEST_WAY) for way in ways]
    while len(named) > 2 and sum(map(len, named)) > _LONGEST_WAYS:
        del named[len(named) // 2]
    gone = len(ways) - len(named)
    if gone:
        named.insert(len(named) // 2, f"{gone} more")
    error = found.item.text.partition(_ARROW)[2]
    return replace(found, item=replace(found.item, text=f"{'; '.join(named)}{_ARROW}{error}"))


@once
def intent(reading: Reading) -> tuple[Evidence, ...]:
    """What the agent said that its call was for, as a quote of its exchange."""
    shown = reading.prose[-1][-_LONGEST_INTENT * 4 :] if reading.prose else ""
    found = max(_SETS_OUT.finditer(shown), key=re.Match.start, default=None)
    if found is None:
        return ()
    sentence = trimmed(shown, *bounds_of(shown, found.start(), found.end()))
    sentence = sentence.removeprefix("THOUGHT: ")
    if len(sentence) > _LONGEST_INTENT or looks_like_code(sentence):
        return ()
    return (Evidence(span=reading.handle, quote=sentence),)
