"""What reads and writes a wire format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from clew.transcript import Format, Message, Role, ToolCallPart
from clew.transcript.parts import Path


class Codec(Protocol):
    """Reads and writes one wire format. A codec has no state."""

    @property
    def format(self) -> Format:
        """The format of this codec."""
        ...

    @property
    def adjacent_results(self) -> bool:
        """Whether results must stand directly behind the message with their calls."""
        ...

    def parse(self, native: Any, index: int) -> Message:
        """Read one native message; `index` is only for errors.

        Raises InvalidTranscriptError when it is no message of this format at all.
        """
        ...

    def text_message(self, role: Role, text: str) -> Any:
        """A new native message that holds only text (USER or ASSISTANT; SYSTEM where allowed)."""
        ...

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new native message in which the leaves at these paths are replaced.

        A string leaf is replaced by the text; a media block by a text block of this format.
        Everything else is equal to the original; the original is not touched.
        """
        ...

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new native message without the blocks at these paths; None when nothing is left."""
        ...

    def rename(self, message: Message, ids: Mapping[Path, str]) -> Any:
        """A new native message in which the calls and results at these paths have other ids."""
        ...

    def name(self, message: Message, names: Mapping[Path, str]) -> Any:
        """A new native message in which the results at these paths name another tool.

        Only where the format has a name there.
        """
        ...

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """Native message(s) that answer `calls` with `text`, as a list.

        `following` is the message that already holds other results of the same batch; formats
        that keep a batch in one message extend a copy of it, and the list then replaces it.
        """
        ...

    def join(self, first: Any, second: Any) -> Any | None:
        """One native message of two, where the format wants all of a turn in one.

        None where it does not, or where the two cannot be one.
        """
        ...
