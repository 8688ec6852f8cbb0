"""Chats of our own in everyday words: no headers, other subjects, updates that name no old value.

Written before any of them was played; the view was still worked on after that. Each session tells
twelve things, changes four of them, and keeps two pairs of things that only look alike.
"""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.suites.measuring import CharacterCounter, Message, text_of, tight_budget

_SMALL_TALK = (
    "The build of the docs takes about as long as it did last week.",
    "Somebody reorganised the wiki, so links in old tickets may be dead.",
    "I looked at the dashboard this morning and it was all quiet.",
    "The new laptops arrived, setting them up will take the afternoon.",
    "There is a talk about observability on the third floor today.",
    "Lunch was late because the delivery went to the other office.",
    "The color of the login page is being discussed by the designers.",
    "We had a short outage of the coffee machine.",
)
_ACKNOWLEDGED = ("Got it.", "Noted.", "Okay.", "Understood.")
BUDGETS = (0.20, 0.30)
SEEDS = (31, 32, 33, 34)


@dataclass(frozen=True, slots=True)
class Told:
    """A statement, the words it must keep, and for an update the words that are over."""

    text: str
    keep: tuple[str, ...]
    over: tuple[str, ...] = ()


def _letters(draw: random.Random, n: int) -> str:
    return "".join(draw.choice(string.ascii_lowercase) for _ in range(n))


def told_in(seed: int) -> tuple[list[str], list[Told]]:
    """The user's statements in order, and what has to stand at the end."""
    draw = random.Random(seed)
    room = f"{draw.choice('BCDE')}{draw.randrange(101, 499)}"
    host, other_host = (f"{_letters(draw, 6)}.example.net" for _ in range(2))
    people = [f"{_letters(draw, 5).title()} {_letters(draw, 6).title()}" for _ in range(4)]
    tickets = [f"OPS-{draw.randrange(1000, 9999)}" for _ in range(2)]
    old_price, new_price = draw.randrange(120, 480), draw.randrange(520, 990)
    old_day, new_day = draw.sample(["Monday", "Tuesday", "Thursday", "Friday"], 2)
    days = draw.randrange(31, 90)
    old_tag, new_tag = (f"v{draw.randrange(2, 9)}.{draw.randrange(10, 99)}.0" for _ in range(2))
    bucket, shard = f"{_letters(draw, 5)}-{draw.randrange(10, 99)}", draw.randrange(12, 60)
    plain = [
        Told(f"Customer mails must not be forwarded outside the team, {people[0]} was clear.",
             ("outside the team", people[0])),
        Told(f"Invoices are kept for {days} days, after that they are deleted for good.",
             (f"{days} days",)),
        Told(f"The exports land in the bucket {bucket}.", (bucket,)),
        Told(f"The primary lives on {host}.", (host, "primary")),
        Told(f"The replica lives on {other_host}.", (other_host, "replica")),
        Told(f"Backups of shard {shard} are broken, see {tickets[0]}.", (str(shard), tickets[0])),
        Told(f"We meet in room {room} for reviews.", (room,)),
        Told(f"Never restart the broker while {tickets[1]} is open.", ("broker", tickets[1])),
    ]  # fmt: skip
    changed = [
        (f"A seat costs us {old_price} euros a year.",
         Told(f"They raised it: a seat is {new_price} euros now.", (f"{new_price} euros",),
              (f"{old_price} euros",))),
        (f"The release goes out every {old_day}.",
         Told(f"From now on the release goes out on {new_day}.", (new_day,), (old_day,))),
        (f"{people[1]} signs off on the schema.",
         Told(f"{people[2]} has taken over and signs off on the schema now.", (people[2],),
              (people[1],))),
        (f"Production runs {old_tag} of the gateway.",
         Told(f"We now run {new_tag} of the gateway in production.", (new_tag,), (old_tag,))),
    ]  # fmt: skip
    early = [one.text for one in plain[:4]] + [old for old, _ in changed]
    late = [one.text for one in plain[4:]] + [new.text for _, new in changed]
    draw.shuffle(early)
    draw.shuffle(late)
    return early + late, [*plain, *(new for _, new in changed)]


def chat(seed: int) -> list[Message]:
    """The statements among small talk, each with a short word of the agent."""
    draw = random.Random(seed + 1)
    messages: list[Message] = []
    for said in told_in(seed)[0]:
        for text in (*draw.sample(_SMALL_TALK, 3), said):
            messages += [
                {"role": "user", "content": text},
                {"role": "assistant", "content": draw.choice(_ACKNOWLEDGED)},
            ]
    return messages


def rows() -> list[dict[str, Any]]:
    """By budget: what survived, and of the updates how many stand without what they replaced."""
    sessions = [(chat(seed), told_in(seed)[1]) for seed in SEEDS]
    return [row_of(sessions, budget) for budget in BUDGETS]


def row_of(sessions: Sequence[tuple[list[Message], list[Told]]], budget: float) -> dict[str, Any]:
    """What stands of the sessions when each is held to a share of its characters."""
    row = {"budget": budget, "kept": 0, "of": 0, "updates": 0, "latest": 0, "resolved": 0,
           "stale": 0, "size": 0.0}  # fmt: skip
    for messages, told in sessions:
        text, share = held_to(messages, budget)
        row["size"] += share / len(sessions)
        for one in told:
            kept = all(word in text for word in one.keep)
            row["of"] += 1
            row["kept"] += kept
            if one.over:
                stale = any(word in text for word in one.over)
                row["updates"] += 1
                row["latest"] += kept
                row["stale"] += stale
                row["resolved"] += kept and not stale
    return row


def held_to(messages: list[Message], budget: float) -> tuple[str, float]:
    """The compacted context as text, and its share of the whole; the whole where it cannot fit."""
    import clew

    whole = text_of(messages)
    try:
        context = clew.compact(
            messages,
            tight_budget(int(len(whole) * budget), messages),
            counter=CharacterCounter(),
            format="openai-chat",
        )
    except clew.FloorExceededError:
        return whole, 1.0
    text = text_of(context.messages)
    return text, len(text) / len(whole)
