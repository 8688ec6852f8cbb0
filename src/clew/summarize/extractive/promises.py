"""What became of what the agent promised: taken since, taken up by the user, or over.

Said at work, a promise is over when the agent hands over: what is left stands in its answer. Said
in an answer, it is open until the user takes it up and the agent reports back, or until the agent
has worked off two further requests.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from clew.record.delta import Close
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.acted import acted_on, is_talk_and_deals, refuses
from clew.summarize.extractive.among_agents import left_among_agents
from clew.summarize.extractive.announced import (
    Step,
    ordered_in,
    steps_of,
    still_announced,
    taken_in,
    takes,
)
from clew.summarize.extractive.choices import offered_in, passed_over
from clew.summarize.extractive.claims import Claim, call_of, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.intentions import put_off
from clew.summarize.extractive.lessons import HOLDS, lessons
from clew.summarize.extractive.progress import left_in_files
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, topic_words
from clew.summarize.extractive.stepwise import not_reached
from clew.summarize.extractive.worked_off import worked_off

SHOWN = "the transcript shows it"
HANDED_OVER = "the agent handed over since"
TAKEN_UP = "the user said to go on with it, and the agent reported back"
ANSWERED = "the user answered what it waited for, and the agent went on"
OTHERS_CHOSEN = "the user chose others of the list"
ACTED_ON = "the user answered, and the agent acted on it"
MOVED_ON = "moved on since: the agent worked off two further requests"
_REQUESTS_BEHIND = 2
_MOST_ORDERED = 12
"""Orders of steps, and checks of everything, that are kept of one stretch: the latest."""
_LONGEST_GO_AHEAD = 120
_GO_AHEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|perfect|nice|cool|alright|sounds\sgood|please)\b"
    r"[\s,.!]*)*(?:let['\u2019]?s|do\s(?:it|that|this|so|all|both)|go\b|continue|proceed|keep\sgoing|carry\son|"
    r"start\b|add\s(?:it|that)|next\b|implement\s(?:it|that))"
    r"|^\W*(?:ok(?:ay)?|yes|yeah|yep|sure|please)\W*$",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|first|instead|before|not|no|except|only)\b|n['\u2019]t\b", re.IGNORECASE
)
_BESIDES = re.compile(r"\balso\b", re.IGNORECASE)
_OFFER = re.compile(
    r"\b(?:tell\sme|let\sme\sknow|say\sthe\sword|unless\syou|if\s(?:yes|so|you)|"
    r"once\syou(?:['\u2019]ve)?|when(?:ever)?\syou(?:['\u2019]re)?|want\sme\sto|happy\sto|up\sto\syou|"
    r"if\syou['\u2019]d)\b",
    re.IGNORECASE,
)
"""What waits for a word of the user is offered, not promised."""
_HEADS = re.compile(r"\b(?:i|we)(?:['\u2019]ll)?\s(?:need|have)\sto\s*[:\uff1a]\s*$", re.IGNORECASE)
"""Ends where the list below it begins, and says nothing by itself."""
_SETS_OUT = re.compile(
    r"\b(?:i|we)(?:['\u2019](?:ll|d)\b|['\u2019]m\sgoing\sto\b|\s(?:will|would)\b)|^\W*next\b",
    re.IGNORECASE,
)
"""Says what the agent does, not only what is left."""
_WAITS = re.compile(
    r"\b(?:once|after|as\ssoon\sas|when|before\s(?:i|we)\sproceed)\b(?:\W{0,4}(?:(?:i|we|you|that|this|it|they|"
    r"those|these)(?:['\u2019](?:ve|s|re))?|the\s\w+)){0,2}\W{0,3}(?:(?:have|has|is|are|been|get|got)\s)*"
    r"(?:confirm\w*|provid\w*|receiv\w*|approv\w*|answer\w*|repl\w*|agree\w*|decid\w*|cho(?:se|ose|sen)|"
    r"picked?|have\s(?:this|that|these|those|it|them|your)|know)\b",
    re.IGNORECASE,
)
"""Waits for what the user was asked for."""
_TITLE = re.compile(r"^\W*(?P<title>[^:\u2014\n]{3,80}?)(?:\*\*)?(?::|\s[\u2014\u2013-])\s")
_COVERED = 0.6
_FEWEST_SHARED = 2


@dataclass(frozen=True, slots=True)
class _Run:
    """The exchanges of a stretch and what follows it, and where the agent handed over in them."""

    readings: Sequence[Reading]
    places: dict[str, int]
    ends: list[int]
    deals_only: bool

    def next_end(self, place: int) -> int | None:
        """The first hand-over behind a place."""
        found = bisect_right(self.ends, place)
        return self.ends[found] if found < len(self.ends) else None

    def end_from(self, place: int) -> int | None:
        """The first hand-over at a place or behind it."""
        return self.next_end(place - 1)


def _run(readings: Sequence[Reading]) -> _Run:
    followers = [*readings[1:], None][: len(readings)]
    ends = [
        place
        for place, (reading, after) in enumerate(zip(readings, followers, strict=True))
        if reading.finished and (after is None or after.typed or reading.calls)
    ]
    deals = is_talk_and_deals(readings)
    return _Run(readings, {r.handle: place for place, r in enumerate(readings)}, ends, deals)


def with_outcomes(
    claims: Sequence[Claim],
    readings: Sequence[Reading],
    later: Sequence[Reading],
    handed_over: frozenset[str],
    cues: Cues,
) -> list[Claim]:
    """The claims with what else was promised in these readings, each as it stands at their end.

    `later` are the readings behind these, `handed_over` the spans in which the agent handed over.
    """
    run = _run([*readings, *later])
    promised = [_is_promise(each.item) for each in claims]
    beside = Counter(_span(each.item) for each in compress(claims, promised))
    made: list[Claim] = []
    for each, is_promise in zip(claims, promised, strict=True):
        if not is_promise:
            made.append(each)
        # What an answer sets out to list below it stands there.
        elif not (_is_offer(each.item.text) or _heads(each.item, handed_over)):
            made.append(_became(each, run, beside[_span(each.item)], handed_over, cues))
    made.extend(left_in_files(readings, cues))
    made.extend(lessons(readings))
    made.extend(
        _answered(each, run)
        for each in put_off(readings, later, handed_over)
        if not _is_offer(each.item.text)
    )
    for each, steps in still_announced(readings, handed_over, cues):
        made.append(_taken(each, steps, run, len(readings)))
    made.extend(not_reached(readings, later, handed_over, cues))
    made.extend(left_among_agents(readings))
    made.extend(worked_off(readings, later, handed_over, cues))
    ordered = [each for reading in readings for each in ordered_in(reading, cues)]
    made.extend(_became(each, run, 1, handed_over, cues) for each in ordered[-_MOST_ORDERED:])
    return _each_once(made)


def _each_once(claims: Sequence[Claim]) -> list[Claim]:
    """The claims without a promise that says what another one of its exchange holds."""
    said: dict[tuple[str, str], Claim] = {}
    kept: list[Claim] = []
    for each in claims:
        key = (_span(each.item), each.item.text) if each.item.kind == "commitment" else None
        if key is None or key not in said:
            kept.append(each)
        if key is not None:
            said.setdefault(key, each)
    return kept


def _is_offer(text: str) -> bool:
    """Whether a sentence waits for a word of the user, or only heads what stands below it."""
    return _OFFER.search(text) is not None or (text.startswith("**") and text.endswith("**"))


def _heads(item: Item, handed_over: frozenset[str]) -> bool:
    """Whether a sentence of an answer only heads what stands below it."""
    return _span(item) in handed_over and _HEADS.search(item.text) is not None


def _is_promise(item: Item) -> bool:
    """Whether an item is a promise that the agent made in its own words, not an entry of a plan."""
    if item.kind != "commitment" or item.status is not Status.OPEN:
        return False
    return item.said_by is Speaker.AGENT and not (item.field("state") or item.field(HOLDS))


def _span(item: Item) -> str:
    return item.evidence[0].span


def _became(
    promised: Claim, run: _Run, beside: int, handed_over: frozenset[str], cues: Cues
) -> Claim:
    place = run.places.get(_span(promised.item))
    if place is None:
        return promised
    if _span(promised.item) in handed_over:
        return _taken_up(promised, run, place, cues, alone=beside == 1)
    steps = steps_of(promised.item.text, cues)
    start = place + 1 if _BESIDES.search(promised.item.text) else place
    found = _taken(promised, steps, run, start) if steps else promised
    end = run.next_end(place)
    if found is promised and end is not None:
        shown = Evidence(span=run.readings[end].handle)
        return settled(promised, Status.CLOSED, HANDED_OVER, shown)
    return found


def _taken(promised: Claim, steps: tuple[Step, ...], run: _Run, start: int) -> Claim:
    """The promise, done where calls took all its steps before the agent handed over."""
    left = steps
    for place in range(start, len(run.readings)):
        taken = taken_in(run.readings[place])
        left = tuple(step for step in left if not takes(step, taken))
        if not left:
            return settled(promised, Status.DONE, SHOWN, call_of(run.readings[place]))
    return promised


def _taken_up(promised: Claim, run: _Run, place: int, cues: Cues, *, alone: bool) -> Claim:
    """A promise of an answer, done where the user said to go on and the agent reported back.

    Of several in one answer, and behind another request, those are done that the report or the
    calls before it are about. What the agent set out to do is over behind further requests.
    """
    if (chosen := _others_chosen(promised, run, place)) is not None:
        return settled(promised, Status.CLOSED, OTHERS_CHOSEN, chosen)
    if not (waited := _answered(promised, run, place)).item.live:
        return waited
    if (acted := _acted_on(promised, run, place, cues)) is not None:
        return settled(promised, Status.CLOSED, ACTED_ON, acted)
    worked_off: list[int] = []
    for asked in range(place + 1, len(run.readings)):
        end = run.end_from(asked) if run.readings[asked].typed else None
        if end is None or end in worked_off:
            continue
        behind = run.readings[asked : end + 1]
        if not any(reading.calls for reading in behind):
            continue
        shown = Evidence(span=run.readings[end].handle)
        only_one = alone and not worked_off
        if _goes_ahead(run.readings[asked].typed[-1]) and (only_one or _is_about(promised, behind)):
            return settled(promised, Status.DONE, TAKEN_UP, shown)
        worked_off.append(end)
        if len(worked_off) == _REQUESTS_BEHIND and _SETS_OUT.search(promised.item.text):
            return settled(promised, Status.CLOSED, MOVED_ON, None)
    return promised


def _answered(promised: Claim, run: _Run, at: int | None = None) -> Claim:
    """The promise, over where it waited for an answer of the user, who gave it since."""
    place = run.places.get(_span(promised.item)) if at is None else at
    if not promised.item.live or place is None or not _WAITS.search(promised.item.text):
        return promised
    went = _went_on(run, place)
    if went is None:
        return promised
    return settled(promised, Status.CLOSED, ANSWERED, Evidence(span=went.handle))


def _went_on(run: _Run, place: int) -> Reading | None:
    """What the agent handed over next, behind a message of the user that turns nothing down."""
    behind = enumerate(run.readings[place + 1 :], place + 1)
    asked = next((n for n, each in behind if each.typed and not refuses(each)), None)
    end = run.end_from(asked) if asked is not None else None
    return run.readings[end] if end is not None else None


def _others_chosen(promised: Claim, run: _Run, place: int) -> Evidence | None:
    """The answer of the user that picks other entries of the list in which this one stands."""
    answer = next((r for r in run.readings[place + 1 :] if r.typed), None)
    if place < 0 or answer is None:
        return None
    said = answer.typed[-1].strip()
    for entry in passed_over(said, offered_in(run.readings[place])):
        if entry.replace("**", "").startswith(promised.item.text):
            return Evidence(span=answer.handle, quote=said)
    return None


def _acted_on(promised: Claim, run: _Run, place: int, cues: Cues) -> Evidence | None:
    """What the agent did once the user had answered the question with which a promise was given."""
    if place < 0:
        return None
    behind = run.readings[place + 1 :]
    found = acted_on(promised, run.readings[place], behind, cues, deals_only=run.deals_only)
    return call_of(found) if found is not None else None


def closings(old: Sequence[Item], readings: Sequence[Reading], cues: Cues) -> list[Close]:
    """Closes promises of the record that the user took up, or that are over, in these exchanges."""
    run = _run(readings)
    left = [item for item in old if item.live and _is_promise(item) and item.evidence]
    beside = Counter(map(_span, left))
    made: list[Close] = []
    for item in left:
        if item.field("file") or _span(item) in run.places:
            continue
        held = Claim(item=item, topics=topic_words(item.text))
        after = _taken_up(held, run, -1, cues, alone=beside[_span(item)] == 1).item
        if not after.live:
            shown = after.evidence[-1:]
            made.append(Close(id=item.id, status=after.status, evidence=shown, reason=after.reason))
    return made


def _goes_ahead(text: str) -> bool:
    said = text.strip()
    return (
        len(said) <= _LONGEST_GO_AHEAD
        and _GO_AHEAD.match(said) is not None
        and _BUT.search(said) is None
    )


def _is_about(promised: Claim, readings: Sequence[Reading]) -> bool:
    titled = _TITLE.match(promised.item.text)
    topics = topic_words(titled["title"]) if titled is not None else promised.topics
    said = topic_words(readings[-1].prose[-1]) if readings[-1].prose else frozenset()
    shared = len(topics & said)
    return shared >= _FEWEST_SHARED and containment(topics, said) >= _COVERED
