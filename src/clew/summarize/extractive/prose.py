"""What the agent said: decisions, dead ends, promises, rules, facts, open questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Rejected, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.directives import asks_the_user
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    LONGEST_QUOTE,
    Sentence,
    sentences_with,
    topic_words,
)
from clew.tools_seen.seen import Action

_LONGEST_PASSAGE = 12_000
_INSTEAD = re.compile(
    r"(?:instead\sof|rather\sthan|over|not)\s+(?P<option>[^,.;:()\n]{3,80}?)"
    r"(?=\s+(?:because|since|due\sto|so\sthat|as\sit|to\savoid|given\sthat|when|for|in)\b|[,.;:()\n]|$)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:because|since|due\sto|so\sthat|as\sit|to\savoid|given\sthat)\s+(?P<why>.{5,200})",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:instead\sof|rather\sthan|no\slonger|not|isn't|wasn't|aren't|was)\s+"
    r"(?P<denied>[^,.;:()\n]{2,60})",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"^\W*(?:now|next|first|then|so|ok(?:ay)?|and|but|let me|let's|i)\b",
                           re.IGNORECASE)  # fmt: skip
_NARRATED = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|and|but)\W+)*"
    r"(?:let\sme|let['\u2019]s|i['\u2019]?m|i\sam|i\sneed|i\sshould|i\swill|i['\u2019]ll|i\scan)\b",
    re.IGNORECASE,
)
_STARTS_OVER = re.compile(
    r"^\W*(?:actually|wait|hmm|oh)\b\W*(?:wait\W+)?(?:let['\u2019]?s?\b|i\b|i['\u2019]|looking|maybe|that)",
    re.IGNORECASE,
)
_OFFERED = re.compile(r"^\W*(?:if you|should you|otherwise|once|unless|let me know)\b",
                      re.IGNORECASE)  # fmt: skip
_CHANGES = re.compile(
    r"\b(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|i\sam\sgoing\sto|we['\u2019]ll|let['\u2019]s|let\sme)"
    r"\s+(?:\w+\s){0,2}?(?:make|put|use|add|keep|set|change|move|rename|replace|remove|drop|update|write|create|"
    r"convert|split|merge|wrap|switch|apply|pin|limit|cap|skip|leave|print|insert|append|shift|default|"
    r"centrali[sz]e|reuse|extract)\b"
    r"|\b(?:i['\u2019]m|i\sam|we['\u2019]re)\s(?:now\s|also\s)?(?:creat|us|add|keep|sett|chang|mov|renam|replac|"
    r"remov|dropp|updat|writ|convert|splitt|merg|wrapp|switch|apply|pinn|limit|leav|insert|mak|patch|"
    r"extend|rewrit|wir|resolv)ing\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"\b(?:so\s(?:that|it|the|we|you|they|i)|while|without|instead|rather|because|since|to\s(?:avoid|keep|correct|"
    r"prevent|preserve|match|make\ssure)|directly|unless|only|both|explicit|by\s\w+ing|"
    r"in\splace\sof|simpler|cleaner|safer|should|as\s(?:plain|one|its\sown))\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"^\W*(?:i\s(?:have\s)?|i['\u2019]ve\s)?(?:kept|left|skip(?:ped)?|bumped|pinned|replaced|switched|dropped|"
    r"chose|moved|keep|intentionally|deliberately|removed|simplified|changed|renamed|made|merged|split)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ON_PURPOSE = re.compile(
    r"\b(?:because|since|so\sthat|to\savoid|untouched|unchanged|intentionally|deliberately|on\spurpose|by\sdesign|"
    r"as\syou|per\syour|not\sneeded|instead|rather\sthan|from\s\S+\sto|no\slonger|now\s(?:just\s|only\s)?"
    r"(?:uses?|requires?|resolves?|returns?|reads?|points?|follows?|goes|falls)|to\s(?:require|use|match|avoid))\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:(?:i|we)(?:['\u2019]ll|\swill)\s(?:go\swith|use|stick)|decided\s(?:to|on)|settled\son|opted\sfor|"
    r"the\s(?:right|cleanest|simplest|correct|proper)\sfix|(?:i|we)\s(?:need|have)\sto\s(?:modify|change)|"
    r"the\sfix\s(?:should|would|will|is\sto)|(?:is|are)\sthe\s(?:standard|usual|recommended|safer|better)\s"
    r"(?:tool|way|choice|option|approach)|try\sa\s(?:different|more\s\w+|simpler|new)\sapproach)\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|and)\W+)*(?:i['\u2019]ll|i\swill|let\sme)\s"
    r"(?!.*\b(?:later|afterwards|at\sthe\s(?:very\s)?end|follow|once|separate)\b)",
    re.IGNORECASE,
)
"""Says what the calls beside it do."""
_TRIES = re.compile(r"\b(?:try|trying)\s(?:to|again)\b", re.IGNORECASE)
_HEDGED = re.compile(r"\b(?:wondering|maybe|perhaps)\b|^\W*it\sseems", re.IGNORECASE)
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_HEADING = re.compile(r"^\W*\*\*[^*]+\*\*\W*$")
_FEWEST_WORDS_OF_A_REQUEST = 3
_NUMBER = re.compile(r"\d")


@once
def claims_of_agent(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """Claims in the agent's own words of one exchange, prose before reasoning."""
    made: list[Claim] = []
    for text, aloud in (*((t, True) for t in reading.prose),
                        *((t, False) for t in reading.reasoning)):  # fmt: skip
        shown = text[:_LONGEST_PASSAGE]
        sentences = {s.start: s for s in sentences_with(cues.any, shown, most=60)}
        # How a change is made is told in words that no cue opens.
        for pattern in _told_changes(reading) if aloud else ():
            sentences.update((s.start, s) for s in sentences_with(pattern, shown, most=12))
        made.extend(
            found
            for _, sentence in sorted(sentences.items())
            if (found := _claim_of(sentence, reading, cues, aloud=aloud)) is not None
        )
    return tuple(made)


def _told_changes(reading: Reading) -> tuple[re.Pattern[str], ...]:
    """What tells of a change where it is made, and of changes in a report."""
    if any(call.action in _CHANGING for call in reading.calls):
        return (_CHANGES,)
    return (_SETTLED,) if reading.finished else ()


def _claim_of(sentence: Sentence, reading: Reading, cues: Cues, *, aloud: bool) -> Claim | None:
    text = sentence.text
    if len(text.split()) < 4 or text.rstrip().endswith("?"):
        return None
    purposes = cues.purposes(text)
    kind, rank = _kind_and_rank(text, purposes, reading, aloud=aloud)
    if not kind:
        return None
    why = _REASON.search(text)
    rejected = _rejected_in(text) if kind == "decision" else ()
    return claim(
        kind,
        text,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN if kind in {"commitment", "blocker"} else Status.ACTIVE,
        why=why["why"].rstrip(" .") if why is not None and kind == "decision" else "",
        rejected=rejected,
        corrects="correction" in purposes,
        denied=denied_words(text) if "correction" in purposes else frozenset(),
        rank=rank if aloud else rank - 1.0,
    )


def _kind_and_rank(
    text: str, purposes: frozenset[str], reading: Reading, *, aloud: bool
) -> tuple[str, float]:
    """The kind of claim a sentence makes, and how sure the cues are."""
    if text.rstrip().endswith((":", "\uff1a")):
        return "", 0.0
    named = bool(identifiers_in(text))
    strength = (1.0 if named else 0.0) + (0.5 if _NUMBER.search(text) else 0.0)
    narrates = bool(_FIRST_PERSON.match(text) or _STARTS_OVER.match(text))
    if _HEDGED.search(text):
        return "", 0.0
    if "dead_end" in purposes and (named or purposes & {"reason", "correction"}):
        return "dead_end", 2.0 + strength
    if "awaiting" in purposes and aloud and reading.finished:
        return "blocker", 2.0
    if _OFFERED.match(text):
        return "", 0.0
    if "promise" in purposes and aloud and _is_left(text, purposes, reading):
        return "commitment", 1.0 + strength + (1.0 if reading.finished else 0.0)
    if _decides(text, purposes):
        return "decision", 2.0 + strength + (1.0 if "reason" in purposes else 0.0)
    if aloud and _does_on_purpose(text, reading):
        return "decision", 1.0 + strength + (1.0 if "reason" in purposes else 0.0)
    if "fact" in purposes and not narrates and (strength or purposes & {"reason", "rule"}):
        return "fact", 1.0 + strength
    if "correction" in purposes and not narrates:
        return "fact", 1.0 + strength
    if "rule" in purposes and named and not narrates and aloud:
        return "fact", 0.5 + strength
    return "", 0.0


def _is_left(text: str, purposes: frozenset[str], reading: Reading) -> bool:
    """Whether a promise outlives the exchange in which it is made."""
    if reading.finished:
        return True
    changes = any(call.action in _CHANGING for call in reading.calls)
    return "deferred" in purposes and not (changes and _AT_ONCE.match(text) is not None)


def _decides(text: str, purposes: frozenset[str]) -> bool:
    """A choice is stated as one, or two options are weighed with the reason."""
    if _CHOICE.search(text) is not None and identifiers_in(text):
        return True
    if _NARRATED.match(text) is not None and "decision" not in purposes:
        return False
    weighed = purposes & {"reason", "contrast", "rejected"}
    if "decision" in purposes:
        return bool(weighed) or "correction" in purposes
    return "contrast" in purposes and "reason" in purposes


def _does_on_purpose(text: str, reading: Reading) -> bool:
    """How a change is made, said where it is made, or why it was left as it is, said behind it."""
    if any(call.action in _CHANGING for call in reading.calls):
        tells = _CHANGES.search(text) is not None and _MANNER.search(text) is not None
        return tells and _TRIES.search(text) is None
    return _SETTLED.match(text) is not None and _ON_PURPOSE.search(text) is not None


def _rejected_in(text: str) -> tuple[Rejected, ...]:
    found = _INSTEAD.search(text)
    if found is None or found.group(0).lower().startswith("over"):
        return ()
    return (Rejected(option=found["option"].strip()),)


def denied_words(text: str) -> frozenset[str]:
    """Topic words that a correcting sentence says are wrong now."""
    words: set[str] = set()
    for found in _DENIED.finditer(text):
        words |= topic_words(found["denied"])
    return frozenset(words)


@once
def open_question(reading: Reading, cues: Cues) -> Claim | None:
    """What the agent waits for the user to answer, when it stopped with a question."""
    if not reading.finished or not reading.prose:
        return None
    answer = reading.prose[-1].rstrip()
    if not asks_the_user(answer, cues):
        return None
    quote = answer.rsplit("\n", 1)[-1].strip()[-400:]
    return claim(
        "blocker",
        quote,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN,
        fields=(("awaited", "the user"),),
        rank=3.0,
    )


def next_action(readings: Sequence[Reading], cues: Cues) -> tuple[str, str] | None:
    """What the agent says it does next, or the user's request behind it, and the span.

    A request that nobody has answered yet takes the place of every plan made before it; one of a
    word or two ("continue") leaves the plan as it was. Behind a final answer nothing older is
    next: what it says about what comes, else what it asks, else nothing.
    """
    for reading in reversed(readings):
        for text in (*reversed(reading.prose), *reversed(reading.reasoning)):
            shown = text[-3_000:]
            sentences = [
                sentence
                for sentence in sentences_with(cues.patterns["next"], shown, most=20)
                if _HEADING.match(sentence.text) is None
            ]
            if sentences:
                return _with_what_leads_to_it(shown, sentences[-1], cues), reading.handle
        if reading.finished:
            return _from_the_answer(reading, cues)
        asked = reading.typed[-1].strip().split("\n", 1)[0] if reading.typed else ""
        if len(asked.split()) >= _FEWEST_WORDS_OF_A_REQUEST and len(asked) <= LONGEST_QUOTE:
            return asked, reading.handle
    return None


def _from_the_answer(reading: Reading, cues: Cues) -> tuple[str, str] | None:
    answer = reading.prose[-1].rstrip()
    promised = sentences_with(cues.patterns["promise"], answer[-3_000:], most=20)
    if promised:
        return promised[-1].text, reading.handle
    last = answer.rsplit("\n", 1)[-1].strip()
    asks = asks_the_user(answer, cues) and len(last) <= LONGEST_QUOTE
    return (last, reading.handle) if asks else None


def _with_what_leads_to_it(text: str, last: Sentence, cues: Cues) -> str:
    """The sentence with the promises right before it: what comes first is next."""
    start = last.start
    for before in reversed(sentences_with(cues.patterns["promise"], text, most=20)):
        gap = text[before.start + len(before.text) : start]
        if before.start < start and not gap.strip() and "\n" not in gap:
            start = before.start
    joined = text[start : last.start].lstrip() + last.text
    return joined if len(joined) <= LONGEST_QUOTE and joined in text else last.text
