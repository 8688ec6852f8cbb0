"""What the agent chose: choices told as such, and how a change is made, said where it is made."""

from __future__ import annotations

import re

from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.mere_steps import is_mere_step
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action
from clew.tools_seen.worded import Worded, worded

_NARRATED = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|and|but)\W+)*"
    r"(?:let\sme|let['\u2019]s|i['\u2019]?m|i\sam|i\sneed|i\sshould|i\swill|i['\u2019]ll|i\scan)\b",
    re.IGNORECASE,
)
_CHANGES = worded(
    r"\b(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|i\sam\sgoing\sto|we['\u2019]ll|"
    r"let['\u2019]s|let\sme|"
    r"i\sneed\sto|we\sneed\sto)"
    r"\s+\*{0,2}(?!(?:\w+\s)?(?:verify|check|see|look|read|view|confirm|test|find|"
    r"understand)\b)(?:\w+\s){0,2}?(?:make(?!\ssure)|put|use|add|keep|set|change|move|rename|"
    r"replace|remove|drop|update|write|create|"
    r"convert|split|merge|wrap|switch|apply|pin|limit|cap|skip|leave|print|insert|append|shift|"
    r"default|"
    r"centrali[sz]e|reuse|extract|amend|rebase|restore|revert|extend|refactor|treat|require|"
    r"return)\b"
    r"|\b(?:i['\u2019]m|i\sam|we['\u2019]re)\s(?:now\s|also\s)?(?:creat|us|add|keep|sett|chang|"
    r"mov|renam|replac|"
    r"remov|dropp|updat|writ|convert|splitt|merg|wrapp|switch|apply|pinn|limit|leav|insert|mak|"
    r"patch|"
    r"extend|rewrit|wir|resolv|amend|rebas|revert|restor|treat)ing\b",
    needs="i'll|i will|going to|we'll|let's|let me|need to|i'm |i am |we're ",
    flags=re.IGNORECASE,
)
_MANNER = re.compile(
    r"\b(?:so\s(?!far\b|much\b|many\b|on\b|now\b|let\b|I\s(?:can|need)\b)\w+|while|without|"
    r"instead|rather|because|since|"
    r"to\s(?:avoid|keep|correct|require|prevent|preserve|make\ssure)|directly|unless|only|both|"
    r"explicit|"
    r"by\s\w+ing|but|via|the\ssame|for\s(?:maximum|minimal|better|clarity|safety|speed|"
    r"(?:\w+\s)?consistency)|in\splace\sof|simpler|cleaner|safer|should|as\s(?:plain|one|"
    r"its\sown))\b|\bto\s(?:use|include)\s(?!it\b|this\b|that\b|them\b|our\b|the\snew\b)",
    re.IGNORECASE,
)
_SHOWS_HOW = re.compile(r"\s(?:\u2014|\u2013)\s\w[^\n]{14,}")
"""A dash behind what is to be changed, and how."""
_ASKED_OF_ONESELF = worded(
    r"^\W{0,12}(?:\*\*[^*\n]{1,40}\*\*:?\s*)?(?:(?:now|next|then|first|second|third|also|finally)\W\s?)?"
    r"(?:make(?!\ssure)|update|change|add|keep|use|replace|move|treat|return|drop|split|wrap|"
    r"store|limit|"
    r"extend|rename|skip|pass|switch|turn|let)\s(?!me\b|us\b|'s\b)[^\n]{10,}?\s(?:\u2014|"
    r"\u2013)\s\w[^\n]{14,}",
    needs="— |– ",
    flags=re.IGNORECASE | re.MULTILINE,
)
"""A change without a subject, with how it is made behind a dash."""
_SETTLED = re.compile(
    r"^\W{0,12}(?:(?:fix|change|decision|approach|solution)\W+)?(?:i\s(?:have\s)?|i['\u2019]ve\s)?"
    r"(?:kept|left|skip(?:ped)?|bumped|pinned|replaced|switched|dropped|exclude[ds]?|"
    r"chose|moved|keep|intentionally|deliberately|removed|simplified|changed|renamed|made|merged|"
    r"split|now\s(?:uses?|requires?|resolves?|returns?|reads?|checks?|skips?|goes|falls))\b",
    re.IGNORECASE | re.MULTILINE,
)
_ON_PURPOSE = re.compile(
    r"\b(?:because|since|so\sthat|to\savoid|untouched|unchanged|intentionally|deliberately|"
    r"on\spurpose|by\sdesign|"
    r"not\sneeded|instead|rather\sthan|from\s\S+\sto|no\slonger|now\s(?:just\s|"
    r"only\s)?"
    r"(?:uses?|requires?|resolves?|returns?|reads?|points?|follows?|goes|falls)|to\s(?:require|"
    r"use|match|avoid))\b"
    r"|,\snot\s",
    re.IGNORECASE,
)
_KEPT_SO = worded(
    r"\b(?:unchanged|untouched|kept|left|stays?)\b[^.\n]{0,30}\b(?:so\s(?:that\s)?|because\s)\w"
    r"|^[^\w\n]*(?:defaults?|falls\sback)\sto\s[^\n]*(?:`|\d)"
    r"|^[^\w\n]*(?:i\s)?updated\s[^.\n]{3,60}\sto\s(?:default|use|require|only|keep|return|skip)\b",
    needs="unchanged|untouched|kept|left|stay|default|falls back |updated ",
    flags=re.IGNORECASE | re.MULTILINE,
)
"""A report says what stays and why, or what holds where nothing else is said."""
_BUT_KEEPS = worded(
    r"\b(?:i|we)\s(?:should|will|need\sto|want\sto)\s[^.\n]{3,80}\bbut\s(?:keep|leave|not|only)\b",
    needs="but ",
    flags=re.IGNORECASE,
)
_PUTS_THERE = re.compile(
    r"^\W*(?:(?:so|now|then)\s)?(?:i['\u2019]ll|i\swill)\s\*{0,2}(?:add|use|set|pass|return|move|replace|"
    r"rename|call)\*{0,2}\s`[^`\n]+`[^.\n]{0,40}\s(?:to|in|into|with|for|from|on)\s(?:the\s)?`[^`\n]+`",
    re.IGNORECASE,
)
"""Says what is put where, in the words of the code."""
_SCOPE = re.compile(r"^\W*(?:skip|exclude|keep|leave|ignore)\s", re.IGNORECASE)
"""An entry of a plan that says what is left out or stays."""
_CHOICE = worded(
    r"\b(?:(?:i|we)(?:['\u2019]ll|\swill)\s(?:go\swith|use|stick)|decided\s(?:to|on)|settled\son|"
    r"opted\sfor|"
    r"(?:cleaner|simpler|safer|better|clearer|faster)\sand\s(?:more\s\w+|\w+er)\sthan|"
    r"the\s(?:right|cleanest|simplest|correct|proper)\sfix|(?:i|we)\s(?:need|"
    r"have)\sto\s(?:modify|change)|"
    r"the\sfix\s(?:should|would|will|is\sto)|(?:is|are)\sthe\s(?:standard|usual|recommended|"
    r"safer|better)\s"
    r"(?:tool|way|choice|option|approach)|try\sa\s(?:different|more\s\w+|simpler|new)\sapproach)\b",
    needs="i'll |i will |we'll |we will |decided |settled on|opted for| than|fix|modify|"
    "change|standard |usual |recommended |safer |better |approach",
    flags=re.IGNORECASE,
)
_FIX = re.compile(r"\b(?:fix|approach|solution)\s(?:is|would\sbe|should\sbe)\sto\b", re.IGNORECASE)
_TRIES = re.compile(r"\b(?:try|trying)\s(?:to|again)\b", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\bor\s(?:just|to|maybe|simply|perhaps|alternatively|we\s|i\s|use)\b|\bor\s`[^`\n]*`\W*$|"
    r"\bOR\b|\bone\sof(?:\s\w+){0,2}:"
)
"""Leaves open which of two is done."""
_DESIGN = re.compile(
    r"^\W*(?:[Ss]o\s|[Bb]ut\s|[Aa]nd\s)?(?:[Ii]f|[Ww]hen|[Ff]or)\s[^.!?\n]*(?:`|[a-z]_[a-z]|[a-z][A-Z]|\w\(\))"
    r"[^.!?\n]*(?:,|\u2192)\s(?:then\s)?(?:(?:it|we|they|this|that)\s)?"
    r"(?:should(?!\s(?:now\s)?(?:be\sable|work|pass|fail|see|be\scaught))|must|do\snot|don['\u2019]t|"
    r"return|skip|`?continue|use|fall\sback|keep|raise)\b"
    r"|^[^.!?\n]{0,60}(?:`|\w\(\)|[a-z]_[a-z]|[a-z][A-Z])[^.!?\n]*\bshould\s(?:only|not|never|also|always)\s"
    r"(?!be\sable|work|pass|fail|have\s)\w+"
    r"|^[^.!?\n]*\bshould\s(?:be\s|use\s|return\s)?`[^`\n]+`"
)
"""Says how the code is to behave: under a condition, or only so."""
_DESIGN_OPENS = re.compile(r"(?:^|(?<=\n))\W{0,6}(?:If|When|For)\s|\bshould\s", re.MULTILINE)
_SHOULD = re.compile(
    r"^\W*(?:\w+,?\s){0,2}?(?:i|we)\s(?:should|want\sto|need\sto)\s(?:\w+\s)?(?:add|use|keep|change|"
    r"move|remove|replace|drop|make(?!\ssure)|return|skip|leave|tighten|allow|handle|treat|support|"
    r"convert|rename|split|wrap|set|store|pass|extend)\b",
    re.IGNORECASE,
)
_HELPERS = re.compile(
    r"\b(?:reproduc\w+|repro|debug\w*|temporary|test|helper|patch)\s(?:\w+\s)?(?:script|file|print|"
    r"prints|program|case|code)\b|\bpython\sscript\b|\b`?(?:sed|ed|awk|cat|heredoc)`?\b",
    re.IGNORECASE,
)
"""What is written for the work itself, not for what is worked on."""
_SUPPOSED = re.compile(r"^\W*(?:if|or|either|alternatively|option)\b", re.IGNORECASE)
_TOOL_TALK = re.compile(
    r"\buse\s(?:the\s)?`?[\w./-]+`?\s(?:\w+\s)?to\s(?:get|make|read|check|see|find|list|search|"
    r"verify|"
    r"view|look|do|run|test|inspect|examine|edit|modify|apply|open|fetch|"
    r"(?:delete|remove|change|replace|fix|insert)\s(?:these|those|them|it))\b",
    re.IGNORECASE,
)
"""Says with which tool the next step is done."""
_INTENDS = re.compile(
    r"^\W*(?:(?:so|and|then|now|ok(?:ay)?)\W+)*(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|"
    r"we['\u2019]ll|let['\u2019]s)\s",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:because|since|so\s(?:that|it|they|the|this|we|you|nothing|no)\b(?!\s(?:can|could)\b)|"
    r"bypassing|avoiding|(?:that|which)\s(?:way\s)?(?:keeps|avoids|makes\s(?:it|the)|leaves|saves|"
    r"fixes)|(?<=[\u2014\u2013-]\s)(?:it\s|this\s)?(?:keeps|avoids|leaves|saves)|"
    r"(?:in\sorder\s)?(?:not\s)?to\s(?:avoid|prevent|bypass|preserve|stay|not\s)|in\sorder\snot\sto|"
    r"instead|rather\sthan|without\s\w+ing|assum\w+\s(?:that\s)?you\s(?:meant|mean|want\w*))\b"
    r"|,\sas\s(?:the|it|this|that|we|i|they|there|you|your|our)\b|^\W*given\s(?:that|the|your|our|how)\b",
    re.IGNORECASE,
)
"""What makes of a step a choice: a reason, what it keeps off, what it takes the place of."""
_STEPS = (
    r"(?:re-?)?(?:run|check|verif|see|look|read|view|confirm|test|find|understand|search|inspect|"
    r"examin|list|start|continu|proceed|retry|try|wait|summari|explain|debug|investigat|review|"
    r"analy|get|fetch|show|think|explor|ask|trac|print|make\ssure|take)\w*"
)
_MINDS = (
    r"(?:mak\w+\ssure|go(?:ing)?|hav|see|wonder|expect|assum|suspect|miss|hitt|gett|look|say|talk|"
    r"do|us|keep(?:ing)?\san|hop|plann|think|seein|referr|curious|work|struggl|finish|clos|mov(?:ing)?\son|"
    r"commit|push|stag|rerunn|runn|form?att|tim|sanity|prob|measur|validat|monitor|watch|poll)\w*"
)
"""What somebody is about to or thinks, and steps that change nothing."""
_I_DO = worded(
    r"(?:^|(?<=[.!?:;,] )|(?<=\n))\W{0,6}(?:(?:now|next|first|then|so|ok(?:ay)?|and|"
    r"thought:)\W+){0,2}"
    r"(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|i\sam\sgoing\sto|we['\u2019]ll|we\swill|"
    r"let['\u2019]s|i\s(?:need|have)\sto)\s(?:(?:now|also|just|simply|first)\s)?"
    rf"(?!{_STEPS}\b)\w+\b"
    r"|(?:^|(?<=[.!?:;,] )|(?<=\n)|(?<=, so )|(?<= and ))\W{0,6}"
    r"(?:i['\u2019]m|i\sam|we['\u2019]re)\s"
    rf"(?:(?:now|also|just|simply)\s)?(?!{_STEPS}\b|{_MINDS}\b)\w+ing\b",
    needs="i'll |i will |going to |we'll |we will |let's |need to |have to |i'm |i am |we're ",
    flags=re.IGNORECASE,
)
"""The agent says what it is about to do, or does, and it is no look."""
_I_STEP = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|and)\W+){0,2}(?:i['\u2019]m|i\sam|i['\u2019]ll|i\swill|"
    rf"let\sme|let['\u2019]s)\s(?:now\s)?(?!try\b){_STEPS}\b",
    re.IGNORECASE,
)
_TAKES_IN = re.compile(
    r"\bi(?:\s(?:can|now|also))?\s(?:notice|see|realiz|recogni[sz])\w*\b|"
    r"^\W*(?:after\s\w+ing|when|while|looking\sat)\b",
    re.IGNORECASE,
)
"""Says what was seen, or what happens when."""
_DESCRIBES = re.compile(
    r"^\W*`?[\w./*-]*\w\.\w{1,5}`?(?:\*\*)?\s?(?:\s[-\u2013\u2014]|:(?:\*\*)?)\s(?:Defines|Contains|Holds|"
    r"Handles|Manages|The\s)|^\W*(?:\(\d+\)\s)?(?:\u2705|Excellent|This\smatters)",
)
"""Says what a file is, or praises what is there."""
_FEW_LINES = re.compile(r"\b(?:to|on|at|in)\slines?\s\d+(?:\s(?:and|to)\s\d+)?\W*$", re.IGNORECASE)
"""Names the lines of the next edit, nothing more."""
_VAGUE = re.compile(r"\b(?:our|my|the)\s(?:approach|strategy|plan|tactics?)\W*$", re.IGNORECASE)
"""Says that something changes, but not to what."""
_PROBES = re.compile(
    r"\b(?:debug\w*|temporary)\s(?:prints?|logs?|logging|statements?|output)\b", re.IGNORECASE
)
_THINKS_AGAIN = re.compile(
    r"(?:^|[.!?\n][^\S\n]*)(?:(?:but|and|so)\s)?(?:wait\b|"
    r"actually,?\s(?:wait|no|the|an?|even|there|i\s(?:should|could|can|need)|let)\b|hmm\b|no,|however\b|alternatively\b|"
    r"on\ssecond\sthought|(?:there['\u2019]s\s)?(?:an?\s)?(?:even\s)?(?:simpler|better|cleaner|other|"
    r"another)\s(?:approach|option|way|idea|fix|solution)\b)",
    re.IGNORECASE,
)
"""Who thinks goes back on what was weighed before."""
_NAMES_A_CAUSE = re.compile(
    r"^\W*(?:root\s)?cause\W{1,4}\s|\b(?:another|other|one\smore)\s(?:issue|problem|bug)\s?:"
    r"|\b(?:did|does)(?:n['\u2019]t|\snot)\s[^.]{0,60}\bbecause\b",
    re.IGNORECASE,
)
"""Says what went wrong and why; nobody chose it."""
_REACH = 500
_OPENING, _MANY_WORDS = 30, 15
_WEIGHED = frozenset({"reason", "contrast", "rejected"})
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_SPECIFIC = re.compile(r"`[^`\n]+`|\*\*[^*\n]+\*\*|\d")


def changes(reading: Reading) -> bool:
    """Whether a call of the exchange changes something."""
    return any(call.action in _CHANGING for call in reading.calls)


def announces(text: str) -> bool:
    """Whether a sentence says that something is to be changed, and is no probe or tool talk."""
    if _CHANGES.search(text) is None and _SHOULD.match(text) is None:
        return False
    if any(each.search(text) for each in (_PROBES, _TOOL_TALK, _UNDECIDED, _TRIES, _HELPERS)):
        return False
    return _I_STEP.match(text) is None


def told_in(reading: Reading) -> tuple[re.Pattern[str] | Worded, ...]:
    """What tells of a change where it is made, and of changes in a report."""
    if not reading.calls:
        return (_SETTLED, _KEPT_SO)
    at_work = (_CHANGES, _ASKED_OF_ONESELF, _I_DO, _BUT_KEEPS)
    return (*at_work, _DESIGN_OPENS) if changes(reading) else at_work


def shown_behind(text: str, reading: Reading, purposes: frozenset[str]) -> bool:
    """Whether a sentence that ends in a colon tells the choice that is shown right behind it."""
    if purposes & {"choice", "decision"} and _specific(text):
        return True
    if changes(reading) or reading.calls:
        return _makes_on_purpose(text, reading)
    return _SETTLED.match(text) is not None and _ON_PURPOSE.search(text) is not None


def how_sure(text: str, purposes: frozenset[str], reading: Reading, *, aloud: bool) -> float:
    """How sure it is that a sentence tells a choice of the agent, 0 when it does not."""
    sure = 0.0
    if _decides(text, purposes):
        sure = 2.0
    elif "choice" in purposes and (purposes & _WEIGHED or _specific(text)):
        sure = 1.5
    elif aloud and _does_on_purpose(text, reading):
        sure = 1.0
    elif aloud and (_weighs(text, purposes) or _chosen_for(text, reading)):
        sure = 0.8
    elif aloud and changes(reading) and _DESIGN.search(text) is not None:
        return 0.0 if _UNDECIDED.search(text) is not None else 0.8
    if sure and _UNDECIDED.search(text) is not None:
        return 0.0
    if sure and (_told_only(text, purposes) or _DESCRIBES.match(text) is not None):
        return 0.0
    if sure and is_mere_step(text):
        return 0.0
    if sure and (_SUPPOSED.match(text) is not None or _TOOL_TALK.search(text) is not None):
        return 0.0
    return sure


def thought_better_of(text: str, behind: int) -> bool:
    """Whether who thinks goes back on what stands before a place."""
    return _THINKS_AGAIN.search(text, max(0, behind - 1), behind + _REACH) is not None


def _chosen_for(text: str, reading: Reading) -> bool:
    """Whether the agent says right before a call what it does, and why so."""
    does = _I_DO.search(text) if reading.calls else None
    if does is None or _WHY.search(text) is None:
        return False
    return _TRIES.search(text) is None and _VAGUE.search(text) is None


def _told_only(text: str, purposes: frozenset[str]) -> bool:
    """Whether a sentence tells a step, a sight or a probe, whatever else it says."""
    if _PROBES.search(text) is not None or _NAMES_A_CAUSE.search(text) is not None:
        return True
    if _FEW_LINES.search(text) is not None and not purposes & _WEIGHED:
        return True
    weighed = bool(purposes & {"contrast", "reason"})
    if _I_STEP.match(text) is not None and not weighed:
        return True
    return _TAKES_IN.search(text) is not None and _I_DO.search(text) is None


def _weighs(text: str, purposes: frozenset[str]) -> bool:
    """Whether a sentence with two options says which is taken, or names one."""
    if "contrast" not in purposes:
        return False
    if _INTENDS.match(text) is not None:
        return True
    return "correction" not in purposes and _specific(text)


def _specific(text: str) -> bool:
    """Whether a sentence names something, or stresses it."""
    return bool(identifiers_in(text)) or _SPECIFIC.search(text) is not None


def _decides(text: str, purposes: frozenset[str]) -> bool:
    """A choice is stated as one, or two options are weighed with the reason."""
    if " to" in text and _FIX.search(text) is not None:
        return True
    if _CHOICE.search(text) is not None and _specific(text):
        return True
    if _NARRATED.match(text) is not None and "decision" not in purposes:
        return False
    if "decision" in purposes:
        return bool(purposes & _WEIGHED) or "correction" in purposes
    return "contrast" in purposes and "reason" in purposes


def _makes_on_purpose(text: str, reading: Reading) -> bool:
    """Whether a sentence says how a change is made; before a look, how it is going to be."""
    if _ASKED_OF_ONESELF.search(text) is not None or _BUT_KEEPS.search(text) is not None:
        return True
    if changes(reading) and _PUTS_THERE.match(text) is not None:
        return True
    told = _CHANGES.search(text)
    if told is None:
        return False
    # A look comes first: the change is told in full, and the sentence opens with it.
    full = _specific(text) or len(text.split()) >= _MANY_WORDS
    if not changes(reading) and (told.start() > _OPENING or not full):
        return False
    return _MANNER.search(text) is not None or _SHOWS_HOW.search(text) is not None


def _does_on_purpose(text: str, reading: Reading) -> bool:
    """How a change is made, said where it is made, or why it was left as it is, said behind it."""
    if reading.calls:
        return _makes_on_purpose(text, reading) and _TRIES.search(text) is None
    if _KEPT_SO.search(text) is not None and _specific(text):
        return True
    if _SETTLED.match(text) is None:
        return False
    named = bool(identifiers_in(text)) or "`" in text
    return _ON_PURPOSE.search(text) is not None or (_SCOPE.match(text) is not None and named)
