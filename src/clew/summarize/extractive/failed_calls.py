"""Failed calls: what was tried, the line that says why not, and what was done instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.record.aside import SET_ASIDE
from clew.record.delta import Dismiss
from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, by_call, program_of, verbatim
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.failed_alike import Failures, intent
from clew.summarize.extractive.sentences import containment, shortened, topic_words
from clew.summarize.extractive.verdicts import means_to_fail
from clew.tools_seen.decisive import line_beside
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action, CallSeen, Outcome

SAYS_WHY = re.compile(
    r"err\b|error|\bno\s|fail|not\b|n't\b|cannot|denied|refused|undefined|unknown|invalid|"
    r"exception|fatal|missing|"
    r"unexpected|expected|panic|abort|timed? ?out|conflict|reject|unable|no such|exceed|"
    r"requires?\b|required|"
    r"[45]\d\d\b|unrecogni[sz]ed|killed|segmentation|exists|already|\bmust\b|outside|crash|"
    r"broken|blocked|\bmatched\b|violat|offending|unsupported|"
    r"locked|busy|too \w+|unmatched|mismatch|unreachable|\b0 selected\b",
    re.IGNORECASE,
)
_BUILDS = re.compile(
    r"\b(?:test|build|check|lint|vet|compile|make|tsc|mypy|ruff|pytest|cargo|tox|jest|vitest)\b"
)
_MISUSED = re.compile(
    r"parameter cannot be found|(?:unknown|invalid|unrecognized|illegal|unexpected) "
    r"(?:option|argument|flag|command|subcommand)|not recognized as|command not found|^usage:",
    re.IGNORECASE,
)
_BARRED = re.compile(
    r"\bmust be (?:within|inside|under|below)\b|not allowed|permission|denied|forbidden|"
    r"unauthori[sz]ed|outside (?:of )?the (?:workspace|project|allowed)|too (?:large|long|many)|"
    r"exceeds|rate limit|credential|log ?in required|rejected|ignored by",
    re.IGNORECASE,
)
"""A look that was refused or came back too large: looking again the same way fails again."""
_BROKE = re.compile(
    rf"{_MISUSED.pattern}|{_BARRED.pattern}|protocol error|session (?:is )?closed|api key|detached|"
    r"status code:? [45]\d\d|timed? ?out|connection|crash|exception|refused|internal error",
    re.IGNORECASE,
)
"""A look that failed for another reason than that nothing was there."""
WORKED = "it worked in"
"""How the reason begins for which a failure is no dead end any more."""
_ONLY_FRAMES = re.compile(
    r"(?:command|process|script)\sexited\s|exit\scode\b|hint:|parameter\sname:|at\sline:|command:\s",
    re.IGNORECASE,
)
"""Says that a command failed, or how to say less, but not why."""
_OPENING, _SHORTEST_LINE = 2_000, 8
_SERIES = 3
_DONE = frozenset({Outcome.OK, Outcome.UNKNOWN})
_LONGEST_ERROR = 240
_NEAR = 12
_SHORT_ANSWER, _FEWEST_WORDS = 400, 3
_LONGEST_CHANGE = 40_000
_OLD = ("old_string", "old_str", "oldText", "old_text")
_NEW = ("new_string", "new_str", "newText", "new_text", "content")
"""The names under which tools take what stood there and what shall stand there."""
_LONGEST_TAG = 24
"""Characters that may stand in front of what a tool says: the tag of an error."""
_OVERCOME_RANK = 0.2


def failures_in(
    attempts: Sequence[Attempt], recorded: frozenset[str]
) -> tuple[list[Claim], list[Dismiss]]:
    """Failed calls of the spans in `recorded` as dead ends, or dismissed with the reason.

    A failure that the same way overcame later, and a look at what is not there, is a settled dead
    end: nobody should try its first form again, but it takes no place of one that still stands.
    """
    found = Failures()
    series, successes = _series(attempts), _Successes(attempts)
    for attempt in attempts:
        if attempt.call.outcome not in FAILED or attempt.reading.handle not in recorded:
            continue
        if means_to_fail(attempt.reading):
            span = attempt.reading.handle
            found.dismissed.append(Dismiss(span=span, reason="it was meant to fail"))
            continue
        again = (attempt.call.tool, attempt.call.resource) in series
        way = None if again else successes.after(attempt)
        over = f"{WORKED} {way.reading.handle}" if way is not None else ""
        over = over if over or again else _no_dead_end(attempt)
        made = _dead_end(attempt, attempts, way)
        if made is None:
            why = over or "no line says why it failed"
            found.dismissed.append(Dismiss(span=attempt.reading.handle, reason=why))
        elif over:
            closed = settled(replace(made, rank=_OVERCOME_RANK), Status.CLOSED, over, None)
            found.take(closed, over, attempt.call.tool)
        else:
            found.take(made, "", attempt.call.tool)
    return found.made(), found.dismissed


def _series(attempts: Sequence[Attempt]) -> frozenset[tuple[str, str]]:
    """What failed so often with one tool that the way itself is the dead end, retried or not."""
    counts: dict[tuple[str, str], int] = {}
    for attempt in attempts:
        call = attempt.call
        if call.outcome in FAILED and not call.command and call.resource:
            counts[(call.tool, call.resource)] = counts.get((call.tool, call.resource), 0) + 1
    return frozenset(key for key, count in counts.items() if count >= _SERIES)


class _Successes:
    """The calls that worked, by what a failed one may share with them."""

    def __init__(self, attempts: Sequence[Attempt]) -> None:
        self._worked = [a for a in attempts if a.call.outcome is Outcome.OK]
        self._same: dict[tuple[object, ...], list[Attempt]] | None = None
        self._programs: dict[str, list[Attempt]] | None = None

    def after(self, failed: Attempt) -> Attempt | None:
        """The first later success that undoes a failure: the same command, tests or target."""
        call = failed.call
        found = self._alike(call)
        retried = call.tests is not None or _BUILDS.search(call.command) is not None
        if call.command and retried and (ran := program_of(call.command)):
            found = [*found, *self._of_program(ran)]
        later = [each for each in found if each.order > failed.order]
        if later and _BARRED.search(call.decisive_line) is not None:
            later = [each for each in later if each.call.tool == call.tool]
        return min(later, key=lambda each: each.order, default=None)

    def _alike(self, call: CallSeen) -> list[Attempt]:
        if self._same is None:
            self._same = {}
            for attempt in self._worked:
                if key := _what(attempt.call):
                    self._same.setdefault(key, []).append(attempt)
        return self._same.get(_what(call), [])

    def _of_program(self, name: str) -> list[Attempt]:
        if self._programs is None:
            self._programs = {}
            for attempt in self._worked:
                if attempt.call.command:
                    self._programs.setdefault(program(attempt), []).append(attempt)
        return self._programs.get(name, [])


@by_call
def program(attempt: Attempt) -> str:
    """The program that a call ran, and its first word."""
    return program_of(attempt.call.command)


def _what(call: CallSeen) -> tuple[object, ...]:
    """The command of a call, else its target and what was done to it.

    Where a command failed and a tool did it, another way worked, not this one.
    """
    if call.command:
        return (call.command,)
    return (call.resource, call.action) if call.resource else ()


def _no_dead_end(attempt: Attempt) -> str:
    """Why a failure that nothing undid is none that stands; empty where it is."""
    call = attempt.call
    looks = call.action in {Action.SEARCH, Action.READ}
    if looks and _BROKE.search(call.decisive_line) is None:
        return f"{SET_ASIDE}: a look at something that is not there"
    return ""


def _dead_end(attempt: Attempt, attempts: Sequence[Attempt], way: Attempt | None) -> Claim | None:
    call, reading = attempt.call, attempt.reading
    error = verbatim(attempt.answer, _line_that_says_why(attempt))
    if not error or not (attempt.shown or _says_why(error, attempt)):
        return None
    refusal = Evidence(span=attempt.answer.handle, quote=error[:_LONGEST_ERROR])
    told = _told_to_it(attempt, error)
    error = told or error
    tried = shortened(call.command or f"{call.tool} {call.resource}", 100)
    kept_out = _kept_out(attempt)
    if kept_out and not call.command:
        tried = f"{tried}: {shortened(kept_out, 80)}"
    instead = _other_way(attempt, attempts, way) if way else _instead(attempt, attempts)
    shown = Evidence(span=attempt.answer.handle, quote=error[:_LONGEST_ERROR])
    sent = verbatim(reading, call.command, call.resource)[:_LONGEST_ERROR]
    # What a person says rests on their own words, not on the call that they are about.
    apart = attempt.answer is not reading and bool(sent) and not told
    return claim(
        "dead_end",
        sent if apart else shown.quote,
        text=f"{tried} → {shortened(error, 160)}",
        span=reading.handle if apart or attempt.answer is reading else attempt.answer.handle,
        evidence=(
            *((refusal,) if told else (shown,) if apart else ()),
            *_start_of(attempt),
            *((Evidence(span=reading.handle, quote=kept_out),) if kept_out else ()),
            *_beside(attempt, shown.quote),
            *intent(reading),
        ),
        position=reading.position,
        said_by=Speaker.USER if told else Speaker.TOOL,
        fields=(
            ("error", shortened(error, _LONGEST_ERROR)),
            ("instead", f"{_short(instead.call)} ({instead.reading.handle})" if instead else ""),
        ),
        rank=2.0 if instead else 1.0,
    )


def _beside(attempt: Attempt, line: str) -> tuple[Evidence, ...]:
    """What stands beside the decisive line and belongs to it."""
    found = (line_beside(result, line) for result in attempt.answer.results)
    beside = verbatim(attempt.answer, next(filter(None, found), ""))[:_LONGEST_ERROR]
    return (Evidence(span=attempt.answer.handle, quote=beside),) if beside else ()


def _line_that_says_why(attempt: Attempt) -> str:
    """The line by which a call failed; where that only frames the output, the first that tells."""
    line = attempt.call.decisive_line
    results, calls = attempt.answer.results, attempt.reading.calls
    if _ONLY_FRAMES.match(line) is None or len(results) != len(calls) > 1 or not results:
        return line
    result = results[attempt.place if len(calls) > 1 else 0]
    for each in result[:_OPENING].split("\n"):
        bare = each.strip()
        fits = _SHORTEST_LINE <= len(bare) <= _LONGEST_ERROR and _ONLY_FRAMES.match(bare) is None
        if fits and SAYS_WHY.search(bare) is not None:
            return bare
    return line


def _kept_out(attempt: Attempt) -> str:
    """The first line that a change would have brought which a person turned down."""
    call, sent = attempt.call, attempt.reading.arguments
    turned_down = call.outcome is Outcome.REFUSED and call.action is Action.WRITE
    if not turned_down or len(sent) != len(attempt.reading.calls):
        return ""
    texts = object_in(sent[attempt.place][:_LONGEST_CHANGE])
    old, new = (next((texts[k] for k in keys if k in texts), "") for keys in (_OLD, _NEW))
    if not (isinstance(old, str) and isinstance(new, str)):
        return ""
    known = set(map(str.strip, old.split("\n")))
    added = (line.strip() for line in new.split("\n"))
    told = (a for a in added if a not in known and len(a.split()) >= _FEWEST_WORDS)
    return verbatim(attempt.reading, next(told, "")[:_LONGEST_ERROR])


def _start_of(attempt: Attempt) -> tuple[Evidence, ...]:
    """The command of a process that a look is about, where it was sent."""
    if attempt.began is None:
        return ()
    sent = verbatim(attempt.began, attempt.call.command)[:_LONGEST_ERROR]
    return (Evidence(span=attempt.began.handle, quote=sent),) if sent else ()


def _told_to_it(attempt: Attempt, error: str) -> str:
    """What a person said when they turned a call down, its first line; empty where nobody did.

    What their agent's program says in front of it is the same for every call.
    """
    if attempt.call.outcome is not Outcome.REFUSED:
        return ""
    answers = [result for result in attempt.answer.results if error in result]
    for words in filter(None, map(str.strip, attempt.answer.typed)):
        if any(answer.rstrip().endswith(words) for answer in answers):
            return words.splitlines()[0]
    return ""


def _says_why(error: str, attempt: Attempt) -> bool:
    """Whether a line tells why a call failed; of a short answer every line does."""
    if SAYS_WHY.search(error) is not None:
        return True
    results = attempt.answer.results
    worded = len(error.split()) >= _FEWEST_WORDS
    short = sum(map(len, results)) <= _SHORT_ANSWER
    own = not attempt.call.command and any(_opens_with(error, result) for result in results)
    return worded and (short or own)


def _opens_with(error: str, result: str) -> bool:
    """Whether a result begins with a line: a tool that failed says first why, not an output."""
    return error in result[: len(error) + _LONGEST_TAG]


def _other_way(attempt: Attempt, attempts: Sequence[Attempt], way: Attempt) -> Attempt | None:
    """What made the same call work: the last change before it, or the call in its new form."""
    between = attempts[attempt.order + 1 : way.order]
    changed = next(
        (a for a in reversed(between) if a.call.action is Action.WRITE and a.call.outcome in _DONE),
        None,
    )
    if changed is not None:
        return changed
    return way if _short(way.call) != _short(attempt.call) else None


def _instead(attempt: Attempt, attempts: Sequence[Attempt]) -> Attempt | None:
    """The next success with the same tool that is about the same thing."""
    subject = topic_words(attempt.call.command or attempt.call.resource)
    for other in attempts[attempt.order + 1 : attempt.order + 1 + _NEAR]:
        if other.call.outcome is Outcome.OK and other.call.tool == attempt.call.tool:
            words = topic_words(other.call.command or other.call.resource)
            if containment(subject, words) >= 0.3:
                return other
    return None


def _short(call: CallSeen) -> str:
    return shortened(call.command or f"{call.tool} {call.resource}", 100)


def solved_in(dead: Sequence[Claim], dismissed: Sequence[Dismiss]) -> frozenset[str]:
    """The spans whose failed calls worked later."""
    over = {
        evidence.span
        for made in dead
        if made.item.reason.startswith(WORKED)
        for evidence in made.item.evidence
    }
    return frozenset((*over, *(d.span for d in dismissed if d.reason.startswith(WORKED))))
