"""Edits at a path of a JSON value that share everything they do not touch.

The original is never changed: only the containers on the way to the leaf are copied. A path may
lead on into a text that holds JSON (the arguments of a call), so that one value inside it can be
replaced and the text stays valid JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from clew.transcript.parts import Path

# Given the path, what stands there now, and the text that should: what to put there.
Leaf = Callable[[Path, Any, str], Any]


def get_at(plain: Any, path: Path) -> Any:
    """What stands at a path; raises KeyError when nothing does."""
    value = plain
    for key in path:
        value = _child(_container(value, path), key, path)
    return value


def set_at(plain: Any, path: Path, value: Any) -> Any:
    """A copy of `plain` with `value` at `path`; raises KeyError when the path leads nowhere."""
    if not path:
        return value
    if isinstance(plain, str):
        return _in_text(plain, path, lambda inner: set_at(inner, path, value))
    child = _child(plain, path[0], path)
    return _with_child(plain, path[0], set_at(child, path[1:], value))


def delete_at(plain: Any, path: Path) -> Any:
    """A copy of `plain` without the list element or key at `path`; raises KeyError when absent."""
    if isinstance(plain, str):
        return _in_text(plain, path, lambda inner: delete_at(inner, path))
    child = _child(plain, path[0], path)
    if len(path) > 1:
        return _with_child(plain, path[0], delete_at(child, path[1:]))
    if isinstance(plain, dict):
        return {key: inner for key, inner in plain.items() if key != path[0]}
    return [inner for position, inner in enumerate(plain) if position != path[0]]


def replaced(plain: dict[str, Any], edits: Mapping[Path, str], leaf: Leaf) -> Any:
    """A copy of `plain` with every edit applied; `leaf` decides what a text becomes at its path."""
    edited: Any = plain
    for path, text in edits.items():
        edited = set_at(edited, path, leaf(path, get_at(edited, path), text))
    return edited


def placed(plain: Any, values: Mapping[Path, str]) -> Any:
    """A copy of `plain` with each text at its path, whether something stands there or not.

    Each container is copied once, however many texts go into it.
    """
    inner: dict[str | int, dict[Path, str]] = {}
    for path, value in values.items():
        inner.setdefault(path[0], {})[path[1:]] = value
    copy: Any = dict(plain) if isinstance(plain, dict) else list(plain)
    for key, below in inner.items():
        copy[key] = below[()] if () in below else placed(_child(plain, key, (key,)), below)
    return copy


def deleted(plain: dict[str, Any], paths: Iterable[Path]) -> dict[str, Any]:
    """A copy of `plain` without the places at `paths`, whose indices are those of the original."""
    edited = plain
    for path in sorted(set(paths), key=_order, reverse=True):
        edited = delete_at(edited, path)
    return edited


def _order(path: Path) -> tuple[tuple[int, str], ...]:
    # Later elements first, so that earlier indices stay true while elements go.
    return tuple((key, "") if isinstance(key, int) else (-1, key) for key in path)


def _container(value: Any, path: Path) -> Any:
    return _parsed(value, path) if isinstance(value, str) else value


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise KeyError(path) from None


def _in_text(text: str, path: Path, edit: Callable[[Any], Any]) -> str:
    return json.dumps(edit(_parsed(text, path)), separators=(",", ":"))


def _child(container: Any, key: str | int, path: Path) -> Any:
    if isinstance(container, dict) and key in container:
        return container[key]
    if isinstance(container, list | tuple) and isinstance(key, int) and 0 <= key < len(container):
        return container[key]
    raise KeyError(path)


def _with_child(container: Any, key: str | int, value: Any) -> Any:
    if isinstance(container, dict):
        return {**container, key: value}
    copy = list(container)
    copy[int(key)] = value
    return copy
