"""Reasons and rejected options: what explains a claim has to have been said too.

A reason that nobody gave reads like one that somebody did. It is left out and the claim stands:
that a summarizer made up why something is so says nothing about whether it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from clew.record.items import Item, Rejected
from clew.verify.finding import Finding, Rule, Severity
from clew.verify.literals import folded
from clew.verify.sources import Source, Sources, substance
from clew.verify.words import overlap

SAID = 0.6
"""Share of a reason's words and numbers that two sentences of one place must have together."""

ADOPTED = 0.8
"""Share of an option's words in a choice, from which on it is that choice."""

_LEAST_WORDS = 3
_SENTENCES_COMPARED = 6
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than|and not|not|over|without|no longer|than|statt|anstatt|nicht|"
    r"au lieu de|plutôt que|en lugar de|en vez de)\b.*",
    re.IGNORECASE | re.DOTALL,
)


def with_said_reasons(
    name: str, item: Item, chosen: Sequence[str], sources: Sources
) -> tuple[Item, list[Finding]]:
    """The item with only those reasons and rejected options that its sources hold.

    `chosen` are the texts of other decisions: an option that one of them adopted was not rejected.
    """
    cited = [s for e in item.evidence if (s := sources.span(e.span)) is not None]
    places: list[Source] = [*cited, sources.record]
    found: list[Finding] = []
    span = item.evidence[0].span if item.evidence else ""
    kept: list[Rejected] = []
    for each in item.rejected:
        if _adopted(each.option, (item.text, *chosen)):
            found.append(_finding(name, span, f"the option {each.option!r:.80} is what was chosen"))
        elif not _said(each.option, places):
            found.append(_finding(name, span, f"nobody spoke of the option {each.option!r:.80}"))
        else:
            why = each.why if _said(each.why, places) else ""
            if why != each.why:
                found.append(_finding(name, span, f"nobody gave the reason {each.why!r:.80}"))
            kept.append(replace(each, why=why))
    why = item.why if _said(item.why, places) else ""
    if why != item.why:
        found.append(_finding(name, span, f"nobody gave the reason {item.why!r:.80}"))
    return replace(item, why=why, rejected=tuple(kept)), found


def _said(text: str, places: Iterable[Source]) -> bool:
    """Whether a text stands somewhere, or two sentences of one place hold most of what it says."""
    claim = folded(text)
    states = substance(claim)
    if not states:
        return True
    for place in places:
        if claim in place.folded:
            return True
        near = sorted(
            (has for _, has in place.sentences if has & states),
            key=lambda has: len(has & states),
            reverse=True,
        )[:_SENTENCES_COMPARED]
        pairs = [near[0], *(one | other for one, other in combinations(near, 2))] if near else []
        if any(overlap(states, has) >= SAID for has in pairs):
            return True
    return False


def _adopted(option: str, choices: Iterable[str]) -> bool:
    states = substance(folded(option))
    return len(states) >= _LEAST_WORDS and any(
        overlap(states, substance(_CONTRAST.sub("", folded(choice)))) >= ADOPTED
        for choice in choices
    )


def _finding(name: str, span: str, problem: str) -> Finding:
    return Finding(
        rule=Rule.GROUNDING, item=name, span=span, problem=problem, severity=Severity.WARNING
    )
