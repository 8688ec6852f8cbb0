"""Reads the growing list of one session; nothing in it is parsed, hashed or counted twice."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, is_not
from typing import Any

from clew.budget.measure import Meter
from clew.ports import ArchivedMessage, Codec
from clew.repair import IN_PLACE, CallIds, Repair, Repaired, RepairKind, repair
from clew.shrink import archived
from clew.transcript import ROOT, Message, Role, chain, link

_NATIVE = attrgetter("native")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One list of messages, read.

    `messages` stand behind the `lead` of system messages, repaired; `keys` are their chain
    values. The first `stable_count` are the same as in the reading before. `tokens` is the sum
    of the messages' sizes as given. `removed` belongs into the archive, `repairs` into the report.
    `renamed` are messages as they came, by the digest of what goes out with other ids of calls.
    `given_keys` are the chain values before any repair, empty when there was none: a result that
    comes late changes what a repair had made of the list, never what was given. The first
    `given_before` messages behind the lead were given in the reading before, too.
    """

    lead: tuple[Message, ...]
    messages: Sequence[Message]
    keys: Sequence[str]
    stable_count: int
    tokens: int
    removed: tuple[ArchivedMessage, ...]
    repairs: tuple[str, ...]
    given_keys: Sequence[str] = ()
    given_before: int = 0
    renamed: Mapping[str, ArchivedMessage] = field(default_factory=dict)


class Ledger:
    """Remembers what was read of a growing list, and reads on from there.

    A caller may change an earlier message in place: the list is compared with a copy, which costs
    a fraction of a microsecond a message, and read again from the first difference.
    """

    def __init__(self, codec: Codec, meter: Meter) -> None:
        self._codec = codec
        self._meter = meter
        self._copies: list[Any] = []
        self._parsed: list[Message] = []
        self._lead: tuple[Message, ...] = ()
        self._clean = 0
        self._before: Repaired | None = None
        self._ids = CallIds(codec.format)
        self._archived: dict[str, ArchivedMessage] = {}
        self._out: list[Message] = []
        self._keys: list[str] = []
        self._tokens: list[int] = [0]
        self._last: Reading | None = None

    def read(self, messages: Sequence[Any]) -> Reading:
        """Read a list; raises InvalidTranscriptError with the place of what is no message."""
        given = messages if isinstance(messages, list) else list(messages)
        same = self._common(given)
        rebound = self._rebind(given, same)
        if same == len(given) == len(self._copies) and self._last is not None and not rebound:
            last = self._last
            before = len(self._parsed) - len(last.lead)
            return replace(last, stable_count=len(last.messages), given_before=before)
        if same < len(self._copies):
            self._forget(same)
        new = [self._codec.parse(native, same + n) for n, native in enumerate(given[same:])]
        self._copies.extend(snapshot(native) for native in given[same:])
        self._parsed.extend(new)
        for size in self._meter.count(new):
            self._tokens.append(self._tokens[-1] + size)
        arranged = self._arranged(same)
        self._last = replace(arranged, stable_count=0) if rebound else arranged
        return self._last

    def _rebind(self, given: list[Any], same: int) -> bool:
        """Equal messages in new objects: the caller gets back the objects it holds now.

        What it sent earlier may have been changed since, and is nobody's message any more.
        """
        if not any(map(is_not, map(_NATIVE, self._parsed), given[:same])):
            return False
        for index, (message, native) in enumerate(zip(self._parsed, given[:same], strict=False)):
            if message.native is not native:
                plain = native if message.plain is message.native else message.plain
                self._parsed[index] = replace(message, native=native, plain=plain)
        self._clean, self._before = 0, None
        return True

    def _common(self, given: list[Any]) -> int:
        copies = self._copies
        known = len(copies)
        if known <= len(given):
            if known == len(given) and copies == given:
                return known
            if known < len(given) and copies == given[:known]:
                return known
        for index, (old, new) in enumerate(zip(copies, given, strict=False)):
            if old != new:
                return index
        return min(known, len(given))

    def _forget(self, count: int) -> None:
        del self._copies[count:]
        del self._parsed[count:]
        del self._tokens[count + 1 :]
        self._clean, self._before = 0, None
        self._ids = CallIds(self._codec.format)

    def _arranged(self, same: int) -> Reading:
        lead_count = _lead_count(self._parsed)
        self._lead = tuple(self._parsed[:lead_count])
        behind = self._parsed[lead_count:] if lead_count else self._parsed
        self._ids.feed(behind[self._ids.count :])
        repaired = repair(behind, self._codec, self._clean, self._before, self._ids)
        stable = self._stable(repaired.messages)
        del self._keys[stable:]
        value = self._keys[-1] if self._keys else ROOT
        for message in repaired.messages[stable:]:
            value = link(value, message.digest)
            self._keys.append(value)
        self._out[:] = repaired.messages
        self._clean, self._before = _settled(behind, repaired, self._codec)
        return Reading(
            lead=self._lead,
            messages=self._out,
            keys=self._keys,
            stable_count=stable,
            tokens=self._tokens[-1] - self._tokens[lead_count],
            removed=tuple(dict.fromkeys(self._kept(repaired.removed))),
            renamed=dict(
                zip(
                    (pair.sent.digest for pair in repaired.renamed),
                    self._kept([pair.given for pair in repaired.renamed]),
                    strict=True,
                )
            ),
            repairs=_sentences(repaired.repairs),
            given_keys=chain(m.digest for m in behind) if repaired.repairs else (),
            given_before=max(0, same - lead_count),
        )

    def _kept(self, messages: Sequence[Message]) -> tuple[ArchivedMessage, ...]:
        """Messages as the archive keeps them; each is written once, however long the list grows."""
        known = self._archived
        for kept in archived(m for m in messages if m.digest not in known):
            known[kept.digest] = kept
        return tuple(known[m.digest] for m in messages)

    def _stable(self, messages: Sequence[Message]) -> int:
        out = self._out
        most = min(len(out), len(messages))
        if most == len(out) and not any(map(is_not, out, messages)):
            return most
        for index in range(most):
            if out[index] is not messages[index] and out[index].digest != messages[index].digest:
                return index
        return most


def _settled(
    given: Sequence[Message], repaired: Repaired, codec: Codec
) -> tuple[int, Repaired | None]:
    """The newest border before which all is settled, and what became of all before it.

    What comes later may be the answer to a call before it, where results may come any time; an id
    that was used before is another for good.
    """
    border = _last_border(given)
    if not repaired.repairs:
        return border, None
    settles = [r.kind in IN_PLACE for r in repaired.repairs]
    if not codec.adjacent_results and not all(settles):
        return 0, None
    left = len(repaired.messages) - (len(given) - border)
    if border == 0 or left <= 0:
        return 0, None
    behind = {id(message) for message in given[border:]}
    renamed = {id(pair.given) for pair in repaired.renamed if id(pair.given) in behind}
    pairs = zip(given[border:], repaired.messages[left:], strict=True)
    same = all(before is after or id(before) in renamed for before, after in pairs)
    if not same or any(
        r.index >= border and not settled
        for r, settled in zip(repaired.repairs, settles, strict=True)
    ):
        return 0, None
    return border, Repaired(
        messages=repaired.messages[:left],
        repairs=tuple(r for r in repaired.repairs if r.index < border),
        removed=repaired.removed,
        renamed=tuple(pair for pair in repaired.renamed if id(pair.given) not in renamed),
    )


_MOST_SENTENCES = 3


def _sentences(repairs: Sequence[Repair]) -> tuple[str, ...]:
    """What repairs did, in words; a habit of repeating ids is told by its first cases."""
    told: list[str] = []
    named = repeated = 0
    for each in repairs:
        misnamed = each.kind is RepairKind.MISNAMED_RESULT
        named += misnamed
        repeated += each.kind in IN_PLACE and not misnamed
        many = named if misnamed else repeated
        if each.kind not in IN_PLACE or many <= _MOST_SENTENCES:
            told.append(each.sentence)
    if repeated > _MOST_SENTENCES:
        told.append(f"{repeated - _MOST_SENTENCES:,} more calls got an id of their own like this")
    if named > _MOST_SENTENCES:
        told.append(
            f"{named - _MOST_SENTENCES:,} more results got the name of their call like this"
        )
    return tuple(told)


def _lead_count(messages: Sequence[Message]) -> int:
    for index, message in enumerate(messages):
        if message.role not in (Role.SYSTEM, Role.DEVELOPER):
            return index
    return len(messages)


def _last_border(messages: Sequence[Message]) -> int:
    """Where the newest exchange begins, as far as one look back can tell."""
    for index in range(len(messages) - 1, 0, -1):
        message, before = messages[index], messages[index - 1]
        if message.role is Role.USER and not message.results:
            return index
        if message.role is Role.ASSISTANT and before.role is not Role.ASSISTANT:
            return index
    return 0


def snapshot(native: Any) -> Any:
    """A copy of a native message that later changes in place do not reach; strings are shared."""
    if isinstance(native, dict):
        return {key: snapshot(value) for key, value in native.items()}
    if isinstance(native, list):
        return [snapshot(value) for value in native]
    if isinstance(native, str | int | float | bool | bytes) or native is None:
        return native
    return copy.deepcopy(native)
