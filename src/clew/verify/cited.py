"""Which sentences of its source a claim was taken from."""

from __future__ import annotations

import re

from clew.record.items import Evidence
from clew.verify.literals import CHECKED_CHARS
from clew.verify.sources import Source, Sources, substance
from clew.verify.words import overlap, sentences

CITED = 0.5
"""Share of a claim's words and numbers that make a sentence the one it was taken from."""

_CLAUSES_READ = 40
_CLAUSES = re.compile(r"[,;:()]\s|\s[-–—]\s|\s(?:and|but|as)\s")


def cited_sentences(claim: str, evidence: Evidence, sources: Sources) -> list[str]:
    """The folded sentences of the quote, or of the span without a quote, that a claim is from.

    A claim may join several; each of its clauses has the sentence that fits it best. A quote may
    end inside a sentence; what the sentence goes on to say counts.
    """
    span = sources.span(evidence.span)
    if evidence.quote.strip():
        stated = Source(_carried_on(evidence.quote, span.text if span else "")).sentences
    else:
        stated = span.sentences if span else []
    cited: dict[str, None] = {}
    claim = claim[:CHECKED_CHARS]
    for part in (claim, *_CLAUSES.split(claim, maxsplit=_CLAUSES_READ)):
        states = substance(part)
        if len(states) < 2 and part is not claim:
            continue
        best = max((overlap(states, has) for _, has in stated), default=0.0)
        if best >= CITED:
            cited |= {s: None for s, has in stated if overlap(states, has) >= best}
    return list(cited)


def _carried_on(quote: str, text: str) -> str:
    """The quote, carried on to the end of its last sentence where the span has more of it."""
    at = text.find(quote)
    if at < 0 or quote.rstrip().endswith((".", "!", "?", ";")):
        return quote
    rest = text[at + len(quote) : at + len(quote) + 300]
    if not rest or rest[0] == "\n":
        return quote
    ends = sentences(rest)
    return quote + (rest[: rest.find(ends[0]) + len(ends[0])] if ends else "")
