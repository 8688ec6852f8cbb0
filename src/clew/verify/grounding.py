"""Grounding: what a claim says literally stands where it says it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from clew.record.items import Evidence
from clew.verify.cited import cited_sentences
from clew.verify.finding import Finding, Rule, Severity
from clew.verify.literals import (
    Literal,
    LiteralKind,
    folded,
    literals,
    numbers_in,
    stands_in,
    values_of,
)
from clew.verify.sources import Source, Sources
from clew.verify.words import content, overlap, stem, words

SAME_SUBJECT = 0.34
"""Share of a claim's words that a cited span must have when it has no literal and no quote."""

_NEIGHBOURHOOD_CHARS = 80
_NUMBERS_CHECKED = 24
_SPAN = re.compile(r"\bS-\d+\b")
_PASSIVE = re.compile(r"\bby\b|\binto\b|\bfrom\b", re.IGNORECASE)
_PROPER = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][A-Za-z0-9]+\b")


def evidence_findings(name: str, evidence: Sequence[Evidence], sources: Sources) -> list[Finding]:
    """Spans that do not exist, and quotes that do not stand in their span word for word."""
    found: list[Finding] = []
    for each in evidence:
        if not each.span:
            found.append(_finding(name, "", "the evidence names no span"))
        elif each.span not in sources.handles:
            found.append(
                Finding(rule=Rule.FORGERY, item=name, span=each.span,
                        problem=f"{each.span} is no span of this session")
            )  # fmt: skip
        elif each.quote.strip() and not _quote_stands(each, sources):
            found.append(
                _finding(name, each.span, f"the quote does not stand in {each.span} word for word")
            )
    return found


def _quote_stands(evidence: Evidence, sources: Sources) -> bool:
    quote = folded(evidence.quote)
    span = sources.span(evidence.span)
    if span is None:
        # Absorbed earlier: its text is not at hand, the record's own quotes of it are. What the
        # record says in its own words is no quotation.
        return any(at == evidence.span and quote in said for at, said in sources.old_evidence)
    return quote in span.folded


def literal_findings(
    name: str, texts: Iterable[str], evidence: Sequence[Evidence], sources: Sources
) -> list[Finding]:
    """Literals of a claim that stand in no cited span nor in the old record.

    A span that a text names itself (`… (S-41)`) is cited too.
    """
    written = [folded(text) for text in texts]
    handles = [e.span for e in evidence] + [m for t in written for m in _SPAN.findall(t)]
    cited = [s for h in dict.fromkeys(handles) if (s := sources.span(h)) is not None]
    span = evidence[0].span if evidence else ""
    found: list[Finding] = []
    for claim in written:
        for literal in literals(claim):
            if literal.text not in sources.known and not _stands(literal, cited, sources):
                problem = f"{literal.kind.value} {literal.text!r} stands neither there nor in the "
                found.append(_finding(name, span, problem + "old record"))
    return found


def place_findings(
    name: str, text: str, evidence: Sequence[Evidence], sources: Sources
) -> list[Finding]:
    """Numbers and names of a sentence that stand in its source, but in another place of it."""
    cited = [s for s in (sources.span(e.span) for e in evidence) if s is not None]
    if not cited:
        return []
    claim, span = folded(text), evidence[0].span
    quotes = [Source(e.quote) for e in evidence if e.quote.strip()]
    found: list[Finding] = []
    numbers = [each for each in literals(claim) if each.kind is LiteralKind.NUMBER]
    for literal in numbers[:_NUMBERS_CHECKED]:
        if literal.text not in sources.known:
            found += _misplaced(name, span, claim, literal, cited, quotes)
    from_there = [s for e in evidence for s in cited_sentences(claim, e, sources)]
    return found or _swapped(name, span, claim, from_there)


def subject_findings(
    name: str, text: str, evidence: Sequence[Evidence], sources: Sources
) -> list[Finding]:
    """Cited spans that speak of something else; for evidence that shows no quote."""
    found: list[Finding] = []
    claim = frozenset(content(text))
    for each in evidence:
        span = sources.span(each.span)
        if span is None or each.quote.strip() or len(claim) < 2:
            continue
        if overlap(claim, span.stems) < SAME_SUBJECT:
            found.append(_finding(name, each.span, f"{each.span} does not speak of this"))
    return found


def _stands(literal: Literal, cited: Sequence[Source], sources: Sources) -> bool:
    places = [*cited, sources.record]
    if literal.kind is LiteralKind.NUMBER:
        values = values_of(literal.text)
        return any(values & place.numbers for place in places)
    if any(stands_in(literal, place.plain) for place in places):
        return True
    return literal.kind is LiteralKind.PATH and _resolved(literal.text, cited, sources)


def _resolved(path: str, cited: Sequence[Source], sources: Sources) -> bool:
    """Whether a path joins a directory that was seen anywhere with a path in a cited span."""
    folders = path.split("/")
    for cut in range(1, len(folders)):
        directory, rest = "/".join(folders[:cut]), "/".join(folders[cut:])
        here = _path(rest)
        if any(stands_in(here, place.plain) for place in cited):
            return not directory or stands_in(_path(directory), sources.everything.plain)
    return False


def _path(text: str) -> Literal:
    return Literal(kind=LiteralKind.PATH, text=text, start=0, end=len(text))


def _misplaced(
    name: str,
    span: str,
    claim: str,
    literal: Literal,
    cited: Sequence[Source],
    quotes: Sequence[Source],
) -> list[Finding]:
    """A number that stands in the source, but not with the words it has in the claim."""
    near = _neighbours(claim, literal)
    if not near:
        return []
    values = values_of(literal.text)
    for quote in quotes:
        there = quote.numbers
        if there and not there & values and near <= quote.stems:
            return [_finding(name, span, f"the quote says another number than {literal.text}")]
    for place in cited:
        stems = place.stems & near
        windows = [
            w for n, ws in place.beside_numbers.items() if numbers_in(n) & values for w in ws
        ]
        if not windows or not stems or any(near & window for window in windows):
            return []
    return [_finding(name, span, f"{literal.text} stands there beside other words")]


def _neighbours(claim: str, literal: Literal) -> frozenset[str]:
    before = content(claim[max(literal.start - _NEIGHBOURHOOD_CHARS, 0) : literal.start])[-2:]
    behind = content(claim[literal.end : literal.end + _NEIGHBOURHOOD_CHARS])[:2]
    return frozenset(before + behind)


def _swapped(name: str, span: str, claim: str, cited: Sequence[str]) -> list[Finding]:
    """Two literals or proper names that changed places against a cited sentence."""
    named = [x.text for x in literals(claim) if x.kind is not LiteralKind.QUOTED]
    for sentence in cited:
        if _PASSIVE.search(claim) and not _PASSIVE.search(sentence):
            continue
        if pair := _transposed(claim, sentence):
            return [_finding(name, span, f"{' and '.join(pair)} have changed places")]
        known = dict.fromkeys((*named, *_PROPER.findall(claim), *_PROPER.findall(sentence)))
        present = [n for n in known if _at(n, sentence) >= 0 and _at(n, claim) >= 0][:8]
        for one, other in combinations(present, 2):
            if _changed_places(claim, sentence, one, other):
                return [_finding(name, span, f"{one} and {other} have changed places")]
    return []


def _transposed(claim: str, sentence: str) -> tuple[str, ...]:
    """The two words whose exchange is all that sets a claim apart from its source, if any."""
    mine, theirs = ([w.casefold() for w in words(t)] for t in (claim, sentence))
    if len(mine) != len(theirs) or sorted(mine) != sorted(theirs):
        return ()
    apart = [i for i, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    return tuple(mine[i] for i in apart) if len(apart) == 2 else ()


def _at(needle: str, text: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(needle)}(?!\w)", text)
    return match.start() if match else -1


def _changed_places(claim: str, sentence: str, one: str, other: str) -> bool:
    if (_at(one, claim) < _at(other, claim)) == (_at(one, sentence) < _at(other, sentence)):
        return False
    hidden = {stem(word) for word in words(f"{one} {other}")}
    mine = [_beside(claim, n, hidden) for n in (one, other)]
    theirs = [_beside(sentence, n, hidden) for n in (one, other)]
    same = sum(_shared(a, b) for a, b in zip(mine, theirs, strict=True))
    swapped = sum(_shared(a, b) for a, b in zip(mine, reversed(theirs), strict=True))
    return swapped > same


def _beside(text: str, needle: str, hidden: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    at = _at(needle, text)
    before = [s for s in (stem(w) for w in words(text[:at])) if s not in hidden][-2:]
    behind = [s for s in (stem(w) for w in words(text[at + len(needle) :])) if s not in hidden][:2]
    return frozenset(before), frozenset(behind)


def _shared(
    one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]
) -> int:
    return len(one[0] & other[0]) + len(one[1] & other[1])


def _finding(name: str, span: str, problem: str) -> Finding:
    return Finding(
        rule=Rule.GROUNDING, item=name, span=span, problem=problem, severity=Severity.ERROR
    )
