"""Run a sub-task in a context of its own; only findings with evidence that resolves come back.

    found = delegate(session, "Which tests cover the pool adapter?", run_agent, items=("X-2",))

The agent is any callable. It gets an Assignment (its own session and the first messages), works
as it likes, and answers with the JSON object that it was asked for.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from clew.codecs import codec_for
from clew.delegate.findings import Answer, Finding, Judged, judge, read_answer
from clew.document import HandoffDocument, baseline_of
from clew.errors import RecordError
from clew.policy import Policy
from clew.record.items import Evidence, Item, Speaker
from clew.record.record import HandoffRecord
from clew.session import AsyncSession, Delegation, Session, SessionBase
from clew.session.agent_tools import ToolRow, definitions
from clew.transcript import Format, Role, digest_of

DELEGATE_TOOL = "clew_delegate"
TOKEN_CAP = 1_000
"""What the findings of one sub-task may add to the parent's record, unless told otherwise."""

_TOOL: ToolRow = (
    DELEGATE_TOOL,
    (
        "Have a sub-task done in a context of its own. Only findings with evidence come back. "
        "items are handles of the record (such as D-3) that the other agent needs to know."
    ),
    {"task": {"type": "string"}, "items": {"type": "array", "items": {"type": "string"}}},
    ("task",),
)
_FORM = (
    '{"acknowledged": ["R-1"], "findings": [{"kind": "fact", "claim": "one sentence", '
    '"evidence": [{"quote": "words exactly as a tool gave them"}]}]}'
)

_S = TypeVar("_S", bound=SessionBase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(Generic[_S]):
    """What the receiving agent gets: a session of its own and the first messages for it."""

    task: str
    session: _S
    messages: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegated:
    """What came back.

    `findings` are in the parent's record now. `unresolved` are claims whose evidence is not in the
    child's archive, `over_cap` those that did not fit, `unacknowledged` the invariants that the
    receiver did not confirm: then nothing enters the parent. `tokens` were spent by the child.
    """

    task: str
    session_id: str
    checkpoint_id: str
    findings: tuple[Finding, ...] = ()
    unresolved: tuple[str, ...] = ()
    over_cap: tuple[str, ...] = ()
    acknowledged: tuple[str, ...] = ()
    unacknowledged: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def text(self) -> str:
        """The findings for the agent that asked: claims with handles, nothing else."""
        if self.unacknowledged:
            return f"Nothing was taken over: {', '.join(self.unacknowledged)} not acknowledged."
        lines = [
            f"- {finding.claim} ({', '.join(e.span for e in finding.evidence)})"
            for finding in self.findings
        ]
        if self.unresolved:
            lines.append(f"{len(self.unresolved)} claims had no evidence that could be found.")
        if self.over_cap:
            lines.append(f"{len(self.over_cap)} findings were over the limit.")
        return "\n".join(lines) or "Nothing was found."


def delegate(
    parent: SessionBase,
    task: str,
    agent: Callable[[Assignment[Session]], Any],
    *,
    items: Sequence[str] = (),
    constraints: Sequence[str] | None = None,
    token_cap: int = TOKEN_CAP,
    **options: Any,
) -> Delegated:
    """Run `task` through `agent` and take its findings into the parent's record.

    `items` names what of the record the receiver gets; `constraints` None adds every invariant that
    holds. `options` are those of the child's Session. Raises RecordError for an unknown item;
    what the agent raises is passed on, its tokens are counted all the same.
    """
    brief = _brief(parent, task, items, constraints)
    child = Session.resume(brief.document, **_options(parent, brief, options))
    answer = Answer()
    try:
        answer = read_answer(agent(_assignment(brief, child)))
    finally:
        last = child.handoff(messages=answer.messages)
        run = _remembered(parent, child, last, answer)
    return _received(parent, brief, run, answer, token_cap)


async def adelegate(
    parent: SessionBase,
    task: str,
    agent: Callable[[Assignment[AsyncSession]], Awaitable[Any] | Any],
    *,
    items: Sequence[str] = (),
    constraints: Sequence[str] | None = None,
    token_cap: int = TOKEN_CAP,
    **options: Any,
) -> Delegated:
    """The same, awaited; see delegate."""
    brief = _brief(parent, task, items, constraints)
    child = AsyncSession.resume(brief.document, **_options(parent, brief, options))
    answer = Answer()
    try:
        said = agent(_assignment(brief, child))
        answer = read_answer(await said if inspect.isawaitable(said) else said)
    finally:
        last = await child.handoff(messages=answer.messages)
        run = _remembered(parent, child, last, answer)
    return _received(parent, brief, run, answer, token_cap)


def definition(format: Format | str) -> list[dict[str, Any]]:
    """The native definition of a tool through which an agent delegates."""
    return definitions(Format(format), (_TOOL,))


def call_delegate(
    parent: SessionBase,
    arguments: Mapping[str, Any] | str,
    agent: Callable[[Assignment[Session]], Any],
    **options: Any,
) -> str:
    """Run the tool for an agent; what it wrote wrongly comes back as a sentence."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
        task, items = given["task"], given.get("items") or ()
        if not isinstance(task, str) or not all(isinstance(item, str) for item in items):
            raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError):
        return "Error: the arguments are an object with a task and handles as items."
    try:
        return delegate(parent, task, agent, items=items, **options).text
    except RecordError as error:
        return f"Error: {error}."


# ---- the brief ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Brief:
    document: HandoffDocument
    session_id: str
    invariants: tuple[str, ...]
    instructions: str


def _brief(
    parent: SessionBase, task: str, items: Sequence[str], constraints: Sequence[str] | None
) -> _Brief:
    if not task.strip():
        raise RecordError("a sub-task needs a text")
    record = parent.record
    rules = [item for item in record.of_kind("invariant") if item.live]
    if constraints is not None:
        rules = [_named(record, name) for name in constraints]
    named = [_named(record, name) for name in items]
    seeded = tuple(dict.fromkeys(_seed(item) for item in (*rules, *named)))
    seed = HandoffRecord(goal=task, items=seeded)
    pins = parent.pins
    invariants = tuple(item.id for item in seeded if item.kind == "invariant")
    number = len(parent.delegations)
    child_id = digest_of(["delegated", parent.session_id, number, task, list(items)])[:24]
    document = HandoffDocument(
        record=seed,
        session=parent.session_id or "",
        format=parent.wire_format.value,
        pins=pins,
        baseline=baseline_of(seed, pins),
    )
    return _Brief(
        document=document,
        session_id=child_id,
        invariants=invariants,
        instructions=_instructions(record.goal, invariants),
    )


def _named(record: HandoffRecord, name: str) -> Item:
    item = record.get(name)
    if item is None:
        raise RecordError("is no item of the record, so it cannot be handed over", item=name)
    return item


def _seed(item: Item) -> Item:
    """An item for another archive: its spans would name something else there."""
    quotes = tuple(Evidence(span="", quote=e.quote) for e in item.evidence if e.quote)
    return replace(item, evidence=quotes, externalised=False, superseded_by="")


def _instructions(goal: str, invariants: Sequence[str]) -> str:
    first = "Do the task above and nothing else."
    if goal:
        first += f" It is part of a larger goal that is not yours to finish:\n\n{goal}\n"
    form = (
        "Everything you find out has to rest on what a tool gave you. When you are done, answer "
        f"with one JSON object of this form and nothing else:\n{_FORM}"
    )
    lines = [first, form]
    if invariants:
        lines.append(
            f"These invariants hold for you too; name each of them in `acknowledged`: "
            f"{', '.join(invariants)}."
        )
    return "\n".join(lines)


def _options(parent: SessionBase, brief: _Brief, options: Mapping[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {
        "store": parent.store,
        "session_id": brief.session_id,
        "policy": parent.policy,
        **options,
    }
    policy = given["policy"]
    assert policy is None or isinstance(policy, Policy)
    return given


def _assignment(brief: _Brief, child: _S) -> Assignment[_S]:
    native = codec_for(child.wire_format).text_message(Role.USER, brief.instructions)
    return Assignment(task=brief.document.goal, session=child, messages=(*child.opening, native))


# ---- what comes back ------------------------------------------------------------------------


def _remembered(
    parent: SessionBase, child: SessionBase, last: HandoffDocument, answer: Answer
) -> Delegation:
    spent = child.status().tokens_spent
    run = Delegation(
        session_id=child.session_id or "",
        checkpoint_id=last.checkpoint,
        tokens=max(answer.tokens, spent),
    )
    parent.delegated(run)
    return run


def _received(
    parent: SessionBase, brief: _Brief, run: Delegation, answer: Answer, token_cap: int
) -> Delegated:
    missing = tuple(i for i in brief.invariants if i not in answer.acknowledged)
    judged = Judged()
    if not missing:
        judged = judge(answer, parent.store, run, counter=parent.counter, token_cap=token_cap)
    for finding in judged.findings:
        parent.note(finding.kind, finding.claim, evidence=finding.evidence, said_by=Speaker.AGENT)
    return Delegated(
        task=brief.document.goal,
        session_id=run.session_id,
        checkpoint_id=run.checkpoint_id,
        findings=judged.findings,
        unresolved=judged.unresolved,
        over_cap=judged.over_cap,
        acknowledged=tuple(i for i in brief.invariants if i in answer.acknowledged),
        unacknowledged=missing,
        tokens=run.tokens,
    )
