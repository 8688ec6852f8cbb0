"""Go-aheads of a person: what they approve of, and messages that say no more than yes."""

from __future__ import annotations

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

_SHORT_WORDS = 8
_FEW_WORDS = 4
_YES = frozenset(
    {"yes", "ok", "okay", "sure", "yep", "yeah", "approved", "proceed", "ja", "oui", "sí", "si"}
)
_AGREEING = frozenset(
    {"yes", "ok", "okay", "sure", "please", "thanks", "great", "good", "perfect", "that", "was",
     "it", "is", "right", "correct", "sounds", "exactly", "fine", "cool", "approved"}
)  # fmt: skip


def approvals_in(reading: Reading, before: Reading | None, cues: Cues) -> list[Claim]:
    """A go-ahead as a decision of the user, bound to what was asked."""
    for quote, long in go_aheads(reading, cues):
        asked = asked_for(before, cues) if before is not None else ""
        if not asked and not (long and cues.has("approval", quote)):
            continue
        return [
            claim(
                "decision",
                quote,
                text=f"{quote} (to: {asked})" if asked else "",
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.USER,
                evidence=(Evidence(span=before.handle, quote=asked),) if before and asked else (),
            )
        ]
    return []


@once
def go_aheads(reading: Reading, cues: Cues) -> tuple[tuple[str, bool], ...]:
    """The first lines of what a person typed that gives a go-ahead, and whether it says more."""
    openings = (text.strip()[:300] for text in reading.typed)
    return tuple(
        (opening.splitlines()[0].strip(), len(opening.split()) > _SHORT_WORDS)
        for opening in openings
        if cues.has("approval", opening) or _is_bare_yes(opening)
    )


def _is_bare_yes(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= _FEW_WORDS and words[0].lower().strip(".,!") in _YES


def only_agrees(text: str) -> bool:
    """Whether a message says yes and asks for nothing: what it allowed is a decision."""
    if not _is_bare_yes(text):
        return False
    return all(word.strip(".,!").lower() in _AGREEING for word in text.split()[1:])


@once
def asked_for(reading: Reading, cues: Cues) -> str:
    """The question of permission that the agent stopped with."""
    if not reading.prose:
        return ""
    last = reading.prose[-1].rstrip().rsplit("\n", 1)[-1].strip()
    sentence = last[max(last.rfind(stop, 0, -1) for stop in (". ", "! ", "? ")) + 1 :].strip()
    return sentence[-240:] if cues.has("question", sentence) else ""
