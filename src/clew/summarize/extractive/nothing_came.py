"""Outputs that show that nothing came of a call, though no word of failure stands in them.

A filter that selected no test, a search that matched nothing, an answer that was not taken: the
call ended well and is a dead end all the same. That a check found no fault is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools_seen.worded import worded

_LONGEST_VERDICT = 90
_MOST_LINES = 3
_MOST_LINES_OF_TESTS = 40
_FAULTS = (
    r"errors?|issues?|problems?|warnings?|vulnerabilit\w+|failures?|failed|failing|conflicts?|"
    r"offen[sc]es?|violations?|regressions?|leaks?|changes|diff\w*|duplicates?|todos?|bugs?|"
    r"differences"
)
"""What it is good to find none of."""
_THINGS = (
    r"results?|matches|records|rows|entries|documents|items|files|hits|data|replacements|"
    r"occurrences|solutions?|candidates?|targets?|tasks?|commits|users?|orders?|products?|pages"
)
_CAME = (
    r"(?:found|matched|returned|available|processed|selected|collected|updated|replaced|modified|"
    r"fetched|loaded|extracted|written|imported|parsed|generated|made|applied)"
)
_NONE = re.compile(
    rf"^\W{{0,4}}(?:(?:sorry|unfortunately|warning)\b\W+)?(?:"
    rf"no\s(?!(?:[\w-]+\s){{0,2}}(?:{_FAULTS})\b)(?:[\w'-]+\s){{0,3}}(?:{_THINGS})\s"
    rf"(?:were\s|was\s|have\sbeen\s|has\sbeen\s|could\sbe\s)?(?:{_CAME}|match\w*)\b"
    rf"|(?:found|matched|selected|updated|processed|replaced|modified|fetched|loaded|extracted|"
    rf"collected|imported|parsed|returned)\W{{1,2}}0\s(?:[\w-]+\s)?(?:{_THINGS}|issues)\b"
    rf"|0\s(?:{_THINGS})\b(?:\s{_CAME})?\W*$"
    r"|your\s(?:search|query)\b[^\n]{0,60}?\s(?:did\snot|didn['\u2019]t)\smatch\b"
    r"|we\s(?:could\snot|couldn['\u2019]t|didn['\u2019]t|did\snot)\sfind\sany(?:thing)?\b"
    r"|nothing\s(?:was\s|to\s)?(?:found|matched|replaced|run)\b)",
    re.IGNORECASE,
)
"""A line that says that a search, a query or a script gave nothing."""
_EMPTY = re.compile(
    r"^(?:the\s)?(?:directory|folder|file|list|table|result|response|output|log)\b[^\n]{0,200}?\sis\s"
    r"empty\W*$|^no\s(?:[\w-]+\s)?(?:matches|results|files|entries)\W*$|^\[\]$",
    re.IGNORECASE,
)
"""A line that says that what was looked at holds nothing."""
_NOT_AS_ASKED = re.compile(
    r"^\W{0,4}no\s(?:[\w'-]+\s){1,4}?(?:(?:were\s|was\s)?found\s)?(?:with|matching|mentioning|"
    r"labell?ed|tagged|containing)\s\S",
    re.IGNORECASE,
)
_NOT_RUN = worded(
    r"^(?:=*\s*no\stests\s(?:ran|collected|were\s(?:run|executed|found))\b.*"
    r"|collected\s\d+\sitems?\s/\s.*\b0\sselected\b.*|collected\s0\sitems\b.*|Ran\s0\stests\b.*"
    r"|testing:\swarning:\sno\stests\sto\srun|ok\s+\S+\s+\S+\s\[no\stests\sto\srun\]"
    r"|No\stests?\s(?:files?\s)?found\b.*|No\stest\sfiles\sfound\b.*|0\s(?:passing|tests\spassed)\b.*"
    r"|Tests:\s+0\stotal)$",
    needs="test|collected|passing",
)
"""What runners of tests print that ran none."""
_SOME_RAN = re.compile(
    r"^\s*(?:=== RUN|--- (?:PASS|FAIL)|PASS\s\S|FAIL\b|ok\s+\S+\s+(?:[\d.]+s|\(cached\))\s*$)"
    r"|\b[1-9]\d* (?:passed|passing|failed|failing|errors?)\b"
)
_REFUSED = re.compile(
    r"^\W*(?:sorry\W+)?(?:(?:that|this|it)(?:['\u2019]s|\sis|\swas)\s)?"
    r"(?:wrong|incorrect|not\s(?:quite\s)?(?:correct|right|accepted))\b"
    r"(?:\s(?:flag|answer|solution|guess|password|key|code|submission|result|output))?\W*"
    r"(?:(?:please\s)?try\sagain\W*)?$"
    r"|^\W*(?:the\s|your\s|this\s)?(?:flag|answer|solution|submission|guess|password|key)\s(?:you\s\w+\s)?"
    r"(?:is|was)\s(?:wrong|incorrect|invalid|rejected|not\s(?:correct|right|accepted|valid))\b[^\n]{0,40}$",
    re.IGNORECASE,
)
"""What somebody says who was given an answer and does not take it."""


def none_found(lines: Sequence[str]) -> str:
    """The line of a short output that says that there is nothing; empty without."""
    if len(lines) > _MOST_LINES:
        return ""
    return next((line for line in lines if _NONE.match(line)), "")


def none_shown(lines: Sequence[str]) -> str:
    """The line of a look that says that there is nothing to show; empty without."""
    if len(lines) > _MOST_LINES:
        return ""
    return next((line for line in lines if _NONE.match(line) or _EMPTY.match(line)), "")


def none_run(lines: Sequence[str]) -> str:
    """The line of an output that says that no test ran; empty where one did."""
    if len(lines) > _MOST_LINES_OF_TESTS:
        return ""
    if not _NOT_RUN.may_match("\n".join(lines)):
        return ""
    said = next((line for line in lines if _NOT_RUN.pattern.match(line)), "")
    return said if said and not any(_SOME_RAN.search(line) for line in lines) else ""


def not_taken(lines: Sequence[str]) -> str:
    """The line that says that an answer was wrong, where hardly anything else is said."""
    if not lines or len(lines) > _MOST_LINES or len(lines[0]) > _LONGEST_VERDICT:
        return ""
    return lines[0] if _REFUSED.match(lines[0]) else ""


def line_of_nothing(text: str) -> str:
    """The first line of a shown page that says that a search matched nothing; empty without."""
    for line in text.split("\n"):
        bare = line.strip().lstrip("-*# ")
        if len(bare) <= _LONGEST_VERDICT and _NONE.match(bare):
            return bare
    return ""


def of_a_query(lines: Sequence[str]) -> str:
    """The line of a short output that names what was asked for and not found; empty without."""
    if len(lines) > _MOST_LINES:
        return ""
    return next((line for line in lines if _NOT_AS_ASKED.match(line)), "")
