"""What a delegated agent answers: read leniently, believed as far as its archive bears it out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.codecs import codec_for
from clew.history import History
from clew.ports import Checkpoint, Codec, Store, TokenCounter
from clew.record.claims import one_line
from clew.record.items import Evidence
from clew.record.record import HandoffRecord
from clew.session import Delegation
from clew.session.paging import Pager
from clew.transcript import Role

KINDS = ("fact", "dead_end", "artifact")
"""What another agent may add to the record: what it saw, never what to do."""

QUOTE_CHARS = 300
"""The longest quote that goes over to the parent."""

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One claim; each evidence names a span of the child's archive as `<session>:S-4`."""

    claim: str
    kind: str = "fact"
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an agent gave back.

    `messages` is its whole transcript (None: what its session last prepared), `tokens` what it
    reports to have spent (0: what its session counted).
    """

    findings: tuple[Finding, ...] = ()
    acknowledged: tuple[str, ...] = ()
    messages: Sequence[Any] | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Findings that hold, and claims that do not or that did not fit."""

    findings: tuple[Finding, ...] = ()
    unresolved: tuple[str, ...] = ()
    over_cap: tuple[str, ...] = ()


def read_answer(said: Any) -> Answer:
    """An answer out of whatever an agent returned: an Answer, an object, or text with JSON in it.

    What is no finding is left out; a text without JSON is an answer without findings.
    """
    if isinstance(said, Answer):
        return said
    if isinstance(said, str):
        match = _OBJECT.search(said)
        try:
            said = json.loads(match[0]) if match else {}
        except (ValueError, RecursionError):
            said = {}
    if not isinstance(said, Mapping):
        return Answer()
    messages = said.get("messages")
    tokens = said.get("tokens")
    return Answer(
        findings=tuple(_finding(row) for row in _list(said.get("findings")) if _claim(row)),
        acknowledged=tuple(str(name) for name in _list(said.get("acknowledged"))),
        messages=messages if isinstance(messages, Sequence) and messages else None,
        tokens=tokens if isinstance(tokens, int) and tokens > 0 else 0,
    )


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _claim(row: Any) -> str:
    claim = row.get("claim") if isinstance(row, Mapping) else None
    return claim.strip() if isinstance(claim, str) else ""


def _finding(row: Mapping[str, Any]) -> Finding:
    kind = row.get("kind")
    evidence = [
        Evidence(span=str(e.get("span", "")), quote=str(e.get("quote", "")))
        for e in _list(row.get("evidence"))
        if isinstance(e, Mapping)
    ]
    return Finding(
        claim=_claim(row), kind=kind if kind in KINDS else "fact", evidence=tuple(evidence)
    )


def judge(
    answer: Answer, store: Store, run: Delegation, *, counter: TokenCounter, token_cap: int
) -> Judged:
    """Keep the findings whose every quote stands in a tool result of the child, up to the cap."""
    checkpoint = store.checkpoint(run.checkpoint_id)
    results = _results(store, checkpoint) if checkpoint is not None else {}
    kept: list[Finding] = []
    unresolved: list[str] = []
    over: list[str] = []
    left = token_cap
    for finding in answer.findings:
        evidence = [_resolved(e, results, run.session_id) for e in finding.evidence]
        sound = tuple(e for e in evidence if e is not None)
        if not sound or len(sound) < len(evidence):
            unresolved.append(finding.claim)
            continue
        found = Finding(claim=finding.claim, kind=finding.kind, evidence=sound)
        size = counter.count_text("\n".join([found.claim, *(e.quote for e in sound)]))
        if size > left:
            over.append(finding.claim)
            continue
        left -= size
        kept.append(found)
    return Judged(findings=tuple(kept), unresolved=tuple(unresolved), over_cap=tuple(over))


def _results(store: Store, checkpoint: Checkpoint) -> dict[str, str]:
    """The text of the tool results in each span of an archive, blanks as one."""
    pager, history = Pager(store), History.at(checkpoint)
    codec = codec_for(checkpoint.format)
    texts: dict[str, str] = {}
    for span in pager.spans(history):
        if span.kind == "span":
            natives = json.loads(pager.recall(span.handle, history, HandoffRecord()))
            texts[span.handle] = one_line("\n".join(_given(codec, natives)))
    return texts


def _given(codec: Codec, natives: Sequence[Any]) -> list[str]:
    """What tools gave; an agent's own words are no evidence."""
    texts: list[str] = []
    for index, native in enumerate(natives):
        message = codec.parse(native, index)
        texts.extend(result.text for result in message.results)
        if message.role is Role.TOOL:
            texts.append(message.text)
    return texts


def _resolved(evidence: Evidence, results: Mapping[str, str], session_id: str) -> Evidence | None:
    quote = one_line(evidence.quote)
    if not quote or len(quote) > QUOTE_CHARS:
        return None
    named = evidence.span.rpartition(":")[2].strip()
    order = sorted(results, key=lambda handle: handle != named)
    for handle in order:
        if quote in results[handle]:
            return Evidence(span=f"{session_id}:{handle}", quote=quote)
    return None
