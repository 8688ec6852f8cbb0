"""What the user said: directives, the rules in them, approvals, and what answered them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.approvals import asked_for, go_aheads, only_agrees
from clew.summarize.extractive.choices import Offered, offered_in, picked
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.demands import bars, entries_below, heads, only_tells
from clew.summarize.extractive.objections import objects
from clew.summarize.extractive.once import once
from clew.summarize.extractive.pasted import (
    is_expanded,
    is_page_of_a_skill,
    is_template,
    pasted_spans,
)
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    LONGEST_QUOTE,
    Sentence,
    containment,
    looks_like_code,
    sentences_with,
)
from clew.tools_seen import is_slash_command

LONGEST_DIRECTIVE = 1_200
_HEAD, _TAIL = 800, 300
_SHORT_WORDS = 8
_FEWEST_WORDS = 3
_SHORTEST_ANSWER = 60
_LONG_PASTE = 6_000
_DO_NOT = re.compile(
    r"(?<=[a-z] )(?<!\bplease )(?<!\band )(?<!\bbut )(?<!\bso )(?<!\bor )(?<!\balso )"
    r"(?<!\bjust )(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthen )(?<!\breally )(?<!\bpls )"
    r"(?:don['\u2019]?t|do not)\b",
    re.IGNORECASE,
)
_PRAISES = re.compile(
    r"\b(?:sounds?|looks?|seems?|feels?)\s(?:\w+\s){0,2}(?:perfect|great|good|fine|awesome|excellent|amazing|"
    r"right|nice|lovely|wonderful|brilliant)\b\W*$",
    re.IGNORECASE,
)
"""Says that something is good, and nothing of it."""
_POINTS_BACK = re.compile(
    r"^\W*(?:i|we)\s(?:[\w'\u2019]+\s){0,3}(?:want|like|need|mean|say)\s(?:that|it|this)\W*$",
    re.IGNORECASE,
)
"""A few words about something said elsewhere: the message as a whole keeps them."""


def directives_in(readings: Sequence[Reading], goal: str, cues: Cues) -> list[Claim]:
    """The user's later messages as directives, each with what became of it so far.

    `readings` may go on into the tail: what answered a directive counts wherever it stands; only
    the caller knows which of them are to be recorded.
    """
    made: list[Claim] = []
    offered: Offered | None = None
    for place, reading in enumerate(readings):
        text = "\n".join(reading.typed).strip()
        before = readings[place - 1] if place else None
        if text and text != goal.strip() and not is_page_of_a_skill(reading, before):
            directive = picked(_directive(reading), offered)
            made.append(_with_outcome(directive, readings[place + 1 :], cues))
        offered = offered_in(reading) or offered
    return _amended(made, cues)


@once
def _directive(reading: Reading) -> Claim:
    shown = text = "\n".join(reading.typed).strip()
    if len(text) > LONGEST_DIRECTIVE:
        left_out = len(text) - _HEAD - _TAIL
        shown = f"{text[:_HEAD]}\n[… {left_out} characters in {reading.handle} …]\n{text[-_TAIL:]}"
    quote = text if len(reading.typed) == 1 else reading.typed[0].strip()
    return claim(
        "directive",
        quote[:LONGEST_DIRECTIVE],
        text=shown,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.USER,
        status=Status.OPEN,
    )


def _with_outcome(made: Claim, later: Sequence[Reading], cues: Cues) -> Claim:
    """Settled by the first final answer that reports; one that only asks back settles nothing.

    A final answer is one in which the agent spoke without calling anything. It also settles what
    the user had said before their latest message: the agent reported behind all of it.
    """
    return outcome_after(made, later, cues) or made


def outcome_after(made: Claim, later: Sequence[Reading], cues: Cues) -> Claim | None:
    """The directive as the exchanges behind it settle it, or None while it is open.

    What was typed to the agent's program asks the agent for nothing: it is over at once.
    """
    if is_slash_command(made.item.text):
        return settled(made, Status.DONE, "a command to the agent's program", None)
    asked = _is_question(made.item.text)
    worked = aside = False
    granted = only_agrees(made.item.text)
    latest = True
    for place, reading in enumerate(later):
        latest = latest and not reading.typed
        if granted and (reading.prose or reading.calls):
            shown = Evidence(span=reading.handle)
            return settled(made, Status.ANSWERED, "the agent went on", shown)
        worked = worked or bool(reading.calls)
        # A question in between that is answered without any work is a matter of its own.
        aside = (aside or _ends_in_question(reading)) and not reading.calls
        if reading.finished and aside and not asked:
            aside = False
            continue
        if reading.finished and (found := _settled_by(made, reading, cues, asked, worked)):
            if latest and _turned_down(later[place + 1 :], cues):
                latest = False
                continue  # The person says that it is not done; a later answer may settle it.
            return found
        if asked and reading.prose and len(reading.prose[0]) >= _SHORTEST_ANSWER:
            quote = reading.prose[0].strip().splitlines()[0][:200].rstrip()
            evidence = Evidence(span=reading.handle, quote=quote)
            return settled(made, Status.ANSWERED, "the agent answered", evidence)
    return None


def _turned_down(later: Sequence[Reading], cues: Cues) -> bool:
    """Whether the next message of a person objects to what was handed over."""
    reply = next((reading for reading in later if reading.typed), None)
    return reply is not None and objects(reply, cues)


def _is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def _ends_in_question(reading: Reading) -> bool:
    return bool(reading.typed) and _is_question(reading.typed[-1])


def _settled_by(
    made: Claim, reading: Reading, cues: Cues, asked: bool, worked: bool
) -> Claim | None:
    answer = _answer_of(reading, cues)
    if answer.asks and not asked and not (answer.done and worked):
        return None
    status = Status.DONE if answer.done and worked else Status.ANSWERED
    return settled(made, status, "the agent reported back", answer.shown)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A final answer: whether it reports work as done and ends by asking, and its first line."""

    done: bool
    asks: bool
    shown: Evidence


@once
def _answer_of(reading: Reading, cues: Cues) -> _Answer:
    answer = reading.prose[-1].strip()
    return _Answer(
        done=cues.has("done", answer),
        asks=asks_the_user(answer, cues),
        shown=Evidence(span=reading.handle, quote=answer.splitlines()[0][:200].rstrip()),
    )


def read_ahead(reading: Reading, cues: Cues) -> None:
    """Work out what a person wrote in one exchange, and how its answer ends."""
    if reading.typed:
        _directive(reading)
    if reading.finished:
        _answer_of(reading, cues)
    rules_by_text(reading, cues)
    offered_in(reading)
    go_aheads(reading, cues)
    asked_for(reading, cues)


def _amended(made: list[Claim], cues: Cues) -> list[Claim]:
    """An open directive that the next message stops is withdrawn."""
    result = list(made)
    for place, later in enumerate(made[1:], start=1):
        text = later.item.text
        before = result[place - 1]
        opening = text[:80]
        if before.item.status is not Status.OPEN or not cues.has("stop", opening):
            continue
        named = containment(before.topics, later.topics)
        if len(text.split()) <= _SHORT_WORDS or named >= 0.34:
            result[place - 1] = settled(
                before,
                Status.WITHDRAWN,
                f"stopped by the message in {later.item.evidence[0].span}",
                Evidence(span=later.item.evidence[0].span, quote=shortened_quote(text)),
            )
    return result


def shortened_quote(text: str) -> str:
    """The beginning of a text as a verbatim quote."""
    return text[:200].rstrip()


def rules_in(
    reading: Reading, cues: Cues, *, goal: str, before: Reading | None = None
) -> list[Claim]:
    """Rules, facts and corrections that a person typed; they outlive the request they came with.

    What a person pasted, and the text of a skill, stand in the message alone: as they are, but as
    nobody's rules.
    """
    if not reading.typed or is_expanded(reading, before):
        return []
    return [
        made
        for text, rules in rules_by_text(reading, cues)
        if text.strip() != goal.strip()
        for made in rules
    ]


@once
def rules_by_text(reading: Reading, cues: Cues) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
    """The texts that a person typed in one exchange, each with what it rules and tells."""
    return tuple(
        (text, () if is_template(text) else tuple(_rules_of(text, reading, cues)))
        for text in reading.typed
    )


def _rules_of(text: str, reading: Reading, cues: Cues) -> list[Claim]:
    made: list[Claim] = []
    shown = text[:_LONG_PASTE]
    pasted = pasted_spans(shown)
    covered = 0
    for sentence in _worth_a_look(shown, cues):
        at = text.find(sentence.text, sentence.start)
        if looks_like_code(sentence.text) or any(a <= at < b for a, b in pasted):
            continue
        purposes = cues.purposes(sentence.text)
        kind = _kind_of_user_sentence(sentence.text, purposes, cues)
        if not kind or at < covered:
            continue
        if kind == "invariant" and heads(sentence.text):
            below = entries_below(shown, at + len(sentence.text))
            if any(start < b and a < end for start, end in below for a, b in pasted):
                continue
            made.extend(_headed(reading, shown, sentence.text, at, below))
            covered = below[-1][1] if below else covered
            continue
        corrects = "correction" in purposes or "stop" in purposes
        made.append(_told_by_user(kind, sentence.text, reading, corrects=corrects))
    return made


def _worth_a_look(text: str, cues: Cues) -> list[Sentence]:
    """The sentences with a cue, and those that open as one that bars something does."""
    found = {each.start: each for each in sentences_with(cues.any, text, most=30)}
    for name in ("alone", "barred"):
        for each in sentences_with(cues.patterns[name], text, most=30):
            if bars(each.text, cues):
                found.setdefault(each.start, each)
    return [each for _, each in sorted(found.items())]


def _headed(
    reading: Reading, text: str, head: str, at: int, below: Sequence[tuple[int, int]]
) -> list[Claim]:
    """A rule that ends in a colon, with what stands below: as one where a quote holds it all."""
    if not below:
        alone = not text[at + len(head) :].strip()
        return [_told_by_user("invariant", head, reading)] if alone else []
    whole = text[at : below[-1][1]]
    if len(whole) <= LONGEST_QUOTE:
        return [_told_by_user("invariant", whole, reading)]
    return [
        _told_by_user(
            "invariant",
            head,
            reading,
            text=f"{head} {entry}",
            evidence=(Evidence(span=reading.handle, quote=entry),),
        )
        for entry in (text[start:end][: LONGEST_QUOTE - len(head)].rstrip() for start, end in below)
    ]


def _told_by_user(
    kind: str,
    quote: str,
    reading: Reading,
    *,
    text: str = "",
    evidence: tuple[Evidence, ...] = (),
    corrects: bool = False,
) -> Claim:
    return claim(
        kind,
        quote,
        text=text,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.USER,
        evidence=evidence,
        corrects=corrects,
    )


def _only_describes(sentence: str, cues: Cues) -> bool:
    """Whether the only cue of a rule is a "don't" that says what something does not do."""
    described = _DO_NOT.sub(" ", sentence)
    return described != sentence and not cues.has("rule", described)


def _kind_of_user_sentence(sentence: str, purposes: frozenset[str], cues: Cues) -> str:
    if sentence.rstrip().endswith(("?", "？")) or _word_count(sentence) < _FEWEST_WORDS:
        return ""
    if "rule" in purposes and not (_only_describes(sentence, cues) or only_tells(sentence)):
        return "" if _POINTS_BACK.match(sentence) else "invariant"
    if bars(sentence, cues):
        return "invariant"
    if "decision" in purposes and purposes & {"reason", "contrast", "rejected"}:
        return "decision"
    told = purposes & {"fact", "correction"} and _PRAISES.search(sentence) is None
    return "fact" if told else ""


def _word_count(sentence: str) -> int:
    """Words, where those of a script without spaces have about two characters."""
    unspaced = sum(ord(char) >= 0x2E80 for char in sentence)
    return len(sentence.split()) + unspaced // 2
