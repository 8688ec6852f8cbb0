"""Commits that were taken back: undone by the user, reset, reverted or amended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.record.delta import Close
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.actions import verbatim
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import CallSeen, Outcome
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER
from clew.tools_seen.worded import worded

UNDONE, REVERTED = "undone by the user", "taken back with git revert"
RESET, BEFORE_IT = "taken back with git reset", "the history is at"
AMENDED = "amended"
_HASH = r"[0-9a-f]{7,40}"
_REMOVED = re.compile(rf"^Removed: +(?P<hash>{_HASH}) +(?P<subject>[^\n]{{1,160}})$", re.MULTILINE)
_NOW_AT = re.compile(rf"^(?:Now at|HEAD is now at):? +(?P<hash>{_HASH})\b", re.MULTILINE)
_DETACHED = "switching to"
_SWITCHED = worded(r"^Switched to branch ", needs="switched to branch ", flags=re.MULTILINE)
_STEP = re.compile(r"\bgit (?:-[cC] ?\S+ )*(?P<verb>reset|revert|commit)\b(?P<rest>[^&|;\n]*)")
_BACK = re.compile(r"(?:HEAD|@)(?P<steps>(?:\^|~\d*)*)")
_REVISION = re.compile(rf"(?P<hash>{_HASH})(?P<before>\^|~1?)?")
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED, Outcome.PENDING})
_UNFINISHED = frozenset({"--abort", "--quit", "--continue", "--skip"})
_COMMITS = frozenset({"git commit", "git merge", "git cherry-pick", "git revert", "git am"})
_LEADING = re.compile(rf"(?P<hash>{_HASH})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBack:
    """One step back in the history of commits, as a result or a command shows it.

    `removed` are the commits it names, `at` the commit that the history ends with since, `before`
    the first one that is gone (empty where nobody says). `latest` is how many of the latest it
    takes back, `skipped` how many it leaves untouched before those. `switched`: it went to another
    branch and took nothing back.
    """

    how: str
    quote: str
    removed: tuple[str, ...] = ()
    at: str = ""
    before: str = ""
    latest: int = 0
    skipped: int = 0
    switched: bool = False


@once
def steps_back(reading: Reading) -> tuple[StepBack, ...]:
    """What an exchange takes back of the commits before it."""
    steps = [step for result in reading.results for step in _printed(result)]
    for call in reading.calls:
        if call.command and "git" in call.command and call.outcome not in _NOT_DONE:
            steps.extend(_commanded(call, reading))
    return tuple(steps)


def _printed(result: str) -> Iterable[StepBack]:
    """What aider says that it took back, and a switch of branches in any output."""
    if not result.startswith(PRINTED_BY_AIDER):
        if (switched := _SWITCHED.search(result[:2_000])) is not None:
            yield StepBack(how="", quote=switched.group(0), switched=True)
        return
    at = _NOW_AT.search(result[:4_000])
    removed = [found["hash"] for found in _REMOVED.finditer(result[:4_000])]
    if removed or (at is not None and _DETACHED not in result):
        quote = _REMOVED.search(result) or at
        yield StepBack(
            how=UNDONE,
            quote=quote.group(0) if quote else "",
            removed=tuple(removed),
            at=at["hash"] if at else "",
        )


def _commanded(call: CallSeen, reading: Reading) -> Iterable[StepBack]:
    for found in _STEP.finditer(call.command[:4_000]):
        words = found["rest"].split()
        options = {word for word in words if word.startswith("-")}
        named = [word for word in words if not word.startswith("-")]
        quote = verbatim(reading, found.group(0))[:240].rstrip()
        if found["verb"] == "commit":
            if "--amend" in options:
                yield StepBack(how=AMENDED, quote=quote, latest=1)
        elif options & _UNFINISHED or "--" in options:
            continue
        elif found["verb"] == "revert":
            yield from _reverted(named, quote)
        elif len(named) <= 1 and (step := _reset(named, quote, reading)) is not None:
            yield step


def _reverted(named: Sequence[str], quote: str) -> Iterable[StepBack]:
    for word in named:
        back, revision = _BACK.fullmatch(word), _REVISION.fullmatch(word)
        if back is not None:
            skipped = _count(back["steps"])
            yield StepBack(how=REVERTED, quote=quote, latest=1, skipped=skipped)
        elif revision is not None and not revision["before"]:
            yield StepBack(how=REVERTED, quote=quote, removed=(revision["hash"],))


def _reset(named: Sequence[str], quote: str, reading: Reading) -> StepBack | None:
    word = named[0] if named else "HEAD"
    if (back := _BACK.fullmatch(word)) is not None:
        steps = _count(back["steps"])
        return StepBack(how=RESET, quote=quote, latest=steps) if steps else None
    if (revision := _REVISION.fullmatch(word)) is not None:
        named_hash = revision["hash"]
        if revision["before"]:
            return StepBack(how=RESET, quote=quote, before=named_hash)
        return StepBack(how=RESET, quote=quote, at=named_hash)
    for result in reading.results:
        if (at := _NOW_AT.search(result[:4_000])) is not None:
            return StepBack(how=RESET, quote=at.group(0), at=at["hash"])
    return None


def _count(steps: str) -> int:
    """How many commits back `^^` or `~2` is."""
    return sum(int(each[1:] or 1) for each in re.findall(r"\^|~\d*", steps))


@dataclass(slots=True)
class _Commit:
    """A commit of the record or of the new spans, and what took it back."""

    item: Item
    hash: str
    step: StepBack | None = None
    span: str = ""


def taken_back(
    claims: Sequence[Claim], old: Sequence[Item], readings: Sequence[Reading]
) -> tuple[list[Claim], list[Close]]:
    """The claims, effects that were taken back among them settled, and those of the record.

    A commit that the user undid, or that was reverted, is a settled dead end too.
    """
    steps = [(reading, step) for reading in readings for step in steps_back(reading)]
    if not any(not step.switched for _, step in steps):
        return list(claims), []
    known = _commits([*(i for i in old if i.live), *(c.item for c in claims)])
    failed: list[Claim] = []
    barrier = -1
    for reading, step in steps:
        if step.switched:
            barrier = reading.position
            continue
        before = [c for c in known if c.step is None and c.item.first_seen < reading.position]
        taken = _concerned(step, before, barrier)
        for commit in taken:
            commit.step, commit.span = step, reading.handle
        failed.extend(_dead_ends(step, reading, taken))
    over = {id(commit.item): commit for commit in known if commit.step is not None}
    kept = [
        settled(made, Status.CLOSED, _reason(back), _shown(back))
        if (back := over.get(id(made.item))) is not None
        else made
        for made in claims
    ]
    closed = [
        Close(
            id=commit.item.id,
            status=Status.CLOSED,
            evidence=(_shown(commit),),
            reason=_reason(commit),
        )
        for commit in over.values()
        if commit.item.id
    ]
    return [*kept, *failed], closed


def _commits(items: Iterable[Item]) -> list[_Commit]:
    made = []
    for item in items:
        if item.kind == "effect" and item.field("action") in _COMMITS:
            found = _LEADING.match(item.field("target"))
            made.append(_Commit(item, found["hash"] if found else ""))
    return sorted(made, key=lambda commit: commit.item.first_seen)


def _same(one: str, other: str) -> bool:
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _concerned(step: StepBack, before: Sequence[_Commit], barrier: int) -> list[_Commit]:
    """The commits that a step takes back."""
    taken = [c for c in before if any(_same(c.hash, each) for each in step.removed)]
    here = [c for c in before if c.item.first_seen > barrier]
    for place, commit in enumerate(here):
        if _same(commit.hash, step.at) or _same(commit.hash, step.before):
            gone = here[place + 1 :] if step.at else here[place:]
            taken.extend(each for each in gone if each not in taken)
            break
    if step.latest:
        end = len(here) - step.skipped
        latest = here[max(0, end - step.latest) : max(0, end)]
        # Of one that may not have happened nobody knows what it counts.
        sure = all(c.item.status is not Status.UNKNOWN for c in here[max(0, end - step.latest) :])
        taken.extend(latest if sure else ())
    return taken


def _reason(commit: _Commit) -> str:
    step = commit.step
    if step is None:
        return ""
    named = not step.removed or any(_same(commit.hash, each) for each in step.removed)
    if step.how == UNDONE and not named:
        return f"{BEFORE_IT} {step.at} since {commit.span}"
    return f"{step.how} in {commit.span}"


def _shown(commit: _Commit) -> Evidence:
    return Evidence(span=commit.span, quote=commit.step.quote if commit.step else "")


def _dead_ends(step: StepBack, reading: Reading, taken: Sequence[_Commit]) -> list[Claim]:
    """What was undone or reverted, as settled dead ends: nobody should make it again unchanged."""
    if step.how == REVERTED:
        named = [(commit.item.field("target"), step.quote) for commit in taken if step.quote]
    elif step.how == UNDONE:
        lines = _REMOVED.finditer("\n".join(reading.results)[:8_000])
        named = [(f"{found['hash']} {found['subject']}", found.group(0)) for found in lines]
    else:
        named = []
    return [
        claim(
            "dead_end",
            quote,
            text=f"git commit {shortened(commit, 160)} \u2192 {step.how}",
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.TOOL,
            status=Status.CLOSED,
            reason=step.how,
            rank=0.2,
        )
        for commit, quote in named
    ]
