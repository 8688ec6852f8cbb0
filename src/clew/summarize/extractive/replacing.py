"""New claims against what is there: what repeats, what restates, what takes another's place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from clew.record.delta import Add, Operation, Supersede
from clew.record.items import Item, Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.frames import are_two, frame_of
from clew.summarize.extractive.sentences import likeness, topic_words
from clew.summarize.extractive.updates import (
    both_hold,
    leaves_the_rule,
    may_be_one,
    of_one_sort,
    without_changed,
    without_values,
)

_SAME = 0.75
_RESTATED = 0.85
_LIKELY, _SURELY = 0.45, 0.6
_FEWEST_SHARED = 3
_CORRECTABLE = frozenset({"fact", "decision", "invariant", "commitment", "requirement"})


def says_the_same(
    one: Item, one_topics: frozenset[str], other: Item, other_topics: frozenset[str]
) -> bool:
    """Whether two items of one kind say the same, numbers included."""
    if one.kind == "environment":
        return one.field("key") == other.field("key")
    if one.text == other.text:
        return True
    if one.kind in {"effect", "job"} or likeness(one_topics, other_topics) < _SAME:
        return False
    return _numbers(one_topics) == _numbers(other_topics)


def _numbers(topics: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in topics if word[0].isdigit())


def folded(claims: Sequence[Claim], old: Sequence[Item]) -> list[Operation]:
    """Operations that bring the claims into a record with these live items."""
    pool = {item.id: (item, topic_words(item.text)) for item in old if item.live}
    fresh: list[Claim | None] = list(claims)
    replaced: dict[int, list[str]] = {}
    held_on: list[Operation] = []
    for place, made in enumerate(claims):
        if _repeats(made, pool.values()):
            fresh[place] = None
            continue
        for item in _restated_items(made, pool):
            replaced.setdefault(place, []).append(item.id)
            del pool[item.id]
        restated = _restated(made, fresh[:place])
        if restated is not None:
            fresh[place] = _resting_on(made, fresh[restated])
            fresh[restated] = None
            if before_it := replaced.pop(restated, None):
                replaced.setdefault(place, []).extend(before_it)
        if not _may_correct(made):
            continue
        target = _corrected(made, pool.values())
        if target is not None:
            del pool[target.id]
            if (rule := _still_holding(made, target)) is not None:
                held_on.append(Supersede(ids=(target.id,), item=rule, reason="a value changed"))
                continue
            replaced.setdefault(place, []).append(target.id)
            fresh[place] = replace(made, item=replace(made.item, kind=target.kind))
            continue
        earlier = _corrected_claim(made, fresh[:place])
        if earlier is not None and (before := fresh[earlier]) is not None:
            rule = _still_holding(made, before.item)
            fresh[earlier] = None if rule is None else replace(before, item=rule)
            fresh[place] = _taking_the_place(made, before) if rule is None else made
    return [*held_on, *_operations(fresh, replaced)]


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
    if not made.corrects and both_hold(made.item.text, item.text):
        return False
    words = without_values(made.topics)
    alike = len(words) >= _FEWEST_SHARED and likeness(words, without_values(topics)) >= _RESTATED
    return alike and not are_two(frame_of(made.item.text), frame_of(item.text))


def _resting_on(made: Claim, before: Claim | None) -> Claim:
    """The claim with the words that it says again in its evidence."""
    if before is None:
        return made
    evidence = (*made.item.evidence, *before.item.evidence)
    return replace(made, item=replace(made.item, evidence=evidence))


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


def _repeats(made: Claim, pool: Iterable[tuple[Item, frozenset[str]]]) -> bool:
    if made.item.kind in {"directive", "environment"}:
        return False
    return any(
        item.kind == made.item.kind and says_the_same(made.item, made.topics, item, topics)
        for item, topics in pool
    )


def _may_replace(new: Item, old: Item) -> bool:
    if new.kind == "decision" and old.kind == "fact":
        return False  # What was chosen does not say how things are.
    return old.kind in _CORRECTABLE and (
        old.said_by is not Speaker.USER or new.said_by is Speaker.USER
    )


def _match(made: Claim, item: Item, topics: frozenset[str]) -> float:
    """How likely the claim corrects this item, 0 when it does not."""
    if not made.corrects or not _may_replace(made.item, item) or item.text == made.item.text:
        return 0.0
    if leaves_the_rule(made, item):
        return 0.0
    shared = len(made.topics & topics)
    score = shared / min(len(made.topics), len(topics)) if shared else 0.0
    if made.denied and made.denied & topics:
        score += 0.3
    likely = shared >= 2 and score >= _LIKELY
    if likely and item.said_by is Speaker.USER:
        likely = may_be_one(made.item.text, item.text, surely=score >= _SURELY)
    return score if likely else 0.0


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
