"""Gives every call an id of its own where an agent, a gateway or a server used one twice, or none.

Which id a call gets depends on what stands before it alone: the same list, or one that has grown,
always leads to the same ids, and so to the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from clew.transcript import CallKind, Format, Message, Path, Role, ToolCallPart

_NINE_SIGNS = re.compile(r"[A-Za-z0-9]{9}")
"""Ids of Mistral: it refuses any other length and any other sign."""

_MOST_CHARS = 40
"""Chat Completions refuses a longer id; no format allows less, apart from the nine signs."""

ITEM_ID: Path = ("id",)
"""Where an item of Responses has its own id, apart from that of its call."""

_NAMED_BY_ID = frozenset(("item_reference", "local_shell_call_output", "mcp_approval_request"))
"""Items whose id says which other one they mean, or is what others mean."""

_NONE: Mapping[Path, str] = {}


class CallIds:
    """The ids of a growing list of messages; each message is read once.

    Chat Completions pairs by place, and servers of that format count anew in each answer, so an
    id has to be unique in its message there; the other formats want it unique in the request.
    """

    def __init__(self, wire: Format) -> None:
        self._by_message = wire is Format.OPENAI_CHAT
        self._needs_ids = wire in (Format.OPENAI_CHAT, Format.ANTHROPIC)
        self._unnamed = 0
        self._items: set[str] | None = set() if wire is Format.OPENAI_RESPONSES else None
        self._taken: set[str] = set()
        self._uses: dict[str, int] = {}
        self._renamed: dict[int, dict[Path, str]] = {}
        self._count = 0

    @property
    def count(self) -> int:
        """How many messages were fed."""
        return self._count

    def feed(self, messages: Iterable[Message]) -> None:
        """Append messages behind those already fed."""
        for message in messages:
            if message.role is Role.ASSISTANT:
                self._read(message)
            if self._items is not None:
                self._read_item(message.plain, self._items)
            self._count += 1

    def renamed(self, index: int) -> Mapping[Path, str]:
        """The new ids of the calls in the message at `index`, by the path of the call.

        An item of Responses whose own id was used before has an empty one at `ITEM_ID`.
        """
        return self._renamed.get(index, _NONE)

    def _read(self, message: Message) -> None:
        if self._by_message:
            self._taken.clear()
            self._uses.clear()
        for part in message.parts:
            if not isinstance(part, ToolCallPart):
                continue
            if not part.call_id:
                # The older calls of Chat Completions have none, and pair by name.
                if self._needs_ids and not part.server_side and part.path != ("function_call",):
                    self._renamed.setdefault(self._count, {})[part.path] = self._new()
            elif part.call_id not in self._taken:
                self._taken.add(part.call_id)
            elif not part.server_side and part.kind is not CallKind.MCP:
                # What the provider runs or a person approves is known to it by just this id.
                self._renamed.setdefault(self._count, {})[part.path] = self._free(part.call_id)

    def _read_item(self, item: Mapping[str, Any], known: set[str]) -> None:
        own = item.get("id")
        if not isinstance(own, str) or not own or item.get("type") in _NAMED_BY_ID:
            return
        if own in known:
            self._renamed.setdefault(self._count, {})[ITEM_ID] = ""
        known.add(own)

    def _new(self) -> str:
        self._unnamed += 1
        while (name := f"call_{self._unnamed}") in self._taken:
            self._unnamed += 1
        self._taken.add(name)
        return name

    def _free(self, call_id: str) -> str:
        uses = self._uses.get(call_id, 1) + 1
        while (name := numbered(call_id, uses)) in self._taken:
            uses += 1
        self._uses[call_id] = uses
        self._taken.add(name)
        return name


def numbered(call_id: str, number: int) -> str:
    """An id with a number at its end, of a length that every server of the format takes."""
    strict = _NINE_SIGNS.fullmatch(call_id) is not None
    tail = f"{number:02d}" if strict else f"_{number}"
    room = len(call_id) if strict else max(_MOST_CHARS, len(call_id))
    return f"{call_id[: room - len(tail)]}{tail}"
