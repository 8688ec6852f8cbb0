"""Recorded sessions as steps: what the agent wrote, what persons wrote, what tools brought back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.codecs import codec_for
from clew.evict.residents import Resident
from clew.evict.stubs import Leaf
from clew.evict.value import odds_of
from clew.importers import load_session
from clew.ports import TokenCounter
from clew.summarize.extractive.identifiers import IdentifierKind, identifiers_in, kind_of
from clew.tools_seen import CallSeen, see_exchange
from clew.transcript import (
    ExchangeGrouper,
    Message,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

FAMILIES = ("claude_code", "codex_cli", "pi_agent", "mini_swe_agent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was said: `who` is agent, person or result; `exchange` counts from 0."""

    who: str
    exchange: int
    text: str
    names: tuple[str, ...]
    tokens: int = 0
    seen: CallSeen | None = None
    resident: Resident | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A session: its steps, and what its calls did, by exchange."""

    family: str
    name: str
    steps: tuple[Step, ...]


def names_in(text: str) -> tuple[str, ...]:
    """The identifiers of a text; a bare number is none, it recurs by accident."""
    return tuple(n for n in identifiers_in(text) if kind_of(n) is not IdentifierKind.NUMBER)


def recordings(
    corpora: Path, counter: TokenCounter, families: Sequence[str] = FAMILIES
) -> Iterator[Recording]:
    """Every session of some agents, in the order of families and file names."""
    for family in families:
        for path in sorted((corpora / family).iterdir()):
            yield Recording(family=family, name=path.name, steps=tuple(_steps(path, counter)))


def _steps(path: Path, counter: TokenCounter) -> Iterator[Step]:
    session = load_session(path)
    codec = codec_for(session.format)
    messages = [codec.parse(native, index) for index, native in enumerate(session.messages)]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(messages)
    number = 0
    for ordinal, exchange in enumerate(grouper.exchanges()):
        group = [messages[index] for index in exchange.indices]
        seen = {call.call_id: call for call in see_exchange(group)}
        for message in group:
            for part in message.parts:
                if isinstance(part, ToolResultPart) and part.text:
                    number += 1
                    yield _result(part, seen.get(part.call_id), ordinal, number, counter)
            if text := _said(message):
                who = "agent" if message.role is Role.ASSISTANT else "person"
                yield Step(who=who, exchange=ordinal, text=text, names=names_in(text))


def _result(
    part: ToolResultPart, seen: CallSeen | None, ordinal: int, number: int, counter: TokenCounter
) -> Step:
    names = names_in(part.text)
    tokens = counter.count_text(part.text)
    resident = Resident(
        index=number,
        exchange=ordinal,
        leaf=Leaf(number=1, path=(), text=part.text, what="result"),
        handle=f"S-{number}.1",
        tokens=tokens,
        full_tokens=tokens,
        names=names,
        odds=odds_of(
            names, part.text, seen.action if seen else None, seen.outcome if seen else None
        ),
        seen=seen,
        last_use=ordinal,
    )
    return Step(
        who="result",
        exchange=ordinal,
        text=part.text,
        names=names,
        tokens=tokens,
        seen=seen,
        resident=resident,
    )


def _said(message: Message) -> str:
    pieces: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart | ReasoningPart):
            pieces.append(part.text)
        elif isinstance(part, ToolCallPart):
            pieces.append(f"{part.name} {part.arguments}")
    return "\n".join(piece for piece in pieces if piece)
