"""What became of each operation that a model proposed, and what the records are worth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.summarizer.cassette import Heard, RecordedClient
from bench.summarizer.compactions import After, Case, folded
from clew.errors import SummarizerError
from clew.record.delta import Add, Delta, Operation, Supersede
from clew.replay.played import Coverage
from clew.session.summarizing import Summarizing
from clew.summarize.model import ModelSummarizer
from clew.summarize.parse import Context, Parsed, read_reply
from clew.summarize.reply import Unreadable
from clew.summarize.request import SummaryRequest
from clew.verify import Severity, verify_delta

_DETAIL = re.compile(r"[“'\"].*|\d[\d,]*")


class Kept:
    """A summarizer that remembers what it proposed before anybody checked it."""

    def __init__(self, model: ModelSummarizer) -> None:
        self._model = model
        self.proposed: Delta | None = None
        self.failure = ""

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def last_facts(self) -> dict[str, Any]:
        """The model's numbers."""
        return self._model.last_facts

    def propose(self, request: SummaryRequest) -> Delta:
        """What the model proposes."""
        try:
            self.proposed = self._model.propose(request)
        except SummarizerError as error:
            self.failure = error.problem
            raise
        return self.proposed


@dataclass(frozen=True, slots=True)
class Judged:
    """One operation and the rules whose errors drop it; none is an operation that stands."""

    operation: Operation
    rules: tuple[str, ...]
    problems: tuple[str, ...]
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer: its operations with what verification says, and what could not be read."""

    judged: tuple[Judged, ...] = ()
    left_out: tuple[str, ...] = ()
    unusable: str = ""


@dataclass(slots=True)
class Weighed:
    """One compaction with everything the tables count."""

    case: Case
    heard: list[Heard]
    answers: list[Answered]
    used: int
    failure: str
    both: After
    offline: After
    coverage_both: Coverage
    coverage_offline: Coverage
    findings: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    stale: int = 0
    fell_back: bool = False

    @property
    def accepted(self) -> list[Operation]:
        """What of the answer used stands."""
        answer = self.answers[self.used] if self.used >= 0 else Answered()
        return [each.operation for each in answer.judged if not each.rules]

    @property
    def repaired(self) -> list[Operation]:
        """What stands only since the answer after the findings."""
        if self.used < 1:
            return []
        before = {bare(e.operation) for e in self.answers[0].judged if not e.rules}
        return [operation for operation in self.accepted if bare(operation) not in before]


def weighed(case: Case, client: RecordedClient, model: ModelSummarizer) -> Weighed:
    """Run one compaction and judge every operation of every answer."""
    kept = Kept(model)
    proposed = Summarizing(kept).answer(case.request)
    both = folded(case, proposed, proposed.further)
    offline = folded(case, proposed, None)
    answers = [answered(case.request, heard) for heard in client.heard]
    known = {(item.kind, item.text) for item in offline.record.items}
    return Weighed(
        case=case,
        heard=client.heard,
        answers=answers,
        used=used_answer(answers, kept.proposed),
        failure=kept.failure,
        both=both,
        offline=offline,
        coverage_both=case.coverage(both.view.text),
        coverage_offline=case.coverage(offline.view.text),
        findings=proposed.warnings,
        new=tuple(i.id for i in both.record.items if (i.kind, i.text) not in known),
        stale=client.stale,
        fell_back=proposed.further is None,
    )


def answered(request: SummaryRequest, heard: Heard) -> Answered:
    """One reply with what verification says of each of its operations."""
    if heard.reply is None:
        return Answered(unusable=heard.error)
    parsed = read_reply(heard.reply, Context(kinds=request.kinds, spans=request.spans))
    if isinstance(parsed, Unreadable):
        return Answered(unusable=parsed.reason.value)
    return Answered(judged=tuple(judged(request, parsed)), left_out=parsed.problems)


def judged(request: SummaryRequest, parsed: Parsed) -> list[Judged]:
    """Every operation with the errors against it."""
    verdict = verify_delta(parsed.delta, request, request.kinds)
    found: list[Judged] = []
    for place, operation in enumerate(parsed.delta.operations, 1):
        own = [f for f in verdict.findings if f.item == f"operation {place}"]
        errors = [f for f in own if f.severity is Severity.ERROR]
        found.append(
            Judged(
                operation,
                tuple(dict.fromkeys(f.rule.value for f in errors)),
                tuple(f.problem for f in errors),
                any(f.severity is Severity.WARNING for f in own),
            )
        )
    return found


def used_answer(answers: Sequence[Answered], proposed: Delta | None) -> int:
    """Which of the answers the summarizer went on with; -1 when it gave up."""
    if proposed is None:
        return -1
    wanted = [bare(operation) for operation in proposed.operations]
    for place in range(len(answers) - 1, -1, -1):
        if [bare(each.operation) for each in answers[place].judged] == wanted:
            return place
    raise ValueError("the proposal is none of the answers: was the middle folded in parts?")


def bare(operation: Operation) -> Operation:
    """An operation without the local name of its item."""
    if isinstance(operation, Add | Supersede):
        return replace(operation, item=replace(operation.item, id=""))
    return operation


def kind_of_problem(problem: str) -> str:
    """A problem without its particulars, for counting."""
    said = problem.rpartition(" was left out: ")[2]
    return _DETAIL.sub("…", said.partition(" (")[0]).strip(" …:") or said


def counted(problems: Sequence[str]) -> list[tuple[str, int]]:
    """Kinds of problems, the most frequent first."""
    return Counter(map(kind_of_problem, problems)).most_common()
