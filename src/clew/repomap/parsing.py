"""From the bytes of a file to its outline, through tree-sitter, an extra."""

from __future__ import annotations

import importlib.util
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from clew.errors import MissingExtraError
from clew.repomap.languages import CONSTANT, FUNCTION, KINDS, Language
from clew.repomap.outline import Outline, Symbol, Use

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, QueryCursor

SIGNATURE_CHARS: Final = 240
LEAST_NAME_CHARS: Final = 3
"""Shorter names are counters and parameters more often than anything defined elsewhere."""

MOST_SECONDS: Final = 2.0
"""A file of a megabyte takes a second."""

_MOST_BROKEN: Final = 4_000
_DEEPEST: Final = 200
_CHUNK_BYTES: Final = 65_536
_PACKAGE: Final = "tree_sitter_language_pack"
_BLANKS: Final = re.compile(r"\s+")
_OWNERS: Final = re.compile(r"::|\.|:")
_PLAIN: Final = re.compile(r"<.*", re.DOTALL)
_WORD: Final = re.compile(r"\w+")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def parser_installed() -> bool:
    """Whether the package can be imported; nothing is loaded."""
    return importlib.util.find_spec(_PACKAGE) is not None


def require_parser() -> None:
    """Raise MissingExtraError when the extra is not installed."""
    if not parser_installed():
        raise MissingExtraError(
            package="tree-sitter-language-pack", extra="repomap", purpose="the repository map"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tools:
    parser: Parser
    definitions: Query
    references: Query
    imports: Query


@cache
def _tools(language: Language) -> _Tools:
    require_parser()
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language, get_parser

    grammar = get_language(language.grammar)  # type: ignore[arg-type]  # a Literal of 170 names
    wanted = " ".join(f"({kind})" for kind in language.references)
    return _Tools(
        parser=get_parser(language.grammar),  # type: ignore[arg-type]  # as above
        definitions=Query(grammar, language.definitions),
        references=Query(grammar, f"[{wanted}] @used"),
        imports=Query(grammar, language.imports),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    start: int
    end: int
    name_at: int
    kind: str
    owner: str
    name: str
    signature: str
    first_line: int
    last_line: int


def outline_of(source: bytes, language: Language) -> Outline:
    """What a file defines and uses; syntax errors cost the broken part alone. Never raises.

    A file made to be slow is given up after `MOST_SECONDS` of work and has an empty outline.
    """
    tools = _tools(language)
    limit = _Limit()
    try:
        root = tools.parser.parse(
            lambda at, _: source[at : at + _CHUNK_BYTES], progress_callback=limit.passed
        ).root_node
    except ValueError:  # how the parser says that it was stopped
        tools.parser.reset()
        return Outline()
    if root.has_error and _is_wreck(root):
        return Outline()
    matches = _cursor(tools.definitions).matches(root)
    found = _found(matches, source)
    symbols, spans = _nested(found)
    used = _cursor(tools.references).captures(root).get("used", [])
    known = _cursor(tools.imports).captures(root).get("from", [])
    return Outline(
        language=language.grammar,
        symbols=symbols,
        uses=_uses(used, {one.name_at for one in found}, spans),
        imports=_words(known),
        broken=root.has_error,
    )


class _Limit:
    """How long one file may take: nested or broken a hundred thousand times over, it takes hours.

    Work of this thread is measured, so a busy machine gives the same map.
    """

    def __init__(self) -> None:
        self._until = time.thread_time() + MOST_SECONDS

    def passed(self, *_: object) -> bool:
        """Whether the time is up."""
        return time.thread_time() > self._until


def _is_wreck(root: Node) -> bool:
    """Whether so much in one place could not be parsed that a query would take minutes.

    A query takes a time that grows with the square of what stands under one broken node.
    """
    waiting, looked_at = [root], 0
    while waiting:
        node = waiting.pop()
        looked_at += 1
        if looked_at > _MOST_BROKEN or (node.is_error and node.child_count > _MOST_BROKEN):
            return True
        waiting.extend(child for child in node.children if child.has_error)
    return False


def _cursor(query: Query) -> QueryCursor:
    """A cursor for a tree of any depth; what lies deeper than people write is not looked at."""
    from tree_sitter import QueryCursor

    cursor = QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST)
    return cursor


def _found(matches: Sequence[tuple[int, dict[str, list[Node]]]], source: bytes) -> list[_Found]:
    """Each definition once; a name that holds a function is a function and no constant."""
    by_name: dict[int, _Found] = {}
    for _, captured in matches:
        kind = next((kind for kind in KINDS if kind in captured), "")
        if not kind or "name" not in captured:
            continue
        found = _definition(kind, captured, source)
        known = by_name.get(found.name_at)
        if found.name and (known is None or known.kind == CONSTANT):
            by_name[found.name_at] = found
    return sorted(by_name.values(), key=lambda one: (one.start, -one.end, one.name_at))


def _definition(kind: str, captured: dict[str, list[Node]], source: bytes) -> _Found:
    node, name = captured[kind][0], captured["name"][0]
    body, owner = captured.get("body"), captured.get("owner")
    owners, last = _split(_text(source[name.start_byte : name.end_byte]))
    if owner:
        owners = _split(_text(source[owner[0].start_byte : owner[0].end_byte]))[1]
    ends = body[0].start_byte if body else node.end_byte
    return _Found(
        start=node.start_byte,
        end=node.end_byte,
        name_at=name.start_byte,
        kind=kind,
        owner=owners,
        name=last,
        signature=_signature(source[node.start_byte : max(ends, node.start_byte)]),
        first_line=node.start_point[0] + 1,
        last_line=node.end_point[0] + 1,
    )


def _split(name: str) -> tuple[str, str]:
    """A qualified name as what is in front, with dots, and its last word."""
    words = [word for word in _OWNERS.split(_PLAIN.sub("", name)) if word]
    return (".".join(words[:-1]), words[-1]) if words else ("", "")


def _text(source: bytes) -> str:
    return source.decode("utf-8", "replace")


def _signature(source: bytes) -> str:
    """One line without what opens a body; long ones end in an ellipsis."""
    line = _BLANKS.sub(" ", _text(source[: SIGNATURE_CHARS * 8]))
    line = _UNSEEN.sub("", line).strip().rstrip("{:=;").rstrip()
    line = line.replace("( ", "(").replace(", )", ")").replace(" )", ")")
    if len(line) <= SIGNATURE_CHARS:
        return line
    return f"{line[: SIGNATURE_CHARS - 1]}…"


def _nested(found: Sequence[_Found]) -> tuple[tuple[Symbol, ...], list[tuple[int, int, int]]]:
    """Symbols with their parents, and the byte range of each; what is local is left out."""
    symbols: list[Symbol] = []
    spans: list[tuple[int, int, int]] = []
    open_: list[tuple[int, int]] = []
    for one in found:
        while open_ and open_[-1][0] < one.end:
            open_.pop()
        parent = open_[-1][1] if open_ else -1
        if parent >= 0 and symbols[parent].kind == FUNCTION:
            continue
        held_by = symbols[parent].qualified if parent >= 0 else ""
        qualified = ".".join(part for part in (held_by, one.owner, one.name) if part)
        symbols.append(
            Symbol(
                name=one.name,
                qualified=qualified,
                kind=one.kind,
                signature=one.signature,
                first_line=one.first_line,
                last_line=one.last_line,
                parent=parent,
            )
        )
        spans.append((one.start, one.end, len(symbols) - 1))
        open_.append((one.end, len(symbols) - 1))
    return tuple(symbols), spans


def _uses(
    nodes: Sequence[Any], names_at: set[int], spans: Sequence[tuple[int, int, int]]
) -> tuple[Use, ...]:
    """How often each symbol, or the file itself, uses each name; a definition is no use."""
    places = sorted((node.start_byte, node.text or b"") for node in nodes)
    counted: Counter[tuple[int, bytes]] = Counter()
    open_: list[tuple[int, int]] = []
    following = 0
    for at, text in places:
        while following < len(spans) and spans[following][0] <= at:
            open_.append((spans[following][1], spans[following][2]))
            following += 1
        while open_ and open_[-1][0] <= at:
            open_.pop()
        if at not in names_at and len(text) >= LEAST_NAME_CHARS:
            counted[open_[-1][1] if open_ else -1, text] += 1
    return tuple(
        Use(holder=holder, name=_text(name), count=count)
        for (holder, name), count in sorted(counted.items())
    )


def _words(nodes: Sequence[Any]) -> frozenset[str]:
    return frozenset(word for node in nodes for word in _WORD.findall(_text(node.text or b"")))
