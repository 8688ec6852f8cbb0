"""Plans that the agent drops in the next sentence: "Let me call it directly. Actually, let me …".

No call shows the first plan, and no word of failure stands in it. That another plan takes its
place before anything was done tells that it was weighed and turned down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, shortened, trimmed
from clew.tools_seen.worded import worded

REASON = "dropped for another plan before it was tried"
_LONGEST_PASSAGE, _LONGEST_SAID, _FEWEST_WORDS = 6_000, 260, 6
_MOST, _RANK = 2, 0.4
_PLANS = (
    r"(?:let\sme|let['\u2019]s|i['\u2019]ll|i\swill|i\scould|i\scan|i['\u2019]m\sgoing\sto|we\scould|we\scan|"
    r"i\sshould|we\sshould|i['\u2019]d\s(?:better|rather))"
)
_TURNS = worded(
    r"(?:^|(?<=[.!?)`*] )|(?<=\n))(?:but\s)?(?:actually|on\ssecond\sthoughts?|wait|hmm+|no|"
    r"scratch\sthat|better(?:\syet)?)\b[,.:!\u2014\u2013 -]{1,3}"
    rf"(?:actually,?\s|no,?\s|that['\u2019]s\s[^.!?\n]{{2,60}}?[.,;]\s)?{_PLANS}\s(?P<rest>[^.!?\n]{{8,}})",
    needs="actually|second thought|wait|hmm|no|scratch that|better",
    flags=re.IGNORECASE,
)
"""Turns to another plan."""
_PLANNED = re.compile(
    rf"^\W*(?:(?:so|now|then|next|first|ok(?:ay)?|and|well|maybe|perhaps|alternatively)\b[,\s]*)*{_PLANS}\s",
    re.IGNORECASE,
)
_LOOKS_FIRST = re.compile(
    r"^(?:first\s|also\s|just\s|quickly\s|now\s)*(?:check|look|see|read|view|verify|confirm|think|"
    r"re-?read|re-?check|double-check|find|search|examine|inspect|also)\b",
    re.IGNORECASE,
)
"""Looks before the plan is carried out: it is put off, not dropped."""


def second_thoughts(readings: Sequence[Reading]) -> list[Claim]:
    """The plans that the agent dropped in these exchanges."""
    return [made for reading in readings for made in dropped_in(reading)]


@once
def dropped_in(reading: Reading) -> tuple[Claim, ...]:
    """The plans that one exchange drops for another one in the sentence behind."""
    found: dict[str, Claim] = {}
    for text in reading.prose:
        shown = text[:_LONGEST_PASSAGE]
        for turn in _TURNS.finditer(shown):
            if _LOOKS_FIRST.match(turn["rest"]):
                continue
            end = len(shown[: turn.start()].rstrip())
            if end < 1:
                continue
            start, _ = bounds_of(shown, end - 1, end)
            said = trimmed(shown, start, end).removeprefix("THOUGHT: ")
            taken = trimmed(shown, *bounds_of(shown, turn.start(), turn.end()))
            if _is_plan(said):
                found.setdefault(said, _dropped(said, taken, reading))
            if len(found) >= _MOST:
                return tuple(found.values())
    return tuple(found.values())


def _is_plan(said: str) -> bool:
    set_out = _PLANNED.match(said)
    if set_out is None or _LOOKS_FIRST.match(said[set_out.end() :]):
        return False
    few = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_SAID
    return not (few or said.endswith(("?", ":")) or looks_like_code(said))


def _dropped(said: str, taken: str, reading: Reading) -> Claim:
    return claim(
        "dead_end",
        said,
        text=f"{shortened(said, 180)} \u2192 {shortened(taken, 140)}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.CLOSED,
        reason=REASON,
        evidence=(Evidence(span=reading.handle, quote=taken),),
        rank=_RANK,
    )
