"""Sentences that state how something is, apart from what is done, asked, supposed or headed."""

from __future__ import annotations

import re

_TRIMMED = "*_`\"'()[],.:;!\u2014-"
_OPENERS = frozenset(
    """
    good great ok okay ah aha hmm hmmm yes no perfect excellent interesting right well wait so and
    but now done thought news
    """.split()  # noqa: SIM905
)
_NO_STATEMENT = frozenset(
    """
    let let's i'll i'm we'll i'd if maybe perhaps to first next then once when would should could
    can do does did is are was why what how which where please here thanks run re-run rerun check
    verify look see try find read open create add update fix remove use make test implement apply
    write move edit start continue build commit push install search get keep skip replace change
    set also feel here's
    """.split()  # noqa: SIM905
)
"""First words of what is done, asked or supposed."""
_NO_STATEMENTS = frozenset(
    """
    i:am i:will i:need i:should i:can i:want i:would we:need we:should we:can you:can you:may
    you:should you're:right this:will that:will
    """.split()  # noqa: SIM905
)
_NOUNS = frozenset({"everything", "nothing", "something", "anything", "during", "string", "missing",
                    "existing", "thing", "setting", "king", "ring"})  # fmt: skip
CONCLUDING = frozenset(
    """
    mean means explain explains therefore because confirm confirms confirmed only not never none no
    nothing still already both neither exactly instead work works pass passes passed fail fails
    failed likely found missing reason cause caused causes problem issue culprit actually without
    every all cannot matches expected fixes due isn't aren't wasn't weren't doesn't don't didn't
    can't couldn't won't wouldn't hasn't haven't
    """.split()  # noqa: SIM905
)
TELLS_WORK = re.compile(
    r"^\W*(?:i\s|i['\u2019]ve\s)?(?:have\s)?(?:now\s)?(?:successfully\s|manually\s)?(?:created|added|updated|"
    r"written|wrote|opened|committed|patched|pushed|logged|continued|fixed|implemented|installed|moved|"
    r"removed|renamed|replaced|ran|verified|located|edited|saved|applied|completed|made)\b"
    r"|\b(?:is|are|has\sbeen|was)\s(?:now\s)?(?:created|updated|appended|complete)\b",
    re.IGNORECASE,
)
"""An account of work: effects and written files stand in the record already."""
HEADING = re.compile(r"^\W*\*\*[^*]*[^.!*]\*\*\W*$|^[#|]")


def concludes(text: str) -> bool:
    """Whether a sentence holds a word that concludes, or sets one thing against another."""
    return not CONCLUDING.isdisjoint(plain_words(text))


def says_how_it_is(text: str) -> bool:
    """Whether a sentence opens as a statement, not as an account of work or a heading."""
    opens = opens_as_statement(plain_words(text))
    return opens and TELLS_WORK.search(text) is None and HEADING.match(text) is None


def opens_as_statement(words: list[str]) -> bool:
    """Whether the first words, behind those that only take up the thread, may open a statement."""
    for place, first in enumerate(words):
        if not first or first in _OPENERS:
            continue
        if first in _NO_STATEMENT or (first.endswith("ing") and first not in _NOUNS):
            return False
        second = words[place + 1] if place + 1 < len(words) else ""
        return f"{first}:{second}" not in _NO_STATEMENTS
    return False


def plain_words(text: str) -> list[str]:
    """The words of a sentence in lower case, without signs at their edges."""
    return [word.strip(_TRIMMED) for word in text.replace("\u2019", "'").lower().split()]
