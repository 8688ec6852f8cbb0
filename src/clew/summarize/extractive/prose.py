"""What the agent said: decisions, dead ends, promises, rules, facts, open questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Rejected, Speaker, Status
from clew.record.record import HandoffRecord
from clew.summarize.extractive import decided
from clew.summarize.extractive.announced import names_a_call
from clew.summarize.extractive.bidding import is_order
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.headings import said_below
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.lessons import HOLDS
from clew.summarize.extractive.mere_steps import is_done_at_once
from clew.summarize.extractive.once import once
from clew.summarize.extractive.option_lists import options_in
from clew.summarize.extractive.passing import is_member, passes
from clew.summarize.extractive.questions import asked_last
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.referring import (
    is_cut_off,
    is_of_another,
    with_the_one_before,
    with_what_it_refers_to,
)
from clew.summarize.extractive.sentences import (
    LONGEST_QUOTE,
    Sentence,
    denied_words,
    sentences_with,
)
from clew.summarize.extractive.shown_pages import own_prose
from clew.summarize.extractive.under_way import under_way
from clew.summarize.extractive.verdicts import is_assent, is_error_line
from clew.tools_seen.slash_commands import is_slash_command
from clew.tools_seen.worded import worded

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
_FIRST_PERSON = re.compile(
    r"^\W*(?:now|next|first|then|so|ok(?:ay)?|and|but|let me|let['\u2019]s|i)\b", re.IGNORECASE
)
_STARTS_OVER = re.compile(
    r"^\W*(?:actually|wait|hmm|oh)\b\W*(?:wait\W+)?(?:let['\u2019]?s?\b|i\b|i['\u2019]|looking|maybe|that)",
    re.IGNORECASE,
)
_OFFERED = re.compile(r"^\W*(?:if you|should you|otherwise|once|unless|let me know)\b",
                      re.IGNORECASE)  # fmt: skip
_AT_ONCE = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|and)\W+)*(?:i['\u2019]ll|i\swill|let\sme)\s"
    r"(?!.*\b(?:later|afterwards|at\sthe\s(?:very\s)?end|follow|once|separate)\b)",
    re.IGNORECASE,
)
"""Says what the calls beside it do."""
_GIVES_UP = re.compile(r"^\W*(?:abandon|discard|rule\sout|roll\sback|give\sup)\b", re.IGNORECASE)
"""Tells somebody to give something up; that is a plan, and no way that failed."""
_AHEAD = re.compile(
    r"['\u2019](?:ll|d)\b|\b(?:will|would|going\sto|needs?|needed|should|must|ha(?:s|ve)\sto|to\sbe|to-?do|"
    r"next|later|remain\w*|not\syet|haven['\u2019]t|have\snot|isn['\u2019]t|still|left|pending|after|once|"
    r"when|open|todo|remember|ensure|track\w*)\b",
    re.IGNORECASE,
)
"""Says that something lies ahead; without it a "follow-up" may be one that was made."""
_BEHIND = re.compile(
    r"^\W*(?:(?:no|nothing)\s(?:remaining|remains|left|open|outstanding|pending)|continued|landed|"
    r"completed|finished|committed|pushed|merged|added|implemented)\b",
    re.IGNORECASE,
)
"""Opens with what was done, or says that nothing is left."""
_IN_THIS_ANSWER = re.compile(
    r"^\W*(?:i(?:['\u2019]ll|\swill)|let\sme)\s(?:only\s|just\s|now\s|first\s)?(?:focus|cover|describe|"
    r"explain|summari[sz]e|outline|walk\s(?:you\s)?through|go\s(?:through|over)|keep\s(?:this|it)|be\s(?:brief|"
    r"blunt|honest|direct))\b",
    re.IGNORECASE,
)
"""Says what the answer itself goes on to do."""
_DOING = "active"
_ON_CONDITION = re.compile(
    r"^\W*if\s(?:this|that|these|those|it|they|nothing|everything|all)\b"
    r"|^\W*(?-i:and)\s(?:then\s)?i(?:['\u2019]ll|\swill)\b",
    re.IGNORECASE,
)
"""Promises for a case that somebody has to see to first: nothing that is next by itself."""
_HEDGED = worded(
    r"\b(?:wondering|maybe|perhaps)\b|^\W*it\sseems",
    needs="wondering|maybe|perhaps|it seems",
    flags=re.IGNORECASE,
)
_TELLING = frozenset({"fact", "correction", "rule"})
_FEWEST_WORDS_OF_A_REQUEST = 3
_NUMBER = re.compile(r"\d")


@once
def claims_of_agent(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """Claims in the agent's own words of one exchange, prose before reasoning."""
    made: list[Claim] = []
    for text, aloud in (*((t, True) for t in own_prose(reading)),
                        *((t, False) for t in reading.reasoning)):  # fmt: skip
        shown = text[:_LONGEST_PASSAGE]
        sentences = {s.start: s for s in sentences_with(cues.any, shown, most=60)}
        # How a change is made is told in words that no cue opens.
        for pattern in decided.told_in(reading) if aloud else ():
            sentences.update((s.start, s) for s in sentences_with(pattern, shown, most=24))
        offered = options_in(shown) if sentences else ()
        for start, sentence in sorted(sentences.items()):
            found = _claim_of(sentence, reading, cues, aloud=aloud)
            if found is None or (not aloud and _weighed(found, sentence, shown)):
                continue
            if found.item.kind == "fact" and any(a <= start < b for a, b in offered):
                continue
            made.append(found)
    chosen = [each.item.text for each in made if each.item.kind == "decision"]
    return tuple(each for each in made if not _stands_in(each, chosen))


def _stands_in(made: Claim, chosen: Sequence[str]) -> bool:
    """Whether a choice is told whole in another one of the same exchange."""
    text = made.item.text
    held = made.item.kind == "decision" and len(chosen) > 1
    return held and any(text in other and text != other for other in chosen)


def _weighed(found: Claim, sentence: Sentence, thought: str) -> bool:
    """Whether a choice was an idea of somebody who thought better of it."""
    behind = sentence.start + len(sentence.text)
    return found.item.kind == "decision" and decided.thought_better_of(thought, behind)


def _claim_of(sentence: Sentence, reading: Reading, cues: Cues, *, aloud: bool) -> Claim | None:
    text = sentence.text.removeprefix("THOUGHT: ")
    if len(text.split()) < 4 or text.rstrip().endswith("?") or is_member(text):
        return None
    purposes = cues.purposes(text)
    kind, rank = _kind_and_rank(text, purposes, reading, aloud=aloud)
    if kind == "fact" and (is_order(text) or passes(text, cues)):
        return None
    if not kind:
        return None
    told = reading.prose if aloud else reading.reasoning
    if kind == "fact":
        text = with_what_it_refers_to(text, told, cues)
        if is_cut_off(text, told):
            return None
    if kind == "decision":
        text = with_the_one_before(text, told)
        if is_of_another(text):
            return None
    why = _REASON.search(text) if kind == "decision" else None
    rejected = _rejected_in(text) if kind == "decision" else ()
    return claim(
        kind,
        text,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN if kind in {"commitment", "blocker"} else Status.ACTIVE,
        why=why["why"].rstrip(" .") if why is not None else "",
        rejected=rejected,
        corrects="correction" in purposes,
        denied=denied_words(text) if "correction" in purposes else frozenset(),
        rank=rank if aloud else rank - 1.0,
    )


def _kind_and_rank(
    text: str, purposes: frozenset[str], reading: Reading, *, aloud: bool
) -> tuple[str, float]:
    """The kind of claim a sentence makes, and how sure the cues are."""
    opens = text.rstrip().endswith((":", "\uff1a"))
    if opens and not decided.shown_behind(text, reading, purposes):
        return "", 0.0
    named = bool(identifiers_in(text))
    strength = (1.0 if named else 0.0) + (0.5 if _NUMBER.search(text) else 0.0)
    if _HEDGED.search(text):
        return "", 0.0
    if _is_dead_end(text, purposes, named=named):
        return "dead_end", 2.0 + strength
    if "awaiting" in purposes and aloud and reading.finished:
        return "blocker", 2.0
    if _OFFERED.match(text):
        return "", 0.0
    if "promise" in purposes and aloud and _is_left(text, purposes, reading):
        return "commitment", 1.0 + strength + (1.0 if reading.finished else 0.0)
    if chosen := decided.how_sure(text, purposes, reading, aloud=aloud):
        return "decision", chosen + strength + (1.0 if "reason" in purposes else 0.0)
    if not purposes & _TELLING or _FIRST_PERSON.match(text) or _STARTS_OVER.match(text):
        return "", 0.0
    if "fact" in purposes and (strength or purposes & {"reason", "rule"}):
        return "fact", 1.0 + strength
    if "correction" in purposes:
        return "fact", 1.0 + strength
    if "rule" in purposes and named and aloud:
        return "fact", 0.5 + strength
    return "", 0.0


def _is_dead_end(text: str, purposes: frozenset[str], *, named: bool) -> bool:
    """Whether a sentence tells of a way that does not work; no row of a table, and no plan."""
    told = "dead_end" in purposes and _GIVES_UP.match(text) is None and not text.startswith("|")
    return told and (named or bool(purposes & {"reason", "correction"}))


def _is_left(text: str, purposes: frozenset[str], reading: Reading) -> bool:
    """Whether a promise outlives the exchange in which it is made."""
    if _AHEAD.search(text) is None or _BEHIND.match(text) or text.startswith("|"):
        return False
    if reading.finished:
        return _IN_THIS_ANSWER.match(text) is None
    if is_done_at_once(text):
        return False
    changes = decided.changes(reading)
    at_once = changes and _AT_ONCE.match(text) is not None
    return "deferred" in purposes and not (at_once or names_a_call(text, reading))


def _rejected_in(text: str) -> tuple[Rejected, ...]:
    found = _INSTEAD.search(text)
    if found is None or found.group(0).lower().startswith("over"):
        return ()
    return (Rejected(option=found["option"].strip()),)


@once
def open_question(reading: Reading, cues: Cues) -> Claim | None:
    """What the agent waits for the user to answer, when it stopped with a question."""
    if not reading.finished or not reading.prose:
        return None
    quote = asked_last(reading.prose[-1], cues)[-400:]
    if not quote:
        return None
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


def next_action(
    readings: Sequence[Reading], cues: Cues, going_on: Sequence[Reading] = ()
) -> tuple[str, str] | None:
    """What the agent says it does next, or the user's request behind it, and the span.

    `going_on` are the readings by what came behind each, where that is known: who goes on has
    handed nothing over.

    A request that nobody has answered yet takes the place of every plan made before it, that of
    the call it was said to included; one of a word or two ("continue") leaves the plan as it was.
    Behind a final answer nothing older is next: what it says about what comes, else what it asks,
    else nothing.
    """
    went = going_on or readings
    for reading, as_it_went in zip(reversed(readings), reversed(went), strict=True):
        asked = request_in(reading)
        if asked and reading.calls:
            return asked, reading.handle
        if (said := said_to_be_next(as_it_went, cues)) is not None:
            return said, reading.handle
        answered = _from_the_answer(reading, cues) if reading.finished else None
        if answered is not None or as_it_went.finished:
            return answered
        if asked:
            return asked, reading.handle
    return None


@once
def request_in(reading: Reading) -> str:
    """What a person asks for in one exchange, in a line; empty where it is too short to be next."""
    if not reading.typed:
        return ""
    typed = reading.typed[-1].strip()
    at = 0
    for line in typed.split("\n"):
        if line.strip() and not (is_assent(line) or is_slash_command(line)):
            break
        at += len(line) + 1
    if is_error_line(typed[at:]):
        return ""  # It says what failed, the request before it what for.
    asked = said_below(typed, typed[at:].split("\n", 1)[0], at)
    long_enough = len(asked.split()) >= _FEWEST_WORDS_OF_A_REQUEST
    return asked if long_enough and len(asked) <= LONGEST_QUOTE else ""


def asks_anew(readings: Sequence[Reading], tail: Sequence[Reading], span: str) -> bool:
    """Whether a request in the tail overtook what is next, which rests on a span.

    The request stands in the context word for word.
    """
    since = next((r.position for r in (*readings, *tail) if r.handle == span), -1)
    return any(
        bool(request_in(reading)) or len(reading.typed[-1]) > LONGEST_QUOTE
        for reading in tail
        if reading.typed and reading.position > since
    )


def is_reported_on(
    record: HandoffRecord, old: HandoffRecord, readings: Sequence[Reading], cues: Cues
) -> bool:
    """Whether what is next in a record was over before the end of these exchanges.

    It is the request of a directive that was settled, or it stands as in the old record though the
    agent has handed over since. What nobody said in the run is for its writer to take back.
    """
    if not record.next or not record.next_evidence:
        return False
    spans = {evidence.span for evidence in record.next_evidence}
    for item in record.of_kind("directive"):
        asked = item.evidence[0].span if item.evidence else ""
        if not item.live and asked in spans and record.next in item.text:
            return True
    if (record.next, record.next_evidence) != (old.next, old.next_evidence):
        return False
    return any(each.finished for each in readings) and next_action(readings, cues) is None


def still_open(record: HandoffRecord, since: int = 0) -> tuple[str, tuple[Evidence, ...]]:
    """What is next where nobody says so: the newest open request, else what the plan is at.

    Without a plan it is the newest promise that was given from chain position `since` on: the work
    has gone past an older one, kept or not.
    """
    asked = [i for i in record.of_kind("directive") if i.status is Status.OPEN]
    left = [i for i in record.of_kind("commitment") if i.status is Status.OPEN]
    plan = sorted((i for i in left if i.field("state")), key=lambda i: i.field("state") != _DOING)
    given = [i for i in left if not (i.field("state") or i.field(HOLDS)) and i.first_seen >= since]
    given.sort(key=lambda item: -item.first_seen)  # the first of those that one answer lists
    for item in (*reversed(asked), *plan, *given):
        if item.kind == "commitment" and _ON_CONDITION.match(item.text):
            continue
        shown = item.evidence[:1]
        if shown and 0 < len(shown[0].quote) <= LONGEST_QUOTE:
            return shown[0].quote, shown
    return "", ()


@once
def said_to_be_next(reading: Reading, cues: Cues) -> str | None:
    """What the agent says in one exchange that it does next."""
    for text in (*reversed(reading.prose), *reversed(reading.reasoning)):
        shown = text[-3_000:]
        announced = sentences_with(cues.patterns["next"], shown, most=20)
        told = {each.start: each for each in (*under_way(reading, shown), *announced)}
        for _, sentence in sorted(told.items(), reverse=True):
            said = said_below(shown, sentence.text, sentence.start)
            if said == sentence.text:
                said = _with_what_leads_to_it(shown, sentence, cues)
            if said and not cues.has("courtesy", said) and not is_member(said):
                return said.removeprefix("THOUGHT: ")
    return None


def _from_the_answer(reading: Reading, cues: Cues) -> tuple[str, str] | None:
    answer = reading.prose[-1].rstrip()
    promised = sentences_with(cues.patterns["promise"], answer[-3_000:], most=20)
    for sentence in reversed(promised):
        said = said_below(answer[-3_000:], sentence.text, sentence.start)
        if said and not cues.has("courtesy", said):
            return said, reading.handle
    last = asked_last(answer, cues)
    return (last, reading.handle) if 0 < len(last) <= LONGEST_QUOTE else None


def _with_what_leads_to_it(text: str, last: Sentence, cues: Cues) -> str:
    """The sentence with the promises right before it: what comes first is next."""
    start = last.start
    for before in reversed(sentences_with(cues.patterns["promise"], text, most=20)):
        gap = text[before.start + len(before.text) : start]
        if before.start < start and not gap.strip() and "\n" not in gap:
            start = before.start
    joined = text[start : last.start].lstrip() + last.text
    return joined if len(joined) <= LONGEST_QUOTE and joined in text else last.text
