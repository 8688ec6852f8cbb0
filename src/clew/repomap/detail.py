"""What the map says when it is asked for one file, folder or symbol."""

from __future__ import annotations

import difflib
import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from clew.repomap.files import read_file
from clew.repomap.languages import GROUP
from clew.repomap.outline import Outline, Symbol
from clew.repomap.rendering import outline_lines
from clew.repomap.touched import below

MOST_LINES: Final = 200
MOST_DEFINITIONS: Final = 5
MOST_USERS: Final = 12
_LINE_CHARS: Final = 300
_NEAREST: Final = 5


def detail_of(
    what: str, root: Path, outlines: Mapping[str, Outline], *, largest_file_bytes: int
) -> str:
    """The answer for a path, a folder or a symbol, at most about 200 lines for each of these."""
    word = what.strip()
    path = below(word, root)
    if path in outlines:
        return _file(path, outlines[path])
    inside = [other for other in outlines if other.startswith(f"{path}/")] if path else []
    if word in ("", ".", "./") or inside:
        return _folder(inside or list(outlines), outlines)
    found = list(_definitions(word, root, outlines))
    if not found:
        return _nothing(word, outlines)
    parts = [
        _symbol(path, outlines[path].symbols[index], root, largest_file_bytes)
        for path, index in found[:MOST_DEFINITIONS]
    ]
    more = [f"[{path}: {outlines[path].symbols[index].signature}]" for path, index in found[5:15]]
    return "\n\n".join([*parts, *more, _users(found, outlines)])


def knows(what: str, root: Path, outlines: Mapping[str, Outline]) -> bool:
    """Whether there is an answer: a file, a folder or a symbol of the map."""
    word = what.strip()
    path = below(word, root)
    if word in ("", ".", "./") or path in outlines:
        return True
    inside = bool(path) and any(other.startswith(f"{path}/") for other in outlines)
    return inside or any(True for _ in _definitions(word, root, outlines))


def _file(path: str, outline: Outline) -> str:
    if not outline.language:
        return f"{path}\n  [listed by its path alone]"
    lines = outline_lines(outline, range(len(outline.symbols)), numbered=True)
    broken = ["  [has syntax errors]"] if outline.broken else []
    return "\n".join([path, *_bounded(lines), *broken])


def _folder(paths: Sequence[str], outlines: Mapping[str, Outline]) -> str:
    lines = [
        f"{path}  {len(outlines[path].symbols):,} symbols" if outlines[path].language else path
        for path in paths
    ]
    return "\n".join(_bounded(lines))


def _definitions(
    word: str, root: Path, outlines: Mapping[str, Outline]
) -> Iterator[tuple[str, int]]:
    """Symbols called so: in full, or by the end of their qualified name."""
    place, colon, name = word.rpartition(":")
    path = below(place.rstrip(":"), root) if colon else ""
    wanted = (name if path in outlines else word).replace("::", ".").replace("#", ".").strip("().")
    for file, outline in outlines.items():
        if path in outlines and file != path:
            continue
        for index, symbol in enumerate(outline.symbols):
            if symbol.kind != GROUP and f".{symbol.qualified}".endswith(f".{wanted}"):
                yield file, index


def _symbol(path: str, symbol: Symbol, root: Path, largest_file_bytes: int) -> str:
    source = read_file(root, path, most_bytes=largest_file_bytes) or b""
    lines = source.decode("utf-8", "replace").split("\n")[symbol.first_line - 1 : symbol.last_line]
    head = f"{path}:{symbol.first_line}-{symbol.last_line} {symbol.kind} {symbol.qualified}"
    return "\n".join([head, *_bounded([line.rstrip("\r") for line in lines])])


def _bounded(lines: Sequence[str]) -> list[str]:
    shown = [
        line if len(line) <= _LINE_CHARS else f"{line[: _LINE_CHARS - 1]}…"
        for line in lines[:MOST_LINES]
    ]
    rest = len(lines) - MOST_LINES
    return [*shown, f"[{rest:,} more lines]"] if rest > 0 else shown


def _users(found: Sequence[tuple[str, int]], outlines: Mapping[str, Outline]) -> str:
    """Where the name is used, most often first; a file that defines it itself means its own."""
    name = outlines[found[0][0]].symbols[found[0][1]].name
    homes = {path for path, _ in found}
    users: Counter[str] = Counter()
    for path, outline in outlines.items():
        own = any(symbol.name == name for symbol in outline.symbols)
        if own and path not in homes:
            continue
        for use in outline.uses:
            if use.name == name:
                holder = outline.symbols[use.holder].qualified if use.holder >= 0 else ""
                users[f"{path}:{holder}" if holder else path] += use.count
    if not users:
        return "Used nowhere in the map."
    most = sorted(users.items(), key=lambda row: (-row[1], row[0]))
    rest = f", and in {len(most) - MOST_USERS:,} more places" if len(most) > MOST_USERS else ""
    return f"Used in {', '.join(f'{place} ({n})' for place, n in most[:MOST_USERS])}{rest}."


def _nothing(word: str, outlines: Mapping[str, Outline]) -> str:
    names = sorted({s.name for outline in outlines.values() for s in outline.symbols})
    names += sorted({posixpath.basename(path) for path in outlines})
    last = word.replace("::", ".").rpartition(".")[2].lower()
    near = [name for name in names if last and last in name.lower()][:_NEAREST]
    near = near or difflib.get_close_matches(word[:100], names, n=_NEAREST)
    hint = f" Nearest: {', '.join(near)}." if near else ""
    return f"The map has no file, folder or symbol {word[:100]!r}.{hint}"
