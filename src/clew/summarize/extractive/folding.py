"""New claims meet the record: what is new, what repeats, what corrects, what is settled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from clew.record.aside import SET_ASIDE
from clew.record.delta import Add, Close, Operation, Supersede
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.actions import Attempt, program_of
from clew.summarize.extractive.announced import change_said
from clew.summarize.extractive.answers import answer_to, is_approval
from clew.summarize.extractive.claims import Claim, resting_on, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.lessons import HOLDS
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.replacing import SAID_ONE_WAY, SAME, share_their_words, wording_of
from clew.summarize.extractive.sentences import (
    sentences_with,
    topic_words,
)
from clew.tools_seen.seen import Action, Outcome

MOST_PER_KIND = {
    "fact": 16, "decision": 14, "dead_end": 24, "commitment": 12, "invariant": 16, "blocker": 4,
    "environment": 30, "effect": 10, "job": 6,
}  # fmt: skip
_KEPT_LIVE = {"decision": 0.5, "dead_end": 1.0, "effect": 1.0, "commitment": 1.0, "blocker": 0.5}
_TOKENS_PER_LIVE_ITEM = 420
_DEAD_ENDS_FROM, _TOKENS_PER_DEAD_END = 500, 300
"""One in a record of 900 tokens, five in one of 2,000: trouble has more ways that failed than
choices that were made, but in a small record each takes the place of several names."""
_SURE = 3.0
"""The rank of a choice that is stated as one and gives its reason, or names what it is about."""
_UNSURE_SHARE = 0.5
MOST_AT_ALL = {"effect": 60, "fact": 32, "decision": 32}
"""What one stretch keeps at all of kinds whose items beyond their room are settled as set aside:
what was done to the world stays in the books, and what a long stretch found and chose behind a
recall."""
_LIGHT_EFFECTS_FROM = 1_200
"""From what record target on an installation or a deleted file has a place of its own."""
_BEHIND_RECALL = frozenset({"decision", "dead_end", "commitment"})


_WRITES = re.compile(
    r"\b(?:create|write|add|generate|make|draft|put|produce|implement)\b[^.!?\n]{0,60}?[\w-]\.\w",
    re.IGNORECASE,
)
_FILE = re.compile(r"(?<![\w.])[\w./-]*\w\.(?!g\b|e\b)[A-Za-z]\w{0,5}\b(?!\()")
_SEPARATOR = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A statement or success that may settle a promise: its topic words and where it stands."""

    topics: frozenset[str]
    evidence: Evidence
    position: int
    written: str = ""


def distinct(claims: Iterable[Claim], target_tokens: int = 0) -> list[Claim]:
    """The claims without near-duplicates, the surest of each kind, in transcript order.

    A record that has to stay small (`target_tokens`, 0 for any size) sets the less sure choices,
    failures and promises aside: they are behind a recall, and take no room.
    """
    by_kind: dict[str, list[Claim]] = {}
    for made in claims:
        by_kind.setdefault(made.item.kind, []).append(made)
    kept: list[Claim] = []
    for kind, members in by_kind.items():
        kept.extend(members if kind == "directive" else _distinct_of(kind, members, target_tokens))
    return sorted(kept, key=lambda c: c.position)


def _distinct_of(kind: str, members: Sequence[Claim], target_tokens: int) -> list[Claim]:
    """The same of one kind, the surest first."""
    small = 0 < target_tokens < _LIGHT_EFFECTS_FROM
    most, most_at_all = MOST_PER_KIND.get(kind, 20), MOST_AT_ALL.get(kind, 0)
    room, room_if_unsure = (_live(kind, target_tokens, each) for each in (1.0, _UNSURE_SHARE))
    chosen = _Chosen()
    # What is over already comes last, and has a share of its own.
    over = [made for made in members if not made.item.live]
    standing = [made for made in members if made.item.live]
    for made in sorted(standing, key=lambda c: (-c.rank, -c.position)):
        # What a person said is never too much; their reports of failures stand as messages too.
        count = len(chosen.claims)
        spoken = made.item.said_by is Speaker.USER and kind != "dead_end"
        if count >= most and not spoken and count >= most_at_all:
            continue
        alike = chosen.alike(made)
        if alike is not None and kind == "dead_end":
            chosen.claims[alike] = resting_on(chosen.claims[alike], made)
        elif alike is None:
            unsure = kind == "decision" and made.rank < _SURE
            beyond = kind in _BEHIND_RECALL and count >= (room_if_unsure if unsure else room)
            beyond = beyond or (kind == "effect" and made.rank <= 0 and small)
            chosen.put(_aside(made) if (beyond or count >= most) and not spoken else made)
    return [*chosen.claims, *(made for made in over if chosen.alike(made) is None)]


class _Chosen:
    """Distinct claims of one kind, by what they say."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self._places: dict[str, int] = {}

    def put(self, made: Claim) -> None:
        """Choose one more."""
        self._places.setdefault(wording_of(made.item), len(self.claims))
        self.claims.append(made)

    def alike(self, made: Claim) -> int | None:
        """The place of the first claim that says the same."""
        place = self._places.get(wording_of(made.item))
        if made.item.kind in SAID_ONE_WAY:
            return place
        topics = made.topics
        # Who has far more words, or far fewer, cannot share enough of them.
        fewest, most = len(topics) * SAME, len(topics) / SAME
        for at, each in enumerate(self.claims[:place]):
            other = each.topics
            if not fewest <= len(other) <= most or topics.isdisjoint(other):
                continue
            if share_their_words(topics, other):
                return at
        return place


def told_once(
    claims: Sequence[Claim], concluded: Sequence[Claim], target_tokens: int = 0
) -> list[Claim]:
    """The distinct claims, without findings of the agent that say again what another one says.

    What stands as a choice is no fact as well, nor what was `concluded` and opens the account of a
    failure.
    """
    said = distinct([c for c in claims if c.item.kind != "fact"], target_tokens)
    chosen: dict[str, list[str]] = {}
    for made in said:
        if made.item.kind == "decision":
            chosen.setdefault(_span_of(made), []).extend((made.item.text, made.item.why))
    failed = {
        text for c in said if c.item.kind == "dead_end" for text in (_quote_of(c), c.item.why)
    }
    facts = [
        *(c for c in claims if c.item.kind == "fact"),
        *(c for c in concluded if not any(t.startswith(c.item.text) for t in failed)),
    ]
    left = _longest([c for c in facts if not _is_chosen(c, chosen)])
    return sorted([*said, *distinct(left, target_tokens)], key=lambda c: c.position)


def _longest(facts: Sequence[Claim]) -> list[Claim]:
    """The facts without those of which another one of the same exchange holds every word."""
    by_span: dict[str, list[str]] = {}
    for made in facts:
        by_span.setdefault(_span_of(made), []).append(made.item.text)
    return [
        made
        for made in facts
        if not any(
            made.item.text in text and made.item.text != text for text in by_span[_span_of(made)]
        )
    ]


def _span_of(made: Claim) -> str:
    return made.item.evidence[0].span if made.item.evidence else ""


def _quote_of(made: Claim) -> str:
    return made.item.evidence[0].quote if made.item.evidence else ""


def _is_chosen(made: Claim, chosen: Mapping[str, Sequence[str]]) -> bool:
    """Whether a finding of the agent stands in a choice of the same exchange."""
    own = made.item.said_by is Speaker.AGENT
    return own and any(made.item.text in text for text in chosen.get(_span_of(made), ()))


def _live(kind: str, target_tokens: int, share: float) -> int:
    """How many new items of a kind are to be shown."""
    most = MOST_PER_KIND.get(kind, 20)
    return min(most, _share_of(kind, share, target_tokens)) if target_tokens else most


def _aside(made: Claim) -> Claim:
    if made.item.kind == "effect":
        reason = f"{SET_ASIDE}: later ones fill its room, still true as far as the record knows"
        return settled(made, Status.DONE, reason, None)
    return settled(made, Status.CLOSED, f"{SET_ASIDE}: surer ones fill its room", None)


def _share_of(kind: str, share: float, target_tokens: int) -> int:
    """How many items of a kind a record of this size carries."""
    if kind == "dead_end":
        return max(1, round((target_tokens - _DEAD_ENDS_FROM) / _TOKENS_PER_DEAD_END))
    fewest = 1 if kind == "decision" else 2
    return max(fewest, round(share * target_tokens / _TOKENS_PER_LIVE_ITEM))


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
            file = call.resource if call.action is Action.WRITE else ""
            done = replace(_shown(text, reading), evidence=Evidence(span=reading.handle))
            made.append(replace(done, written=_SEPARATOR.split(file)[-1]))
    if any(shown.written for shown in made) and (said := change_said(reading, cues)):
        made.append(replace(_shown(said, reading), evidence=Evidence(span=reading.handle)))
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


def written_since(text: str, position: int, shown: Sequence[Shown]) -> Shown | None:
    """The later write of the one file that a promise says will be written."""
    promised = _WRITES.search(text)
    files = {name.rsplit("/", 1)[-1] for name in _FILE.findall(text)}
    if promised is None or len(files) != 1:
        return None
    (name,) = files
    return next((s for s in shown if s.position > position and s.written == name), None)


def with_outcomes(
    claims: Sequence[Claim], shown: Sequence[Shown], readings: Sequence[Reading]
) -> list[Claim]:
    """New promises and questions, settled where the transcript already shows it."""
    result: list[Claim] = []
    for made in claims:
        if made.item.status is not Status.OPEN or made.item.field("state"):
            result.append(made)
        elif made.item.kind == "commitment":
            proof = proof_of(made.topics, made.position, shown) or written_since(
                made.item.text, made.position, shown
            )
            if proof is None:
                result.append(made)
            else:
                kept = "the transcript shows it"
                result.append(settled(made, Status.DONE, kept, proof.evidence))
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
) -> list[Close]:
    """Open promises and questions of the record that the new spans settle."""
    made: list[Close] = []
    for item in old:
        if not item.live or item.field("state") or item.field(HOLDS):
            continue
        if item.kind == "commitment":
            proof = proof_of(topic_words(item.text), item.first_seen, shown) or written_since(
                item.text, item.first_seen, shown
            )
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
                reason=f"{SET_ASIDE}: not used since, still true as far as the record knows",
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
