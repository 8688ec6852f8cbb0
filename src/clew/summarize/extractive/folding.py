"""New claims meet the record: what is new, what repeats, what corrects, what is settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from clew.record.delta import Add, Close, Operation, Supersede
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.actions import Attempt, program_of
from clew.summarize.extractive.answers import answer_to, is_approval
from clew.summarize.extractive.claims import Claim, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    likeness,
    sentences_with,
    topic_words,
)
from clew.summarize.extractive.updates import of_one_sort, without_values
from clew.tools_seen.seen import Action, Outcome

MOST_PER_KIND = {
    "fact": 12, "decision": 5, "dead_end": 10, "commitment": 6, "invariant": 16, "blocker": 4,
    "environment": 30, "effect": 10, "job": 6,
}  # fmt: skip
_KEPT_LIVE = {"decision": 1.0, "dead_end": 1.0, "effect": 1.0, "commitment": 1.0, "blocker": 0.5}
_TOKENS_PER_LIVE_ITEM = 420
_DEAD_ENDS_FROM, _TOKENS_PER_DEAD_END = 500, 214
"""Two in a record of 900 tokens, seven in one of 2,000: trouble has more ways that failed than
choices that were made, but in a small record each takes the place of several names."""
_SAID_KINDS = frozenset({"decision", "dead_end", "commitment"})
_SAME = 0.75
_RESTATED = 0.85
_FEWEST_SHARED = 3
_RANK = {Speaker.DERIVED: 0, Speaker.TOOL: 1, Speaker.AGENT: 2, Speaker.USER: 3}
_CORRECTABLE = frozenset({"fact", "decision", "invariant", "commitment", "requirement"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A statement or success that may settle a promise: its topic words and where it stands."""

    topics: frozenset[str]
    evidence: Evidence
    position: int


def distinct(claims: Iterable[Claim], target_tokens: int = 0) -> list[Claim]:
    """The claims without near-duplicates, the surest of each kind, in transcript order.

    A record that has to stay small (`target_tokens`, 0 for any size) takes fewer of what was said.
    """
    by_kind: dict[str, list[Claim]] = {}
    for made in claims:
        by_kind.setdefault(made.item.kind, []).append(made)
    kept: list[Claim] = []
    for kind, members in by_kind.items():
        if kind == "directive":
            kept.extend(members)
            continue
        chosen: list[Claim] = []
        for made in sorted(members, key=lambda c: (-c.rank, -c.position)):
            # What a person said is never too much; their reports of failures stand as messages too.
            enough = len(chosen) >= _most_of(kind, target_tokens)
            if enough and (made.item.said_by is not Speaker.USER or kind == "dead_end"):
                continue
            if not any(_says_the_same(made.item, made.topics, c.item, c.topics) for c in chosen):
                chosen.append(made)
        kept.extend(chosen)
    return sorted(kept, key=lambda c: c.position)


def _most_of(kind: str, target_tokens: int) -> int:
    most = MOST_PER_KIND.get(kind, 20)
    if not target_tokens or kind not in _SAID_KINDS:
        return most
    return min(most, _share_of(kind, 1.0, target_tokens))


def _share_of(kind: str, share: float, target_tokens: int) -> int:
    """How many items of a kind a record of this size carries."""
    if kind == "dead_end":
        return max(2, round((target_tokens - _DEAD_ENDS_FROM) / _TOKENS_PER_DEAD_END))
    return max(2, round(share * target_tokens / _TOKENS_PER_LIVE_ITEM))


def _says_the_same(
    one: Item, one_topics: frozenset[str], other: Item, other_topics: frozenset[str]
) -> bool:
    if one.kind == "environment":
        return one.field("key") == other.field("key")
    if one.text == other.text:
        return True
    if one.kind in {"effect", "job"} or _numbers(one_topics) != _numbers(other_topics):
        return False
    return likeness(one_topics, other_topics) >= _SAME


def _numbers(topics: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in topics if word[0].isdigit())


def folded(claims: Sequence[Claim], old: Sequence[Item]) -> list[Operation]:
    """Operations that bring the claims into a record with these live items."""
    pool = {item.id: (item, topic_words(item.text)) for item in old if item.live}
    fresh: list[Claim | None] = list(claims)
    replaced: dict[int, list[str]] = {}
    for place, made in enumerate(claims):
        if _repeats(made, pool.values()):
            fresh[place] = None
            continue
        for item in _restated_items(made, pool):
            replaced.setdefault(place, []).append(item.id)
            del pool[item.id]
        restated = _restated(made, fresh[:place])
        if restated is not None:
            fresh[restated] = None
            if before_it := replaced.pop(restated, None):
                replaced.setdefault(place, []).extend(before_it)
        if not made.corrects or made.item.kind not in _CORRECTABLE:
            continue
        target = _corrected(made, pool.values())
        if target is not None:
            replaced.setdefault(place, []).append(target.id)
            fresh[place] = replace(made, item=replace(made.item, kind=target.kind))
            del pool[target.id]
            continue
        earlier = _corrected_claim(made, fresh[:place])
        if earlier is not None:
            before = fresh[earlier]
            fresh[earlier] = None
            if before is not None:
                fresh[place] = _taking_the_place(made, before)
    return [
        Supersede(ids=tuple(replaced[place]), item=made.item, reason="corrected")
        if place in replaced
        else Add(item=made.item)
        for place, made in enumerate(fresh)
        if made is not None
    ]


def _restated(made: Claim, earlier: Sequence[Claim | None]) -> int | None:
    """The place of an earlier statement of a person that this one says again with other values."""
    for place, other in enumerate(earlier):
        if other is not None and _restates(made, other.item, other.topics):
            return place
    return None


def _restated_items(made: Claim, pool: Mapping[str, tuple[Item, frozenset[str]]]) -> list[Item]:
    return [item for item, topics in pool.values() if _restates(made, item, topics)]


def _restates(made: Claim, item: Item, topics: frozenset[str]) -> bool:
    """Whether a person says the same again with other numbers: the newest value holds."""
    if made.item.said_by is not Speaker.USER or item.said_by is not Speaker.USER:
        return False
    if made.item.kind not in {"fact", "invariant"} or made.item.kind != item.kind:
        return False
    words = without_values(made.topics)
    return len(words) >= _FEWEST_SHARED and likeness(words, without_values(topics)) >= _RESTATED


def _taking_the_place(made: Claim, before: Claim) -> Claim:
    was = before.item.evidence[0]
    item = replace(
        made.item,
        kind=before.item.kind,
        # A person's own old words stay in the evidence: shown, they read as if they still held.
        why=made.item.why
        or ("" if made.item.said_by is Speaker.USER else f"before: {was.quote[:160]}"),
        evidence=(*made.item.evidence, was),
    )
    return replace(made, item=item)


def _repeats(made: Claim, pool: Iterable[tuple[Item, frozenset[str]]]) -> bool:
    if made.item.kind in {"directive", "environment"}:
        return False
    return any(
        item.kind == made.item.kind and _says_the_same(made.item, made.topics, item, topics)
        for item, topics in pool
    )


def _may_replace(new: Item, old: Item) -> bool:
    return old.kind in _CORRECTABLE and (
        old.said_by is not Speaker.USER or new.said_by is Speaker.USER
    )


def _match(made: Claim, item: Item, topics: frozenset[str]) -> float:
    """How likely the claim corrects this item, 0 when it does not."""
    if not _may_replace(made.item, item) or item.text == made.item.text:
        return 0.0
    shared = len(made.topics & topics)
    score = shared / min(len(made.topics), len(topics)) if shared else 0.0
    if made.denied and made.denied & topics:
        score += 0.3
    return score if shared >= 2 and score >= 0.45 else 0.0


def _corrected(made: Claim, pool: Iterable[tuple[Item, frozenset[str]]]) -> Item | None:
    held = list(pool)
    scored = [(_match(made, item, topics), item.last_used, item.id, item) for item, topics in held]
    best = max(scored, key=lambda entry: entry[:3], default=None)
    if best is not None and best[0] > 0:
        return best[3]
    place = of_one_sort(made, held)
    return held[place][0] if place is not None else None


def _corrected_claim(made: Claim, earlier: Sequence[Claim | None]) -> int | None:
    scored = [
        (_match(made, other.item, other.topics), place)
        for place, other in enumerate(earlier)
        if other is not None
    ]
    best = max(scored, default=(0.0, 0))
    if best[0] > 0:
        return best[1]
    held = [(place, other) for place, other in enumerate(earlier) if other is not None]
    found = of_one_sort(made, [(other.item, other.topics) for _, other in held])
    return held[found][0] if found is not None else None


def shown_in(readings: Sequence[Reading], cues: Cues) -> list[Shown]:
    """What the agent reports as done, and the writes and effects that worked."""
    return [shown for reading in readings for shown in _shown_of(reading, cues)]


@once
def _shown_of(reading: Reading, cues: Cues) -> tuple[Shown, ...]:
    made: list[Shown] = []
    for text in reading.prose:
        made.extend(
            _shown(sentence.text, reading)
            for sentence in sentences_with(cues.patterns["done"], text[:6_000], most=30)
            if not cues.has("promise", sentence.text)
        )
    for call in reading.calls:
        closes = call.action in {Action.WRITE, Action.EFFECT} or call.tests is not None
        if closes and call.outcome is Outcome.OK:
            text = f"{call.effect} {call.resource} {call.command[:200]} {call.purpose}"
            made.append(replace(_shown(text, reading), evidence=Evidence(span=reading.handle)))
    return tuple(made)


def _shown(text: str, reading: Reading) -> Shown:
    return Shown(
        topics=topic_words(text),
        evidence=Evidence(span=reading.handle, quote=text[:200].rstrip()),
        position=reading.position,
    )


def proof_of(topics: frozenset[str], position: int, shown: Sequence[Shown]) -> Shown | None:
    """The first later statement that covers most of what was promised."""
    for each in shown:
        shared = len(topics & each.topics)
        if each.position > position and shared >= 2 and shared / len(topics) >= 0.6:
            return each
    return None


def with_outcomes(
    claims: Sequence[Claim], shown: Sequence[Shown], readings: Sequence[Reading]
) -> list[Claim]:
    """New promises and questions, settled where the transcript already shows it."""
    result: list[Claim] = []
    for made in claims:
        if made.item.status is not Status.OPEN or made.item.field("state"):
            result.append(made)
        elif made.item.kind == "commitment":
            proof = proof_of(made.topics, made.position, shown)
            if proof is None:
                result.append(made)
        elif made.item.kind == "blocker":
            answer = answer_to(made.item, made.position, readings)
            if answer is None:
                result.append(made)
            else:
                result.append(settled(made, Status.ANSWERED, answer.reason, answer.evidence))
        else:
            result.append(made)
    return result


def closings(
    old: Sequence[Item], shown: Sequence[Shown], readings: Sequence[Reading]
) -> list[Operation]:
    """Open promises and questions of the record that the new spans settle."""
    made: list[Operation] = []
    for item in old:
        if not item.live or item.field("state"):
            continue
        if item.kind == "commitment":
            proof = proof_of(topic_words(item.text), item.first_seen, shown)
            if proof is not None:
                made.append(
                    Close(
                        id=item.id,
                        status=Status.DONE,
                        evidence=(proof.evidence,),
                        reason="the transcript shows it",
                    )
                )
        elif item.kind == "blocker" and (item.said_by is Speaker.AGENT or is_approval(item)):
            answer = answer_to(item, item.first_seen, readings)
            if answer is not None:
                made.append(
                    Close(
                        id=item.id,
                        status=Status.ANSWERED,
                        evidence=(answer.evidence,),
                        reason=answer.reason,
                    )
                )
    return made


def set_aside(
    old: Sequence[Item], coming: Sequence[Operation], target_tokens: int
) -> list[Operation]:
    """Close the longest unused of what the agent or a tool said, where a kind outgrows its share.

    They stay in the archive and in the record's books; what the user said never leaves this way.
    """
    gone = {i for op in coming if isinstance(op, Close) for i in (op.id,)}
    gone |= {i for op in coming if isinstance(op, Supersede) for i in op.ids}
    made: list[Operation] = []
    for kind, share in _KEPT_LIVE.items():
        most = _share_of(kind, share, target_tokens)
        new = sum(
            isinstance(op, Add | Supersede) and op.item.kind == kind and op.item.live
            for op in coming
        )
        live = [
            item
            for item in old
            if item.kind == kind
            and item.live
            and item.id not in gone
            and (item.said_by is not Speaker.USER or kind == "dead_end")
            and not item.field("state")
            and not is_approval(item)
        ]
        live.sort(key=lambda item: (item.last_used, item.value, item.id), reverse=True)
        made.extend(
            Close(
                id=item.id,
                status=Status.DONE if kind == "effect" else Status.CLOSED,
                evidence=item.evidence[:1],
                reason="set aside: not used since, still true as far as the record knows",
            )
            for item in live[max(0, most - new) :]
        )
    return made


def undone_failures(old: Sequence[Item], attempts: Sequence[Attempt]) -> list[Operation]:
    """Dead ends of the record whose command worked in the new spans."""
    made: list[Operation] = []
    for item in old:
        # What only words tell of ended well as a command already.
        told = item.kind != "dead_end" or not item.field("error")
        if told or not item.live or " → " not in item.text:
            continue
        tried = item.text.partition(" → ")[0]
        for attempt in attempts:
            call = attempt.call
            if call.outcome is Outcome.OK and call.command and _retried(tried, call.command):
                shown = Evidence(span=attempt.reading.handle)
                made.append(
                    Close(id=item.id, status=Status.CLOSED, evidence=(shown,), reason="it worked")
                )
                break
    return made


def _retried(tried: str, command: str) -> bool:
    if tried.rstrip("…") == command[: len(tried.rstrip("…"))]:
        return True
    tests = any(word in tried for word in ("test", "build", "vet", "lint", "check", "tsc"))
    return tests and program_of(tried) == program_of(command)
