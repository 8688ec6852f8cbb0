"""Small checkpoints, spans and messages for tests of stores."""

from __future__ import annotations

from collections.abc import Sequence

from clew.ports import ArchivedMessage, Checkpoint, CheckpointKind, Span
from clew.transcript import Format
from clew.transcript.digest import digest_of_text


def span(n: int, text: str, *, label: str = "") -> Span:
    return Span(handle=f"S-{n}", position=n, digests=(f"d{n}",), label=label, text=text)


def item(handle: str, text: str, *, kind: str = "decision") -> Span:
    return Span(handle=handle, position=0, digests=(), label="", text=text, kind=kind)


def message(text: str) -> ArchivedMessage:
    return ArchivedMessage(digest=digest_of_text(text), json=text)


def checkpoint(
    name: str,
    *,
    session: str = "session",
    key: str | None = None,
    aliases: Sequence[str] = (),
    parent: str | None = None,
    depth: int = 1,
    spans: Sequence[Span] = (),
    kind: CheckpointKind = CheckpointKind.COMPACT,
    policy: str = "policy",
) -> Checkpoint:
    return Checkpoint(
        checkpoint_id=name,
        session_id=session,
        kind=kind,
        format=Format.ANTHROPIC,
        key=f"key of {name}" if key is None else key,
        key_count=3,
        absorbed_count=2,
        aliases=tuple(aliases),
        parent=parent,
        depth=depth,
        spans=tuple(spans),
        policy_digest=policy,
        record_json='{"items": []}',
    )
