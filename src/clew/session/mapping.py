"""A session's view of a code base: the map ranked by what the newest messages touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from clew.codecs import codec_for
from clew.ports import TokenCounter
from clew.transcript import Format

if TYPE_CHECKING:
    from clew.repomap import RepositoryMap

NEWEST_MESSAGES: Final = 400


def session_map(
    repository: RepositoryMap,
    messages: Sequence[Any],
    format: Format,
    *,
    budget_tokens: int,
    counter: TokenCounter,
) -> str:
    """The map as text within the budget; `messages` are native, the newest of them count."""
    from clew.repomap import touched_by

    codec = codec_for(format)
    newest = messages[-NEWEST_MESSAGES:]
    parsed = [codec.parse(native, index) for index, native in enumerate(newest)]
    touched = touched_by(parsed, repository.root)
    return repository.render(budget_tokens, touched=touched, counter=counter)
