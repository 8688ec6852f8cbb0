"""Skills in use and files the user attached: pointers to what leaves the window with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.record.delta import Add, Operation
from clew.record.items import Evidence, Item, Speaker
from clew.record.standing import ATTACHED, SKILL
from clew.summarize.request import SpanView
from clew.tools_seen.harness import is_harness
from clew.tools_seen.seen import Outcome
from clew.transcript import MediaPart, Message, Role, TextPart

MOST_NEW = 20
"""More pointers than this in one stretch are a listing, not what somebody attached."""

_SKILL_TOOLS = frozenset({"skill", "activate_skill"})
_SKILL_TEXT = re.compile(
    r"\A\s*(?:Base directory for this skill:\s*\S*?(?P<folder>[^/\\\s]+)[/\\]?\s*$"
    r"|<skill>\s*<name>(?P<name>[^<\n]{1,120})</name>)",
    re.MULTILINE,
)
_MENTION = re.compile(r"(?<![\w@/`.])@((?:~?/|\./|\.\./)?[\w-][\w./-]*\.\w{1,8})(?![\w/@])")
_READ_FOR_USER = re.compile(r"<path>([^<\n]{1,400})</path>\s*<type>file</type>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pointer:
    text: str
    path: str
    span: str
    quote: str
    said_by: Speaker


def pointer_operations(spans: Sequence[SpanView], old: Sequence[Item]) -> list[Operation]:
    """An artifact for each skill that came into use and each file that came with a message.

    What the record points to already stays as it is. A skill is known by its name without the
    collection in front; its pointer leads to where its text stands, else to the call.
    """
    known = {_key(i.text, "") for i in old if i.live and i.text.startswith((SKILL, ATTACHED))}
    found: dict[str, _Pointer] = {}
    for span in spans:
        for pointer in (*_skills(span), *_attached(span)):
            key = _key(pointer.text, pointer.span)
            if key in known:
                continue
            before = found.get(key)
            if before is not None and len(before.text) >= len(pointer.text):
                pointer = _at(before, pointer.span, pointer.quote)  # noqa: PLW2901
            found[key] = pointer
    return [Add(item=_item(pointer)) for pointer in list(found.values())[-MOST_NEW:]]


def _key(text: str, span: str) -> str:
    if text.startswith(SKILL):
        return SKILL + text.rpartition(":")[2].strip().lower()
    return text


def _at(pointer: _Pointer, span: str, quote: str) -> _Pointer:
    if not pointer.text.startswith(SKILL):
        return pointer
    return _Pointer(
        text=pointer.text, path=pointer.path, span=span, quote=quote, said_by=pointer.said_by
    )


def _item(pointer: _Pointer) -> Item:
    made = Item(
        id="",
        kind="artifact",
        text=pointer.text,
        said_by=pointer.said_by,
        evidence=(Evidence(span=pointer.span, quote=pointer.quote),),
    )
    return made.with_fields({"path": pointer.path}) if pointer.path else made


def _skills(span: SpanView) -> Iterator[_Pointer]:
    for call in span.calls:
        if call.tool.lower() in _SKILL_TOOLS and call.outcome is not Outcome.FAILED:
            yield from _skill(call.resource, span.handle, Speaker.AGENT)
    for message in span.messages:
        if message.role is Role.USER:
            for text in _texts(message):
                if seen := _SKILL_TEXT.match(text):
                    name = seen["folder"] or seen["name"]
                    yield from _skill(name, span.handle, Speaker.TOOL)


def _skill(name: str, span: str, said_by: Speaker) -> Iterator[_Pointer]:
    if name.strip():
        yield _Pointer(
            text=SKILL + name.strip(), path="", span=span, quote=name.strip(), said_by=said_by
        )


def _attached(span: SpanView) -> Iterator[_Pointer]:
    for message in span.messages:
        if message.role is not Role.USER:
            continue
        for place, part in enumerate(_media(message), 1):
            name = part.name or f"{part.kind.value} {part.media_type}".strip()
            which = "" if part.name else f" {place} of {span.handle}"
            yield _attachment(f"{name}{which}", "", span.handle, "", Speaker.DERIVED)
        for text in _texts(message):
            for path in _READ_FOR_USER.findall(text):
                yield _attachment(path, path, span.handle, path, Speaker.TOOL)
            if is_harness(text):
                continue
            for path in _MENTION.findall(text):
                yield _attachment(path, path, span.handle, f"@{path}", Speaker.USER)


def _attachment(name: str, path: str, span: str, quote: str, said_by: Speaker) -> _Pointer:
    return _Pointer(text=ATTACHED + name, path=path, span=span, quote=quote, said_by=said_by)


def _texts(message: Message) -> Iterable[str]:
    return (part.text for part in message.parts if isinstance(part, TextPart))


def _media(message: Message) -> list[MediaPart]:
    return [part for part in message.parts if isinstance(part, MediaPart)]
