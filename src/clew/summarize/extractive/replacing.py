"""New claims against what is there: what repeats, what restates, what takes another's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.record.delta import Add, Operation, Supersede
from clew.record.items import Item, Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.frames import are_two, frame_of
from clew.summarize.extractive.sentences import likeness, topic_words
from clew.summarize.extractive.shelf import Shelf
from clew.summarize.extractive.updates import (
    both_hold,
    leaves_the_rule,
    may_be_one,
    of_one_sort,
    without_changed,
    without_values,
)

SAME = 0.75
SAID_ONE_WAY = frozenset({"environment", "effect", "job"})
"""Kinds of which nobody says the same in other words."""
_RESTATED = 0.85
_LIKELY, _SURELY = 0.45, 0.6
_FEWEST_SHARED = 3
_CORRECTABLE = frozenset({"fact", "decision", "invariant", "commitment", "requirement"})


def says_the_same(
    one: Item, one_topics: frozenset[str], other: Item, other_topics: frozenset[str]
) -> bool:
    """Whether two items of one kind say the same, numbers included."""
    if wording_of(one) == wording_of(other):
        return True
    return one.kind not in SAID_ONE_WAY and share_their_words(one_topics, other_topics)


def wording_of(item: Item) -> str:
    """What two items of one kind say the same by, whatever their words are about."""
    return item.field("key") if item.kind == "environment" else item.text


def share_their_words(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements have most topic words in common, and all numbers."""
    return likeness(one, other) >= SAME and not any(word[0].isdigit() for word in one ^ other)


def folded(claims: Sequence[Claim], old: Sequence[Item]) -> list[Operation]:
    """Operations that bring the claims into a record with these live items."""
    pool, earlier = Shelf(), Shelf()
    for number, item in enumerate(each for each in old if each.live):
        pool.put(number, item, topic_words(item.text))
    fresh: list[Claim | None] = list(claims)
    replaced: dict[int, list[str]] = {}
    held_on: list[Operation] = []
    for place, made in enumerate(claims):
        before = _placed(place, made, fresh, replaced, held_on, pool, earlier)
        for changed in (*before, place):
            claim = fresh[changed]
            if claim is None:
                earlier.take(changed)
            else:
                earlier.put(changed, claim.item, claim.topics)
    return [*held_on, *_operations(fresh, replaced)]


def _placed(
    place: int,
    made: Claim,
    fresh: list[Claim | None],
    replaced: dict[int, list[str]],
    held_on: list[Operation],
    pool: Shelf,
    earlier: Shelf,
) -> list[int]:
    """Bring one claim in; returns the places of earlier ones that it changed."""
    if _repeats(made, pool):
        fresh[place] = None
        return []
    for key in _restated_in(made, pool):
        replaced.setdefault(place, []).append(pool[key][0].id)
        pool.take(key)
    changed = _restated_in(made, earlier)[:1]
    for again in changed:
        fresh[place] = _resting_on(made, fresh[again])
        fresh[again] = None
        earlier.take(again)
        if before_it := replaced.pop(again, None):
            replaced.setdefault(place, []).extend(before_it)
    if not _may_correct(made):
        return changed
    target = _corrected(made, pool)
    if target is not None:
        was = pool[target][0]
        pool.take(target)
        if (rule := _still_holding(made, was)) is not None:
            held_on.append(Supersede(ids=(was.id,), item=rule, reason="a value changed"))
            return changed
        replaced.setdefault(place, []).append(was.id)
        fresh[place] = replace(made, item=replace(made.item, kind=was.kind))
        return changed
    return [*changed, *_put_in_place(place, made, fresh, earlier)]


def _put_in_place(place: int, made: Claim, fresh: list[Claim | None], earlier: Shelf) -> list[int]:
    """Let a claim take the place of the earlier one that it corrects; returns that one's place."""
    corrected = _corrected(made, earlier)
    before = fresh[corrected] if corrected is not None else None
    if corrected is None or before is None:
        return []
    rule = _still_holding(made, before.item)
    fresh[corrected] = None if rule is None else replace(before, item=rule)
    fresh[place] = _taking_the_place(made, before) if rule is None else made
    return [corrected]


def _operations(
    fresh: Sequence[Claim | None], replaced: Mapping[int, list[str]]
) -> list[Operation]:
    return [
        Supersede(ids=tuple(replaced[place]), item=made.item, reason="corrected")
        if place in replaced
        else Add(item=made.item)
        for place, made in enumerate(fresh)
        if made is not None
    ]


def _still_holding(made: Claim, old: Item) -> Item | None:
    """A rule of a person whose value alone a later statement gives anew: the rule stays.

    None when the later one is a rule too, or where nobody can tell what of the rule is over.
    """
    said = old.said_by is Speaker.USER and made.item.said_by is Speaker.USER
    if not said or old.kind != "invariant" or made.item.kind == "invariant":
        return None
    text = without_changed(old.text, made.item.text)
    return replace(old, id="", text=text) if text else None


def _may_correct(made: Claim) -> bool:
    """Whether a claim says that it takes something back, or a person tells how things are."""
    told = made.item.said_by is Speaker.USER and made.item.kind in {"fact", "invariant"}
    return (made.corrects or told) and made.item.kind in _CORRECTABLE


def _restated_in(made: Claim, held: Shelf) -> list[int]:
    """Keys of the statements of a person that this one says again with other values."""
    if made.item.said_by is not Speaker.USER or made.item.kind not in {"fact", "invariant"}:
        return []
    words = without_values(made.topics)
    return [key for key in held.alike(words, _RESTATED) if _restates(made, words, *held[key])]


def _restates(made: Claim, words: frozenset[str], item: Item, topics: frozenset[str]) -> bool:
    """Whether a person says the same again with other numbers: the newest value holds."""
    if item.said_by is not Speaker.USER or made.item.kind != item.kind:
        return False
    if len(words) < _FEWEST_SHARED or likeness(words, without_values(topics)) < _RESTATED:
        return False
    if not made.corrects and both_hold(made.item.text, item.text):
        return False
    return not are_two(frame_of(made.item.text), frame_of(item.text))


def _resting_on(made: Claim, before: Claim | None) -> Claim:
    """The claim with the words that it says again in its evidence."""
    if before is None:
        return made
    evidence = (*made.item.evidence, *before.item.evidence)
    return made.of(made.item.changed(evidence=evidence))


def _taking_the_place(made: Claim, before: Claim) -> Claim:
    was = before.item.evidence[0]
    item = replace(
        made.item,
        kind=before.item.kind,
        # A person's own old words stay in the evidence: shown, they read as if they still held.
        why=made.item.why
        or ("" if made.item.said_by is Speaker.USER else f"before: {was.quote[:160]}"),
        evidence=(*made.item.evidence, *before.item.evidence),
    )
    return replace(made, item=item)


def _repeats(made: Claim, pool: Shelf) -> bool:
    if made.item.kind in {"directive", "environment"}:
        return False
    near = pool.same(made.item.text) | set(pool.alike(made.topics, SAME))
    return any(
        item.kind == made.item.kind and says_the_same(made.item, made.topics, item, topics)
        for item, topics in (pool[key] for key in near)
    )


def _may_replace(new: Item, old: Item) -> bool:
    if new.kind == "decision" and old.kind == "fact":
        return False  # What was chosen does not say how things are.
    if old.kind == "commitment" and not old.live:
        return False  # What was promised and is over needs no correction.
    return old.kind in _CORRECTABLE and (
        old.said_by is not Speaker.USER or new.said_by is Speaker.USER
    )


def _match(made: Claim, item: Item, topics: frozenset[str]) -> float:
    """How likely the claim corrects this item, 0 when it does not."""
    if not made.corrects or not _may_replace(made.item, item) or item.text == made.item.text:
        return 0.0
    shared = len(made.topics & topics)
    score = shared / min(len(made.topics), len(topics)) if shared else 0.0
    if made.denied and made.denied & topics:
        score += 0.3
    likely = shared >= 2 and score >= _LIKELY and not leaves_the_rule(made, item)
    if likely and item.said_by is Speaker.USER:
        likely = may_be_one(made.item.text, item.text, surely=score >= _SURELY)
    return score if likely else 0.0


def _corrected(made: Claim, held: Shelf) -> int | None:
    """The key of what a claim corrects; of several as likely the last used, then the latest.

    Claims that are in no record yet were not used.
    """
    scored = []
    for key in held.sharing(made.topics) if made.corrects else ():
        item, topics = held[key]
        if (score := _match(made, item, topics)) > 0:
            used = item.last_used if item.id else 0
            scored.append((score, used, item.id, key))
    if scored:
        return max(scored)[3]
    if made.item.said_by is not Speaker.USER or not frame_of(made.item.text).values:
        return None
    near = held.named_alike(made.item.text)
    place = of_one_sort(made, [held[key] for key in near])
    return near[place] if place is not None else None
