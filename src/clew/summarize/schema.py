"""The JSON schema of a reply, from the table of kinds.

Flat: lists of small objects and no alternatives, so that a very small model can fill it. Only
what an operation cannot do without is required: a small model fills whatever it has to, with
anything. Where a provider's strict mode wants every member, its client adds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.record.items import Status
from clew.record.kinds import Kind, KindTable, Proof

CLOSED_AS = (Status.DONE, Status.ANSWERED, Status.WITHDRAWN, Status.CLOSED)
"""What an item can be closed as."""

_TEXT = {"type": "string"}
_SHARES = {"add": 150, "supersede": 400, "revise": 400, "close": 200, "dismiss": 200}
_MOST = 40
_NEEDED = frozenset(
    {"kind", "span", "quote", "text", "id", "ids", "status", "reason", "option", "name", "value"}
)


def proposable(kinds: KindTable) -> tuple[Kind, ...]:
    """The kinds a model may add: the user's directives are recorded by code alone."""
    return tuple(kind for kind in kinds.kinds if kind.name != "directive")


def detail_names(kinds: KindTable) -> tuple[str, ...]:
    """Names of the further fields of all kinds, in the order of the table, each once."""
    named = (name for kind in proposable(kinds) for name in (*kind.required, *kind.optional))
    return tuple(dict.fromkeys(named))


def reply_schema(kinds: KindTable, max_output_tokens: int = 8_000) -> dict[str, Any]:
    """The schema of a reply; the same for the same table and output limit.

    The lists are as long as the output can hold, so that a model that runs in circles comes to an
    end within it.
    """
    item = {
        "kind": {"type": "string", "enum": [kind.name for kind in proposable(kinds)]},
        "span": _TEXT,
        "quote": _TEXT,
        "text": _TEXT,
        "why": _TEXT,
        "rejected": _list({"option": _TEXT, "why": _TEXT}, 8),
        "details": _list(
            {"name": {"type": "string", "enum": list(detail_names(kinds))}, "value": _TEXT}, 6
        ),
    }
    status = {"type": "string", "enum": [status.value for status in CLOSED_AS]}
    proof = {"span": _TEXT, "quote": _TEXT, "reason": _TEXT}
    ids = {"type": "array", "items": _TEXT, "maxItems": 8}
    members: dict[str, dict[str, Any]] = {
        "add": item,
        "supersede": {"ids": ids, **item, "reason": _TEXT},
        "revise": {"id": _TEXT, "text": _TEXT, **proof},
        "close": {"id": _TEXT, "status": status, **proof},
        "dismiss": {"span": _TEXT, "reason": _TEXT},
    }
    lists = {
        name: _list(properties, max(2, min(_MOST, max_output_tokens // _SHARES[name])))
        for name, properties in members.items()
    }
    return _object({**lists, "next": _TEXT}, frozenset({"add", "next"}))


def kind_lines(kinds: KindTable) -> str:
    """One line a kind for the instructions: name, rule, further fields."""
    return "\n".join(f"- {kind.name}: {kind.rule}{_fields(kind)}" for kind in proposable(kinds))


_SHOWS: dict[Proof, str] = {
    Proof.CITED: "",
    Proof.QUOTE: "; needs a quote",
    Proof.USER: "; only with a quote of the user's own words",
    Proof.TOOL: "; only with a quote of a tool's result",
}


def _fields(kind: Kind) -> str:
    required = [f"{name} (required)" for name in kind.required]
    names: Iterable[str] = (*required, *kind.optional)
    details = f"; details: {', '.join(names)}" if required or kind.optional else ""
    scope = (
        f"; counts only for the one {kind.scope} that the quoted words name" if kind.scope else ""
    )
    return f"{details}{_SHOWS[kind.evidence]}{scope}"


def _object(properties: dict[str, Any], required: frozenset[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
    }


def _list(properties: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": _object(properties, _NEEDED), "maxItems": most}
