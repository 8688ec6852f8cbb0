"""What the user said: directives, the rules in them, approvals, and what answered them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, first_line, sentences_with, shortened

LONGEST_DIRECTIVE = 1_200
_HEAD, _TAIL = 800, 300
_SHORT_WORDS = 8
_LONG_PASTE = 6_000


def directives_in(readings: Sequence[Reading], goal: str, cues: Cues) -> list[Claim]:
    """The user's later messages as directives, each with what became of it so far.

    `readings` may go on into the tail: what answered a directive counts wherever it stands; only
    the caller knows which of them are to be recorded.
    """
    made: list[Claim] = []
    for place, reading in enumerate(readings):
        text = "\n".join(reading.typed).strip()
        if not text or text == goal.strip():
            continue
        made.append(_with_outcome(_directive(reading, text), readings[place + 1 :], cues))
    return _amended(made, cues)


def _directive(reading: Reading, text: str) -> Claim:
    shown = text
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
    """Answered when the agent spoke without calling anything before the user spoke again."""
    final: Reading | None = None
    for reading in later:
        if reading.typed:
            break
        final = reading if reading.finished else None if reading.calls else final
    if final is None:
        return made
    answer = final.prose[-1].strip()
    if asks_the_user(answer, cues):
        return made
    status = Status.DONE if cues.has("done", answer) else Status.ANSWERED
    quote = first_line(answer, most=10_000)[:200]
    return settled(
        made, status, "the agent reported back", Evidence(span=final.handle, quote=quote)
    )


def asks_the_user(answer: str, cues: Cues) -> bool:
    """Whether a final answer ends by asking for something."""
    ending = answer[-300:]
    last = ending.rstrip().rsplit("\n", 1)[-1]
    return last.rstrip("*_`) ").endswith(("?", "？")) or cues.has("question", last)


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


def rules_in(reading: Reading, cues: Cues, *, goal: str) -> list[Claim]:
    """Rules, facts and corrections that a person typed; they outlive the request they came with."""
    made: list[Claim] = []
    for text in reading.typed:
        if text.strip() == goal.strip():
            continue
        for sentence in sentences_with(cues.any, text[:_LONG_PASTE], most=30):
            purposes = cues.purposes(sentence.text)
            kind = _kind_of_user_sentence(sentence.text, purposes)
            if kind:
                made.append(
                    claim(
                        kind,
                        sentence.text,
                        span=reading.handle,
                        position=reading.position,
                        said_by=Speaker.USER,
                        corrects="correction" in purposes or "stop" in purposes,
                    )
                )
    return made


def _kind_of_user_sentence(sentence: str, purposes: frozenset[str]) -> str:
    if sentence.rstrip().endswith("?") or len(sentence.split()) < 3:
        return ""
    if "rule" in purposes:
        return "invariant"
    if "decision" in purposes and "correction" not in purposes:
        return "decision"
    return "fact" if purposes & {"fact", "correction"} else ""


def approvals_in(reading: Reading, before: Reading | None, cues: Cues) -> list[Claim]:
    """A go-ahead as a decision of the user, bound to what was asked."""
    made: list[Claim] = []
    for text in reading.typed:
        opening = text.strip()[:300]
        if not cues.has("approval", opening) and not _is_bare_yes(opening):
            continue
        asked = _asked(before, cues)
        if not asked and len(opening.split()) <= _SHORT_WORDS:
            continue
        quote = first_line(opening, most=300).rstrip("…")
        found = claim(
            "decision",
            quote,
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.USER,
            why=f"asked: {asked}" if asked else "",
        )
        if asked and before is not None:
            item = replace(
                found.item,
                evidence=(*found.item.evidence, Evidence(span=before.handle, quote=asked)),
            )
            found = replace(found, item=item)
        made.append(found)
    return made


def _is_bare_yes(text: str) -> bool:
    first = text.lower().split(None, 1)[:1]
    return (
        len(text.split()) <= 4
        and bool(first)
        and first[0].strip(".,!")
        in {
            "yes",
            "ok",
            "okay",
            "sure",
            "yep",
            "yeah",
            "approved",
            "proceed",
            "ja",
            "oui",
            "sí",
            "si",
        }
    )


def _asked(before: Reading | None, cues: Cues) -> str:
    if before is None or not before.prose:
        return ""
    last = before.prose[-1].rstrip()
    if not asks_the_user(last, cues):
        return ""
    return last.rsplit("\n", 1)[-1].strip()[-300:]


def summary_of(text: str, most: int) -> str:
    """A short form of what the user said, for a label."""
    return shortened(text, most)
