"""Makes a transcript acceptable to its provider without inventing content.

Only six things are ever done: a result without a call (or a second, or a late one) goes to the
archive, a call without a result is answered with a neutral sentence, a message or reasoning
item that holds or precedes nothing goes to the archive, calls or results of one turn that stand in
several messages become one where the format wants that, a call whose id was used before or is
missing gets one of its own together with its result, and a result that names another tool than its
call does gets the name of that. Where the format wants the first message
to be the user's, and it would go or is the model's, a neutral sentence stands there. Nothing
moves, arguments are left as they are, blocks that the provider runs itself are never answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.errors import InvalidTranscriptError
from clew.ports import Codec
from clew.repair.findings import Batch, Findings, OpenCall, split_turns
from clew.repair.naming import CallIds
from clew.repair.pairing import pair_adjacent, pair_anywhere
from clew.repair.values import (
    IN_PLACE,
    NEW_IDS,
    NO_RESULT,
    NOTHING_BEFORE,
    RESULT_ELSEWHERE,
    RESULT_WITHOUT_CALL,
    Renamed,
    Repair,
    Repaired,
    RepairKind,
    quoted,
)
from clew.transcript import (
    CallKind,
    Format,
    Message,
    ReasoningPart,
    Role,
    TextPart,
)

__all__ = [
    "IN_PLACE",
    "NEW_IDS",
    "NOTHING_BEFORE",
    "NO_RESULT",
    "RESULT_ELSEWHERE",
    "RESULT_WITHOUT_CALL",
    "CallIds",
    "Renamed",
    "Repair",
    "RepairKind",
    "Repaired",
    "repair",
]


_SPOKEN = frozenset((Role.USER.value, Role.ASSISTANT.value, Role.TOOL.value))
_USER_FIRST = frozenset((Format.ANTHROPIC, Format.GEMINI))


def repair(
    messages: Sequence[Message],
    codec: Codec,
    start: int = 0,
    before: Repaired | None = None,
    ids: CallIds | None = None,
) -> Repaired:
    """Repair a transcript that is about to be sent to a model; valid input comes back as it is.

    `before` is what became of the messages before `start`, the border of an exchange (None: they
    were valid). They are read again only when something behind them needs repair that they may
    have a part in. `ids` has read the messages (None: it is made here). Linear time, idempotent.
    Raises InvalidTranscriptError when nothing would be left to send.
    """
    given = tuple(messages)
    if ids is None:
        ids = CallIds(codec.format)
        ids.feed(given)
    found = _findings(given, codec, ids, start)
    behind_model = before is not None and before.messages[-1].role is Role.ASSISTANT
    if start and (not found.only_renames or behind_model):
        start, before, found = 0, None, _findings(given, codec, ids, 0)
    done = before or Repaired(messages=given[:start])
    if not found.repairs and (start or not _begins_with_model(given, given, codec)):
        untouched = before is None
        return replace(done, messages=given if untouched else (*done.messages, *given[start:]))
    kept, removed, renamed = _carried_out(given, codec, found, start)
    kept = (*done.messages, *kept)
    if not any(message.role.value in _SPOKEN for message in kept):
        raise InvalidTranscriptError(
            f"nothing is left after repair: {found.repairs[0].sentence}",
            index=found.repairs[0].index,
            expected="at least one message that is not a result without its call",
        )
    repairs = (*done.repairs, *sorted(found.repairs, key=lambda repair: repair.index))
    return Repaired(
        messages=kept,
        repairs=repairs,
        removed=(*done.removed, *removed),
        renamed=(*done.renamed, *renamed),
    )


def _findings(messages: Sequence[Message], codec: Codec, ids: CallIds, start: int) -> Findings:
    if codec.adjacent_results:
        found = pair_adjacent(messages, codec.format, ids, start)
    else:
        found = pair_anywhere(messages, ids, start)
    for batch in found.batches:
        _settle(batch, messages, codec, found)
    _find_empty(messages, codec.format, start, found)
    if codec.format is Format.ANTHROPIC:
        _find_blank_blocks(messages, start, found)
    if codec.format is Format.OPENAI_RESPONSES:
        _find_stranded(messages, start, found)
    if codec.format is Format.GEMINI:
        split_turns(messages, start, found)
    return found


def _settle(batch: Batch, messages: Sequence[Message], codec: Codec, found: Findings) -> None:
    """Decide for the calls of one batch which are answered, which go and which wait."""
    answerable: list[OpenCall] = []
    for call in batch.missing:
        if call.part.kind is CallKind.MCP:
            continue  # an approval waits for a person
        if codec.answer(None, (call.sent,), NO_RESULT):
            answerable.append(call)
            continue
        found.drop(call.index, call.part.path)
        found.name(
            RepairKind.UNANSWERABLE_CALL,
            call.index,
            f"the {quoted(call.part.name)} call {quoted(call.part.call_id)} has no result, and "
            f"none can be written without claiming an outcome; it was moved to the archive",
        )
    batch.calls = answerable
    if answerable:
        names = quoted(", ".join(call.part.name for call in answerable))
        many = f"{len(answerable)} calls" if len(answerable) > 1 else "the call"
        found.name(
            RepairKind.DANGLING_CALL,
            answerable[0].index,
            f"{many} ({names}) had no result in its place; answered with a neutral sentence that "
            f"the outcome is not known here",
        )


def _find_empty(messages: Sequence[Message], wire: Format, start: int, found: Findings) -> None:
    empty = [
        index
        for index in range(start, len(messages))
        if messages[index].role in (Role.USER, Role.ASSISTANT)
        and not found.goes(index)
        and _is_empty(messages[index], wire)
    ]
    if not empty or (start == 0 and len(empty) == sum(m.role.value in _SPOKEN for m in messages)):
        return  # a list of nothing but empty messages is the caller's to explain
    for index in empty:
        found.drop(index, ())
        found.name(
            RepairKind.EMPTY_MESSAGE, index, "a message without content was moved to the archive"
        )


def _find_blank_blocks(messages: Sequence[Message], start: int, found: Findings) -> None:
    """Anthropic refuses a text block of nothing but white space, wherever it stands."""
    for index in range(start, len(messages)):
        blank = [
            part.path[:-1]
            for part in messages[index].parts
            if isinstance(part, TextPart) and len(part.path) > 1 and not part.text.strip()
        ]
        if blank and len(blank) < len(messages[index].parts):
            for path in blank:
                found.drop(index, path)
            found.name(
                RepairKind.EMPTY_MESSAGE, index, "a blank text block was moved to the archive"
            )


def _is_empty(message: Message, wire: Format) -> bool:
    if wire is Format.OPENAI_RESPONSES and message.role is Role.ASSISTANT:
        return False  # it may be the item that a reasoning item needs behind it
    blank = str.strip if wire is Format.ANTHROPIC else str
    return all(isinstance(part, TextPart) and not blank(part.text) for part in message.parts)


def _find_stranded(messages: Sequence[Message], start: int, found: Findings) -> None:
    """Reasoning whose item has gone: the next one is no item of the model, or is leaving."""
    partner = False
    for index in range(len(messages) - 1, start - 1, -1):
        message = messages[index]
        if message.parts and isinstance(message.parts[0], ReasoningPart):
            if not partner:
                found.drop(index, ())
                found.name(
                    RepairKind.STRANDED_REASONING,
                    index,
                    "a reasoning item lacks the item it belongs to; it was moved to the archive",
                )
        else:
            partner = message.role is Role.ASSISTANT and not found.goes(index)


def _carried_out(
    messages: tuple[Message, ...], codec: Codec, found: Findings, start: int
) -> tuple[tuple[Message, ...], tuple[Message, ...], tuple[Renamed, ...]]:
    behind = {batch.last: batch for batch in found.batches if batch.calls}
    kept: list[Message] = []
    removed: list[Message] = []
    renamed: list[Renamed] = []
    for index in range(start, len(messages)):
        message = messages[index]
        current: Message | None = message
        if index in found.drops:
            removed.append(message)
            current = _without(message, index, codec, found)
        elif index in found.renames or index in found.names:
            current = _with_new_ids(message, index, codec, found)
            renamed.append(Renamed(given=message, sent=current))
        joined = _joined(kept, current, index, codec) if index in found.joins else None
        if joined is not None:
            kept.pop()
            removed.extend((messages[found.joins[index]], message))
            current = joined
        if current is not None:
            kept.append(current)
        batch = behind.get(index)
        if batch is not None:
            following = kept.pop() if batch.held and current is not None else None
            kept.extend(_answered(batch, following, index, codec))
    if not start and _begins_with_model(messages, kept, codec):
        first = RESULT_WITHOUT_CALL
        if messages[0].role is Role.ASSISTANT:
            first = NOTHING_BEFORE
            said = "the first message is the model's; a neutral one of the user stands before it"
            found.name(RepairKind.MODEL_FIRST, 0, said)
        kept.insert(0, codec.parse(codec.text_message(Role.USER, first), 0))
    return tuple(kept), tuple(removed), tuple(renamed)


def _joined(
    kept: Sequence[Message], current: Message | None, index: int, codec: Codec
) -> Message | None:
    if current is None or not kept or kept[-1].role is not current.role:
        return None
    native = codec.join(kept[-1].native, current.native)
    return None if native is None else codec.parse(native, index)


def _begins_with_model(messages: Sequence[Message], kept: Sequence[Message], codec: Codec) -> bool:
    """Whether the model's message stands at the front: it came so, or the user's has gone."""
    return (
        codec.format in _USER_FIRST
        and bool(kept)
        and messages[0].role in (Role.USER, Role.TOOL, Role.ASSISTANT)
        and kept[0].role is Role.ASSISTANT
    )


def _without(message: Message, index: int, codec: Codec, found: Findings) -> Message | None:
    if found.goes(index):
        return None
    message = _with_new_ids(message, index, codec, found)
    native = codec.without(message, sorted(found.drops[index], key=repr))
    return None if native is None else codec.parse(native, index)


def _with_new_ids(message: Message, index: int, codec: Codec, found: Findings) -> Message:
    ids, names = found.renames.get(index), found.names.get(index)
    message = codec.parse(codec.name(message, names), index) if names else message
    return codec.parse(codec.rename(message, ids), index) if ids else message


def _answered(batch: Batch, following: Message | None, index: int, codec: Codec) -> list[Message]:
    done: list[Message] = [] if following is None else [following]
    for late, text in ((False, NO_RESULT), (True, RESULT_ELSEWHERE)):
        calls = [call.sent for call in batch.calls if call.late is late]
        if not calls:
            continue
        last = done[-1] if done else None
        natives = codec.answer(last, calls, text)
        head = done[:-1]
        same = last is not None and natives[0] is last.native
        done = [
            *head,
            *(
                last if same and at == 0 and last is not None else codec.parse(native, index)
                for at, native in enumerate(natives)
            ),
        ]
    return done
