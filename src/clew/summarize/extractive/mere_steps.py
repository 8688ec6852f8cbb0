"""Sentences that tell the next step and choose nothing, however they are worded.

A step that is taken for a moment or once more, a look, a change that only carries another one
through, one whose object stands elsewhere, and an edit that only says with what it is made.
"""

from __future__ import annotations

import re

from clew.tools_seen.worded import worded

_DOES = (
    r"(?:^|(?<=[.!:;,] )|(?<=\n)|(?<=\u2014 ))\W{0,6}"
    r"(?:(?:now|next|first|then|so|ok(?:ay)?|and)\W+){0,2}"
    r"(?:i['\u2019]ll|i\swill|i['\u2019]m|i\sam|we['\u2019]ll|we\swill|let\sme|let['\u2019]s|"
    r"(?:i|we)\s(?:also\s)?(?:need|have)\sto)\s(?:(?:now|also|just|first|need\sto|going\sto)\s){0,2}"
)
_REST = r"(?:[^.!?\n]|\.(?=\w))*"
_CHANGES = r"(?:updat|chang|modif|adjust|edit|fix|replac)(?:e|y|ing)?"
_FOR_A_MOMENT = worded(
    rf"{_DOES}(?!leav|keep|skip){_REST}\b(?:briefly|temporarily|one\s(?:last|more)\stime|once\smore)\b",
    needs="briefly|temporarily|one last time|one more time|once more",
    flags=re.IGNORECASE,
)
_LOOKS = worded(
    rf"{_DOES}(?:{_REST}\bto\s(?:see|check|find\sout)\s(?:whether|if)\b|(?:look|watch)(?:ing)?\sfor\s|"
    r"check(?:ing)?\s(?:for|if|whether|on)\s|(?:add|put|insert)(?:ing)?\sa\sprint\b)",
    needs="to see |to check |to find out |looking for |look for |watch for |watching for |"
    "check for |check if |check whether |check on |checking |add|put|insert",
    flags=re.IGNORECASE,
)
_DOES_AGAIN = worded(
    rf"{_DOES}re-?(?:generat|build|run|stag|load|start|format|install)\w*\s"
    rf"|{_DOES}{_REST},?\s(?:and\s)?then\sre-?(?:generat|build|runn|stag)ing\b",
    needs="re",
    flags=re.IGNORECASE,
)
_CARRIES_THROUGH = worded(
    rf"{_DOES}(?:{_REST}\b(?:to\s(?:reflect|match|follow)\s(?:this|that|these|those)\b|"
    r"keep\s(?:it|them|both|these|those|everything)\sin\ssync\b)"
    rf"|{_CHANGES}\s(?:this|that|these|those)\s(?![^\n]*[`'\"\d])\w+"
    r"|add\s[^.!?\n]{0,40}`\s(?:\w+\s)?imports?\b)",
    needs="to reflect |to match |to follow |in sync| this | that | these | those |import",
    flags=re.IGNORECASE,
)
_WITH_A_TOOL = worded(
    _DOES + r"us(?:e|ing)\s(?:a\s|the\s)?`?(?:sed|awk|perl|ed|cat|tee|heredoc)`?\sto\s"
    r"(?:\w+\s)(?:the|this|that|these|those)\s(?:[a-z]+\s?){1,3}\W*$",
    needs="use |using ",
    flags=re.IGNORECASE,
)
"""Says with what the next edit is made, and names nothing that it changes."""
_MIGHT = re.compile(r"^\W*(?:\w+,?\s){0,2}?i\smight\b", re.IGNORECASE)
_NOTHING_SAID = re.compile(
    r"\b(?:fix|solution|change)\s(?:is|should\sbe|will\sbe)\s(?:simple|straightforward|easy|"
    r"trivial|clear)\W*$"
    r"|\bmodify\sthe\scode\sto\s(?:correctly|properly)\s\w+\s[^,;]*$",
    re.IGNORECASE,
)
"""Speaks of a change without saying what it is."""
_LOOKS_NEXT = worded(
    r"\bshould\s(?:also\s)?(?:check|verify|look|see|run|test|confirm|double-check|make\ssure)\b"
    r"|\b(?:need|have|want)\sto\s(?:consider|check|see|know|think\sabout)\s(?:if|whether|how|what|which|why)\s"
    r"(?!(?:i|we)\sshould\b)",
    needs="should |to consider |to check |to see |to know |to think ",
    flags=re.IGNORECASE,
)
"""Says what is looked at in the next step, not what is left."""
_IN_THIS_STEP = re.compile(
    r"\bin\sthis\s(?:[\w-]+\s){0,2}(?:edit|step|turn|message|command|call)\b", re.IGNORECASE
)
_WHY = re.compile(r"\bso\s(?:that|the|it|we|they|nothing)\b|\binstead\b", re.IGNORECASE)
_AT_ANY_RATE = (_FOR_A_MOMENT, _LOOKS, _CARRIES_THROUGH, _WITH_A_TOOL, _MIGHT, _NOTHING_SAID)


def is_mere_step(text: str) -> bool:
    """Whether a sentence that tells a step chooses nothing."""
    if any(each.search(text) for each in _AT_ANY_RATE):
        return True
    return _DOES_AGAIN.search(text) is not None and _WHY.search(text) is None


def is_done_at_once(text: str) -> bool:
    """Whether a promise is kept in the same step, or in the next one by a look."""
    return any(each.search(text) is not None for each in (_LOOKS_NEXT, _IN_THIS_STEP))
