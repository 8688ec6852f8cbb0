"""Recorded conversations with questions, as native messages, and what answers each question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADVERSARIAL = 5
"""Questions of this category have no answer in the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the places (from 0) of the messages that answer it."""

    text: str
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Texts of the messages in order, who of two speaks each, and the questions."""

    name: str
    texts: tuple[str, ...]
    roles: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def messages(self) -> list[dict[str, str]]:
        """Native messages: one speaker is the user, the other the assistant."""
        return [
            {"role": role, "content": text}
            for role, text in zip(self.roles, self.texts, strict=True)
        ]


def conversation(name: str, entry: dict[str, Any]) -> Conversation:
    """One entry of a LoCoMo file; a message is `[date] speaker: text`, as a chat would keep it."""
    spoken = entry["conversation"]
    places: dict[str, int] = {}
    texts: list[str] = []
    roles: list[str] = []
    number = 1
    while f"session_{number}" in spoken:
        when = spoken[f"session_{number}_date_time"]
        for line in spoken[f"session_{number}"]:
            places[line["dia_id"]] = len(texts)
            texts.append(f"[{when}] {line['speaker']}: {line['text']}")
            roles.append("user" if line["speaker"] == spoken["speaker_a"] else "assistant")
        number += 1
    questions = []
    for asked in entry["qa"]:
        known = frozenset(places[name] for name in asked["evidence"] if name in places)
        if asked["category"] != ADVERSARIAL and known:
            questions.append(Question(text=asked["question"], evidence=known))
    return Conversation(
        name=name, texts=tuple(texts), roles=tuple(roles), questions=tuple(questions)
    )


def conversations(path: Path) -> list[Conversation]:
    """Every conversation of a LoCoMo file."""
    return [
        conversation(entry["sample_id"], entry)
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]


def invented(count: int = 60) -> Conversation:
    """A small conversation for the quick form: each thing said once, asked in other words."""
    things = ("kettle", "harbour", "violin", "orchard", "lantern", "compass")
    texts, roles, questions = [], [], []
    for n in range(count):
        thing = f"{things[n % len(things)]} number {n}"
        role = "user" if n % 2 == 0 else "assistant"
        texts.append(f"{'Ann' if n % 2 == 0 else 'Ben'}: yesterday I painted the {thing}.")
        roles.append(role)
        if n % 3 == 0:
            questions.append(Question(text=f"Who was painting {thing}?", evidence=frozenset([n])))
    return Conversation(
        name="invented", texts=tuple(texts), roles=tuple(roles), questions=tuple(questions)
    )
