"""Qualifiers: what narrows the cited sentence narrows the claim too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from clew.record.items import Evidence
from clew.verify.cited import cited_sentences
from clew.verify.finding import Finding, Rule
from clew.verify.literals import CHECKED_CHARS, folded, literals
from clew.verify.sources import Sources
from clew.verify.words import WIDENING, content, kept_count, qualifiers_in


def qualifier_findings(
    name: str, text: str, evidence: Sequence[Evidence], sources: Sources, *, reason: str = ""
) -> list[Finding]:
    """Qualifiers of the cited sentences that the claim dropped, and words that widen it.

    A qualifier may stand in the reason; a reason widens nothing, it has to have been given itself.
    """
    claim = folded(f"{text} {reason}".rstrip())[:CHECKED_CHARS]
    found: list[Finding] = []
    for each in evidence:
        for sentence in cited_sentences(claim, each, sources):
            found += kept_findings(name, claim, sentence, each.span)
    if found or not evidence:
        return found[:1]
    return _widened(name, folded(text)[:CHECKED_CHARS], evidence, sources)


def kept_findings(name: str, claim: str, sentence: str, span: str = "") -> list[Finding]:
    """Qualifiers of one source sentence that a claim from it dropped."""
    stems = frozenset(content(claim))
    owed: Counter[str] = Counter()
    for qualifier in qualifiers_in(sentence):
        owed[qualifier.name] += bool(qualifier.nearby & stems)
        if owed[qualifier.name] > kept_count(claim, qualifier.name):
            problem = f"{qualifier.word!r} narrows the source and is missing: {sentence:.120}"
            return [Finding(rule=Rule.QUALIFIERS, item=name, span=span, problem=problem)]
    return []


def _prose(claim: str) -> str:
    """The claim without its literals: a path may hold any word."""
    for literal in reversed(literals(claim)):
        claim = f"{claim[: literal.start]} {claim[literal.end :]}"
    return claim


def _widened(
    name: str, claim: str, evidence: Sequence[Evidence], sources: Sources
) -> list[Finding]:
    wide = WIDENING.search(_prose(claim))
    if wide is None:
        return []
    for each in evidence:
        span = sources.span(each.span)
        source = each.quote if each.quote.strip() else (span.text if span else "")
        if WIDENING.search(source) or (span is None and not each.quote.strip()):
            return []
    problem = f"{wide.group()!r} makes the claim wider than what was said"
    return [Finding(rule=Rule.QUALIFIERS, item=name, span=evidence[0].span, problem=problem)]
