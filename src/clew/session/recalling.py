"""What a session gives back of what left the window: to its caller, and to the agent as tools."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from clew.codecs import codec_for
from clew.errors import UnknownHandleError
from clew.ports import Hit
from clew.record.items import Item
from clew.render import ShownMessages
from clew.session.agent_tools import (
    LIST_TOOL,
    NOTE_TOOL,
    RECALL_TOOL,
    SEARCH_TOOL,
    definitions,
    recall_tools,
)
from clew.session.core import SessionCore
from clew.session.hints import Hint, Hints, HintUse
from clew.session.mapping import session_map
from clew.session.paging import Pager
from clew.session.toolbox import call_tool, handle_asked
from clew.transcript import Format

if TYPE_CHECKING:
    from clew.repomap import RepositoryMap


class Recalling:
    """Recall, search, hints, the map, and the tools through which an agent asks for them."""

    _core: SessionCore
    _pager: Pager
    _hints: Hints
    _map: RepositoryMap | None = None

    if TYPE_CHECKING:  # the session has it; the agent's tool uses it

        def note(self, kind: str, text: str, *, why: str = "") -> Item:
            """Put an item into the record."""
            ...

    def recall(self, handle: str) -> bytes:
        """What a handle stands for, byte for byte.

        A span (`S-41`) is the JSON list of its native messages, a part (`S-41.2`) the text itself,
        an item (`R-17`) its JSON. `<session>:S-4` is a span of a delegated sub-task. Raises
        UnknownHandleError for a handle this session never gave.
        """
        if not isinstance(handle, str):
            raise UnknownHandleError(repr(handle))
        child, colon, inner = handle.partition(":")
        core = self._core
        if colon and core.session_id is not None:
            return self._pager.delegated(inner, child, core.notes().delegations())
        return self._pager.recall(handle, core.history, core.record())

    def search(self, query: str, limit: int = 10, kinds: Sequence[str] = ()) -> list[Hit]:
        """Best hits in what left this session's window: spans and record items, with handles."""
        return self._pager.search(query, self._core.history, limit=limit, kinds=kinds)

    def embed_archive(self, most: int | None = None) -> int:
        """Make the vectors a search by meaning needs while there is time; gives how many are left.

        Without an embedder there is nothing to do. A search makes up to 128 of them itself.
        """
        return self._pager.embed(self._core.history, most)

    def tools(self, format: Format | str | None = None) -> list[dict[str, Any]]:
        """Native definitions of the recall tools, to add to the agent's own."""
        chosen = Format(format) if format is not None else self._core.format
        return definitions(chosen, recall_tools(with_map=self._map is not None))

    def call_tool(self, name: str, arguments: dict[str, Any] | str) -> str:
        """Run one of those tools for the agent; an error comes back as a sentence."""
        if name == RECALL_TOOL and isinstance(arguments, str | dict):
            self._hints.fetched(handle_asked(arguments))
        answer = call_tool(self, name, arguments)
        # What recall gives is word for word; to a list of hits one line may be added.
        due = self.hint() if name in (SEARCH_TOOL, LIST_TOOL, NOTE_TOOL) else None
        return f"{answer}\n\n[{due.text}]" if due is not None else answer

    def hint(self) -> Hint | None:
        """What the newest message names that only the archive holds, once and now and then.

        For a place outside of the messages, such as the output of a hook or a person's screen; the
        answers of the search tools carry it by themselves. None where the policy wants no hints.
        """
        core = self._core
        if not core.policy.hints or core.history is None:
            return None
        shown = ShownMessages(codec_for(core.format))
        return self._hints.next(core.history, shown, partial(self.search, limit=3))

    @property
    def hint_use(self) -> HintUse:
        """How many hints were given, and how many of their handles the agent then fetched."""
        return self._hints.use

    def use_map(self, repository: RepositoryMap) -> None:
        """Give the agent a map of its code base: `map_text` shows it, one more tool asks it."""
        self._map = repository

    def map_text(self, budget_tokens: int = 1_500) -> str:
        """The map in at most so many tokens, ranked by what the newest messages touched.

        For the system prompt. It follows the work, so fetch it where the prefix changes anyway: at
        the start and after a compaction. Empty without a map.
        """
        if self._map is None:
            return ""
        core = self._core
        given = core.last_messages or ()
        return session_map(
            self._map, given, core.format, budget_tokens=budget_tokens, counter=core.counter
        )

    def map_detail(self, what: str) -> str:
        """What the map knows of a file, folder or symbol."""
        return self._map.detail(what) if self._map is not None else "There is no map here."

    def spans(self) -> list[tuple[str, str]]:
        """Handle and label of everything that was absorbed, oldest first."""
        return [(span.handle, span.label) for span in self._pager.spans(self._core.history)]
