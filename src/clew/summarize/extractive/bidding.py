"""Sentences that tell somebody to do something: a step of a plan, a part given to another agent.

An order says nothing of how anything is. What is to be done stands as a promise or a choice where
somebody makes one of it, and what came of it is told where it was done.
"""

from __future__ import annotations

import re

_ALWAYS_VERBS = (
    r"add|adjust|allow|append|ask|choose|compare|configure|convert|create|cross-check|delete|disable|"
    r"edit|enable|ensure|extend|extract|generate|give|highlight|identify|implement|include|insert|"
    r"install|introduce|keep|make|migrate|modify|move|navigate|perform|provide|put|refactor|remove|"
    r"rename|replace|restore|revert|rewrite|search|show|simplify|tell|toggle|use|verify|wire|write"
)
_ALSO_NOUNS = (
    r"build|change|check|commit|copy|count|document|export|fix|format|limit|merge|patch|push|record|"
    r"rerun|run|set|split|test|update|type|try|open|click|press|enter|restart|reload|visit|paste"
)
_AN_OBJECT = (
    r"(?:the|an?|each|every|all|both|any|your|our|its|this|that|these|those|it|them|total)\b|[`\"*]"
)
_STEP = r"(?:\*{0,2}(?:step\s\d{1,2}|[\d:]{3,5}\s?[-\u2013\u2014]\s?[\d:]{3,5})\W{1,4})?"
_ORDER = re.compile(
    rf"^[\s*_>()\d.]{{0,8}}{_STEP}(?:"
    rf"(?:{_ALWAYS_VERBS})\s(?!(?:is|are|was|were|has|have|had|can|will|would|did|does|to|of|fix)\b)"
    rf"|(?:{_ALSO_NOUNS})\s(?={_AN_OBJECT})"
    r"|instead\sof\s[^,]{3,120},\s(?:focus|use|try|look|search)\b"
    r"|for\s(?:each|every)\s[^,]{3,80},\s(?:search|look|find|check|run|use|open)\b)"
    r"|^\W*\*\*[^*\n]{2,40}(?:\*\*:|:\*\*)\s(?:ensure|identify|make\ssure|verify)\s",
    re.IGNORECASE,
)


_COMPOUND = re.compile(
    rf"^[\s*_>()\d.]{{0,8}}(?:{_ALWAYS_VERBS})\s[a-z_-]+s\s"
    r"(?:(?!(?:so|that|which|who|to|for|where|when|if|and|until|because)\b)[\w`./-]+\s){0,4}?"
    r"(?:is|are|was|were|has|have|had|never|only|always|fail(?:s|ed)?|cannot|can|will|do|does|did|"
    r"reach(?:es|ed)?|return(?:s|ed)?|need(?:s|ed)?|come|came|go|went|get|got|stay|hold|work)\b",
    re.IGNORECASE,
)
"""Several things named after what is done with them, and how they are: "Delete requests never
reach the log"."""


def is_order(text: str) -> bool:
    """Whether a sentence tells somebody to do something, and nothing of how anything is."""
    return _ORDER.match(text) is not None and _COMPOUND.match(text) is None
