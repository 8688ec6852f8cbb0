"""The summarizer with a model behind it.

Read `_steps` first: plan the parts, ask for each, check, repair once, put together. The session
checks the delta again, applies it operation by operation and fills its gaps with the offline one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from clew.errors import SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest, Prices
from clew.record.delta import Delta
from clew.record.items import Item, Proposer
from clew.summarize.asking import Answer, Asker, Read, TooLongError
from clew.summarize.breaker import CallLimits
from clew.summarize.chunks import fits, plan_parts
from clew.summarize.effects import Now, Steps, Surroundings, adrive, drive
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.findings import (
    Checked,
    accounting,
    place_of,
    speaks_of_new,
    with_operation,
)
from clew.summarize.folding import Folding
from clew.summarize.live import live_request, reason_against
from clew.summarize.merge import proposed_items
from clew.summarize.parse import Context, Parsed, read_reply
from clew.summarize.prompt import (
    Asking,
    Part,
    ReplyStyle,
    Room,
    model_request,
    prompt_file,
)
from clew.summarize.reply import Unreadable
from clew.summarize.request import Earlier, SummaryRequest

Check = Callable[[Delta, SummaryRequest], Sequence[str]]
"""What is wrong with a delta, one sentence a finding; empty when nothing is."""

_MOST_SHRINKS: Final = 4
_FINDINGS_SHOWN: Final = 20
_FINDING_CHARS: Final = 400
_MEMORY: Final = 128
_OUTPUT_TOKENS: Final = (1_500, 8_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOutcome:
    """A proposed delta and what it took.

    `facts` are numbers for the report (calls planned and made, tokens, cost, seconds, findings),
    `warnings` what went wrong on the way.
    """

    delta: Delta
    summarizer: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class ModelSummarizer:
    """Asks a model for operations on the record, a second model when the first fails.

    It may be asked in the `background`: nothing of one compaction is shared with another but what
    is remembered.

    `check` gives the findings for the one repair round. `recollect` and `remember` are a store's:
    with them, breaker, counts and answers survive a restart. `max_output_tokens` None follows the
    record's target size, `window_tokens` lowers what the client says of its model. `run_id` names
    the run whose calls are counted together. `structured=False` asks in the plain form.
    """

    background = True

    def __init__(
        self,
        client: ModelClient,
        fallback_client: ModelClient | None = None,
        *,
        check: Check | None = None,
        recollect: Callable[[str], str | None] | None = None,
        remember: Callable[[str, str], None] | None = None,
        limits: CallLimits | None = None,
        max_output_tokens: int | None = None,
        window_tokens: int | None = None,
        run_id: str = "",
        prices: Prices | None = None,
        structured: bool = True,
        offline: Callable[[SummaryRequest], Delta] | None = None,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        asleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clients = (client,) if fallback_client is None else (client, fallback_client)
        self._check = check
        self._limits = limits or CallLimits()
        self._max_output_tokens = max_output_tokens
        self._window_tokens = window_tokens
        self._run_named = bool(run_id)
        self._run_key = f"summarizer-run/{run_id or f'process-{id(self):x}'}"
        self._prices = prices
        self._structured = structured
        self._offline = offline or ExtractiveSummarizer().propose
        own = _Memory()
        self._around = Surroundings(
            recollect=recollect or own.recollect,
            remember=remember or own.remember,
            now=now,
            sleep=sleep,
            asleep=asleep,
        )
        self.last_facts: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """`provider:model` of the model that is asked first."""
        return self._clients[0].name

    def count_under(self, run_id: str) -> None:
        """Count the calls under this run from now on, unless one was named at the start."""
        if run_id and not self._run_named:
            self._run_key = f"summarizer-run/{run_id}"

    def propose(self, request: SummaryRequest) -> Delta:
        """The operations that fold the spans into the record; raises SummarizerError."""
        return self.propose_with_facts(request).delta

    async def apropose(self, request: SummaryRequest) -> Delta:
        """The same, awaited; safe to cancel."""
        return (await self.apropose_with_facts(request)).delta

    def propose_with_facts(
        self, request: SummaryRequest, earlier: Earlier | None = None
    ) -> ModelOutcome:
        """The proposed delta with its numbers; raises SummarizerError.

        With `earlier` only the spans that it does not speak of are asked for, and the delta holds
        the operations of both.
        """
        return drive(self._steps(request, earlier), self._around)

    async def apropose_with_facts(
        self, request: SummaryRequest, earlier: Earlier | None = None
    ) -> ModelOutcome:
        """The same, awaited; safe to cancel."""
        return await adrive(self._steps(request, earlier), self._around)

    # -- the algorithm --

    def _steps(self, request: SummaryRequest, earlier: Earlier | None) -> Steps[ModelOutcome]:
        started: float = yield Now()
        folding = Folding(
            request=request,
            asker=self._asker(request),
            offline=self._offline(request),
            pending=request.spans,
        )
        if earlier is not None:
            folding.go_on(earlier)
        try:
            window = yield from folding.asker.window()
            while folding.pending:
                window = yield from self._fold(folding, window)
            if not folding.operations:
                raise SummarizerError("proposes nothing", summarizer=self.name)
            delta = Delta(
                operations=folding.operations,
                proposed_by=Proposer.MODEL,
                summarizer=folding.answered_by,
            )
            seconds = (yield Now()) - started
        finally:
            self.last_facts = folding.facts()
        facts = {**self.last_facts, "seconds": round(seconds, 3)}
        self.last_facts = facts
        return ModelOutcome(
            delta=delta,
            summarizer=folding.answered_by,
            facts=facts,
            warnings=tuple(dict.fromkeys(folding.asker.books.failures)),
        )

    def _fold(self, folding: Folding, window_tokens: int) -> Steps[int]:
        """Fold what is pending; gives the window for the next attempt when one was too long."""
        try:
            asking = self._asking(folding, window_tokens)
            if (yield from self._from_live(folding, asking, window_tokens)):
                return window_tokens
            plan = plan_parts(
                asking,
                folding.pending,
                window_tokens=window_tokens,
                max_parts=max(1, folding.asker.most_parts - folding.parts_done),
            )
            folding.planned(plan)
            for part in plan.parts:
                yield from self._fold_part(folding, asking, part, window_tokens)
        except TooLongError as error:
            if folding.asker.books.shrunk >= _MOST_SHRINKS:
                problem = f"{folding.asker.books.shrunk + 1} requests were refused as too long"
                raise SummarizerError(problem, summarizer=error.client.name) from error
            yield from folding.asker.note_window(error)
            return min(error.window_tokens, window_tokens - 1)
        except SummarizerError:
            # What earlier parts brought is kept; the offline delta fills the rest.
            if not folding.operations:
                raise
            folding.pending = ()
        return window_tokens

    def _from_live(self, folding: Folding, asking: Asking, window_tokens: int) -> Steps[bool]:
        """Fold all that is pending behind the agent's live prompt, where that is cheaper.

        Whatever stands against it is noted, and the fresh prompt is asked.
        """
        live = folding.request.live
        if live is None or folding.cached_prefix:
            return False
        client = self._clients[0]
        carried = proposed_items(folding.operations)
        rates = self._prices.rates(client.name) if self._prices is not None else None
        against = reason_against(asking, folding.pending, client, rates, window_tokens)
        folding.cached_prefix = against or "used"
        if against:
            return False
        part = Part(spans=folding.pending, texts=())
        read = self._reader(folding, asking)
        built = live_request(asking, part, live, carried)
        answer = yield from folding.asker.ask_live(client, built, read)
        if isinstance(answer, str):
            folding.cached_prefix = answer
            return False
        best = yield from self._repaired(folding, part, answer, read)
        folding.take(part, best)
        return True

    def _reader(self, folding: Folding, asking: Asking) -> Read:
        context = Context(
            kinds=folding.request.kinds,
            spans=folding.request.spans,
            first_number=folding.next_number(),
            max_reply_chars=_most_chars(asking.max_output_tokens),
        )

        def read(reply: ModelReply) -> Parsed | Unreadable:
            return read_reply(reply, context)

        return read

    def _fold_part(
        self, folding: Folding, asking: Asking, part: Part, window_tokens: int
    ) -> Steps[None]:
        carried = proposed_items(folding.operations)

        def build(style: ReplyStyle) -> ModelRequest:
            return _fitted(asking, part, style, carried, window_tokens)

        read = self._reader(folding, asking)
        answer = yield from folding.asker.ask(build, read)
        best = yield from self._repaired(folding, part, answer, read)
        folding.take(part, best)

    def _repaired(self, folding: Folding, part: Part, answer: Answer, read: Read) -> Steps[Answer]:
        """The answer, or the second one when more of it stands."""
        first = self._checked(folding, part, answer.parsed)
        folding.findings += len(first.findings)
        if not first.findings:
            return answer
        shown = [f"- {finding[:_FINDING_CHARS]}" for finding in first.findings[:_FINDINGS_SHOWN]]
        word = prompt_file("repair").replace("{findings}", "\n".join(shown))
        second = yield from folding.asker.follow_up(answer, word, read)
        if second is not None:
            again = self._checked(folding, part, second.parsed)
            if again.better_than(first):
                folding.findings_left += len(again.findings)
                return second
        folding.findings_left += len(first.findings)
        return answer

    def _checked(self, folding: Folding, part: Part, parsed: Parsed) -> Checked:
        """What is wrong with the answer to one part, as far as that part can tell."""
        request, operations = folding.request, parsed.delta.operations
        found = list(parsed.problems)
        faulty: set[int] = set()
        if self._check is not None:
            own = tuple(o for o in operations if not speaks_of_new(o))
            delta = replace(parsed.delta, operations=(*own, *accounting(folding.offline)))
            for finding in self._check(delta, replace(request, spans=part.spans)):
                place = place_of(finding)
                if place <= len(own):
                    found.append(with_operation(finding, own))
                    faulty.add(place)
        return Checked(findings=tuple(found), sound=len(operations) - len(faulty - {0}))

    # -- values --

    def _asker(self, request: SummaryRequest) -> Asker:
        return Asker(
            self._clients,
            self._limits,
            request.counter,
            window_tokens=self._window_tokens,
            run_key=self._run_key,
            prices=self._prices,
            structured=self._structured,
        )

    def _asking(self, folding: Folding, window_tokens: int) -> Asking:
        output = self._max_output_tokens or _output_tokens(folding.request, window_tokens)
        return Asking(
            request=folding.request,
            room=Room(input_tokens=max(1, window_tokens - output)),
            max_output_tokens=output,
            offline=folding.offline,
        )


class _Memory:
    """What is remembered where there is no store: for this process, a bounded number of texts."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def recollect(self, key: str) -> str | None:
        return self._kept.get(key)

    def remember(self, key: str, value: str) -> None:
        self._kept.pop(key, None)
        self._kept[key] = value
        if len(self._kept) > _MEMORY:
            self._kept.pop(next(iter(self._kept)))


def _fitted(
    asking: Asking, part: Part, style: ReplyStyle, carried: Sequence[Item], window_tokens: int
) -> ModelRequest:
    """The request for a part, without what is only helpful where its tokens came out larger."""
    request = model_request(asking, part, style=style, carried=carried)
    if fits(request, asking, window_tokens):
        return request
    bare = replace(part, before=())
    lean = replace(asking, offline=None)
    return model_request(lean, bare, style=style)


def _output_tokens(request: SummaryRequest, window_tokens: int) -> int:
    """Reserved output: four times the record's target (quotes and JSON), a quarter of the window.

    The factor covers the quotes and the marks of the JSON form around each claim.
    """
    least, most = _OUTPUT_TOKENS
    return max(1, min(most, max(least, 4 * request.target_tokens), window_tokens // 4))


def _most_chars(max_output_tokens: int) -> int:
    """Longest answer that is read: no model writes more than this in so many tokens."""
    return max(20_000, 12 * max_output_tokens)
