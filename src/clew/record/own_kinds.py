"""Kinds of a policy inside a document, so that it can be read where that policy is not at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from clew.errors import PolicyError, RecordError
from clew.record.items import Item
from clew.record.kinds import BUILT_IN, Kind, KindTable, Proof


def kinds_used(items: Iterable[Item], kinds: KindTable) -> tuple[Kind, ...]:
    """The kinds of a policy's own that these items have, in the order of the table."""
    names = {item.kind for item in items}
    return tuple(k for k in kinds.kinds if k.name in names and k not in BUILT_IN)


def kind_to_json(kind: Kind) -> dict[str, Any]:
    """The JSON form of a kind; what has its default is left out."""
    values = {
        f.name: getattr(kind, f.name) for f in fields(kind) if getattr(kind, f.name) != f.default
    }
    return {n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}


def with_kinds(kinds: KindTable, values: Iterable[tuple[int, Any]]) -> KindTable:
    """The table with kinds of a document behind it; one that is in force already stays as it is.

    `values` are JSON forms with the line of each (1-based). Raises RecordError that names the line.
    """
    for number, value in values:
        try:
            kind = _kind_from_json(value)
        except (PolicyError, TypeError, ValueError) as error:
            raise RecordError(f"line {number}: no form of a kind ({error})") from error
        if kinds.get(kind.name) is None and kinds.by_letter(kind.letter) is None:
            kinds = kinds.extended([kind])
    return kinds


def _kind_from_json(value: Any) -> Kind:
    if not isinstance(value, Mapping):
        raise TypeError("it is no object")
    types = {f.name: f.type for f in fields(Kind)}
    made: dict[str, Any] = {}
    for name, inner in value.items():
        match types.get(name):
            case "str" if isinstance(inner, str):
                made[name] = inner
            case "bool" if isinstance(inner, bool):
                made[name] = inner
            case "float" if isinstance(inner, int | float) and not isinstance(inner, bool):
                made[name] = float(inner)
            case "Proof":
                made[name] = Proof(inner)
            case "tuple[str, ...]" if isinstance(inner, list) and all(
                isinstance(each, str) for each in inner
            ):
                made[name] = tuple(inner)
            case _:
                raise TypeError(f"{name} cannot be {inner!r:.40}")
    return Kind(**made)
