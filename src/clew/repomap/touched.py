"""What a session touched: files it read or changed, identifiers it spoke of."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from clew.tools_seen import Action, CallSeen, see_exchange
from clew.transcript import Message, Role

_WEIGHTS: Final = {Action.WRITE: 2.0, Action.READ: 1.0, Action.RUN: 0.5, Action.SEARCH: 0.5}
"""What was changed says more of the work than what was only looked at."""
_NEWEST_CALLS: Final = 200
_NEWEST_TEXTS: Final = 20
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*[_A-Z]\w*|(?<=`)[A-Za-z_]\w{2,}(?=[`(])")
"""Words that only code spells so (`pool_size`, `PoolAdapter`), and any word in backticks."""
_READ_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """Paths below the root and identifiers, each with its weight."""

    files: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    names: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


def touched_by(messages: Sequence[Message], root: Path) -> Touched:
    """What the newest calls read and changed, and the identifiers that user and agent wrote.

    Only files below `root` count; a relative path is taken from there.
    """
    files: defaultdict[str, float] = defaultdict(float)
    calls = see_exchange(messages)[-_NEWEST_CALLS:]
    for call in calls:
        for path in _paths(call, root):
            files[path] += _WEIGHTS.get(call.action, 0.0)
    spoken = [m.text for m in messages if m.role in (Role.USER, Role.ASSISTANT) and m.text]
    names: Counter[str] = Counter()
    for text in spoken[-_NEWEST_TEXTS:]:
        names.update(set(_IDENTIFIER.findall(text[:_READ_CHARS])))
    return Touched(
        files={path: weight for path, weight in sorted(files.items()) if weight > 0},
        names={name: float(count) for name, count in sorted(names.items())},
    )


def read_touched(
    given: Touched | Iterable[str], root: Path, paths: Mapping[str, object]
) -> Touched:
    """Plain words as what was touched: a word that is a path of the map, else an identifier."""
    if isinstance(given, Touched):
        return given
    files: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for word in given:
        path = below(word, root)
        if path in paths:
            files[path] += 1
        else:
            names[word.rpartition(".")[2]] += 1
    return Touched(files=files, names=names)


def _paths(call: CallSeen, root: Path) -> Iterable[str]:
    for resource in call.resources or ((call.resource,) if call.resource else ()):
        path = below(resource, root)
        if path:
            yield path


def below(path: str, root: Path) -> str:
    """A path below the root with `/`, empty when it leads elsewhere or is none."""
    if not path or "\0" in path or "://" in path:
        return ""
    plain = path.replace("\\", "/")
    top = str(root).replace("\\", "/")
    if plain.startswith("/"):
        if not plain.startswith(f"{top}/"):
            return ""
        plain = plain[len(top) + 1 :]
    clean = posixpath.normpath(plain)
    return "" if clean in (".", "..") or clean.startswith("../") else clean
