"""What a session knows and does apart from driving the pipeline: shared by both drivers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from clew.budget import Calibration, ResolvedBudget
from clew.budget.measure import count_system, count_tools
from clew.budget.measured import resolve_measured
from clew.codecs import recognise
from clew.consult import Hooks
from clew.counters import resolve_counter
from clew.cuts import goal_index
from clew.errors import InvalidTranscriptError, PolicyError
from clew.events import Event
from clew.history import History
from clew.outcome import Compacted, Context, Held, Report
from clew.pipeline import Prepared
from clew.policy import Boundary, Policy, Why
from clew.ports import Redactor, Store, TokenCounter
from clew.record.apply import apply_delta
from clew.record.record import HandoffRecord
from clew.secrets import SecretRedactor
from clew.session.account import Account
from clew.session.agent_tools import RECALL_TOOL, offers_recall
from clew.session.consulting import Consulting
from clew.session.formats import Recognition
from clew.session.ledger import Reading
from clew.session.live import LiveView
from clew.session.looked import Looked
from clew.session.looks import Looks
from clew.session.notes import Notes, noted_at_compaction
from clew.session.persons import Persons
from clew.session.probing import Probing
from clew.session.redaction import RedactedMessages
from clew.session.reporting import Reporting
from clew.session.resumed import Resumed
from clew.session.status import Status, turns_left
from clew.session.summarizing import Summarizing
from clew.session.telling import Telling
from clew.session.usage import input_tokens
from clew.session.windows import catalogue_of, chosen_budget
from clew.session.wired import Wired
from clew.transcript import Format, digest_of
from clew.turn import Turn


class SessionCore:
    """State of one session between calls. Not for direct use; see Session and AsyncSession."""

    last_messages: Sequence[Any] | None = None
    last_system: Any = None
    last_tools: Any = None
    resumed: Resumed | None = None
    history: History | None = None
    context: Context | None = None
    spent_tokens: int = 0
    _wired: Wired | None = None
    _notes: Notes | None = None
    _signal: Boundary | None = None
    _signals = _signals_read = 0
    _awaited: Boundary | None = None
    _prefix: tuple[Any, Any, tuple[int, int]] | None = None
    _resolved: ResolvedBudget | None = None
    _futile_tokens = 0
    _first_key = ""

    def __init__(
        self,
        *,
        goal: str | None,
        policy: Policy | None,
        summarizer: Summarizing,
        store: Store,
        counter: TokenCounter | str | None,
        format: Format | str | None,
        session_id: str | None,
        model: str | None,
        redactor: Redactor | None,
        hooks: Hooks | Iterable[Hooks] | None = None,
        events: Callable[[Event], Any] | None = None,
    ) -> None:
        if session_id == "":
            raise PolicyError("is empty; leave it out to have one derived", where="session_id")
        self.goal = goal
        self.policy = policy or Policy()
        self.model = model or self.policy.model or None
        self.store = store
        self.summarizing = summarizer
        self.counter = resolve_counter(counter, self.model)
        self.calibration = Calibration()
        self.session_id = session_id
        self._formats = Recognition(Format(format) if format is not None else None)
        self._redacted = RedactedMessages(redactor or SecretRedactor())
        self._persons = Persons()
        self._looks = Looks(self._persons.is_ours)
        self._looked = Looked()
        self._budget, self.window_source, warning = chosen_budget(self.policy, self.model)
        self._policy_digest = self.policy.digest
        probing = Probing(self.policy.probes, store)
        self._reporting = Reporting(self.counter, self.window_source, warning, probing)
        self._account = Account(self.policy.ratios, catalogue_of(self.policy), self.model)
        self._begun, self.known = set[str](), set[str]()
        self._sizes: list[int] = []
        self._live = LiveView(self.model, allowed=self.policy.cached_prefix)
        self.telling = Telling(events, self.policy.warn_at)
        self.consulting = Consulting(hooks, self.notes, self.counter, self.telling.failed)

    @property
    def format(self) -> Format:
        """The wire format of this session; OpenAI chat while nothing was seen."""
        if self._wired is not None:
            return self._wired.codec.format
        return self._formats.declared or Format.OPENAI_CHAT

    def format_of(self, native: Any) -> Format:
        """The format to read a single native message with."""
        if self._wired is None and self._formats.declared is None:
            return recognise([native])
        return self.format

    # ---- one call ---------------------------------------------------------------------------

    def turn(
        self,
        messages: Sequence[Any],
        system: Any,
        tools: Any,
        *,
        asked: bool = False,
        asked_when_armed: bool = False,
        focus: str = "",
    ) -> tuple[Turn, Reading]:
        """Read a list of messages and gather everything the pipeline needs."""
        if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
            raise InvalidTranscriptError(
                f"the messages are a {type(messages).__name__}", expected="a list of messages"
            )
        messages = self.resumed.placed(messages) if self.resumed is not None else messages
        self.summarizing.waited_seconds = 0.0
        self._signals_read = self._signals
        wired = self._wire(messages, system, tools)
        reading = wired.ledger.read(messages)
        self._looks.follow(reading.messages, reading.stable_count)
        self.last_messages, self.last_system, self.last_tools = messages, system, tools
        self.session_id = self.session_id or self._derived_id(reading)
        self._place_notes(reading)
        resolved = self._resolved = self._resolve(reading, system, tools, wired)
        armed = self._scaled(reading.tokens) >= resolved.trigger_tokens
        return replace(
            self._looked.begin(self._turn(wired, reading, resolved), self.store),
            asked=armed if asked_when_armed else asked,
            given_keys=reading.given_keys,
            given_before=reading.given_before,
            focus=focus,
            recall_tool=RECALL_TOOL if offers_recall(tools) else "",
            awaited=self._awaited,
            consulted=self.consulting.steps,
            live=self._live.of(self.summarizing.chosen, self._prefix),
            written=self.summarizing.written,
            seen=self._persons.exchanges_seen(len(reading.messages)),
        ), reading

    def _place_notes(self, reading: Reading) -> None:
        self.telling.session_id = self.session_id or ""
        if self._notes is not None:
            self._notes.stand_at(reading.keys, reading.given_keys)
        notes = self.notes()
        notes.refresh()
        if notes.stand_at(reading.keys, reading.given_keys) and self.session_id is not None:
            notes.hold(noted_at_compaction(self.store, self.session_id, reading, self.known))

    def _turn(self, wired: Wired, reading: Reading, resolved: ResolvedBudget) -> Turn:
        notes = self.notes()
        self.summarizing.run_as(self.session_id or "")
        pins = notes.pins()
        ahead = self.summarizing.prefetching
        return Turn(
            session_id=self.session_id or self._key_of(""),
            messages=reading.messages,
            keys=reading.keys,
            wanted=partial(wired.bodies.wanted, reading),
            resume=partial(wired.bodies.history, reading),
            policy=self.policy,
            policy_digest=self._policy_digest,
            budget=resolved,
            codec=wired.codec,
            meter=wired.meter,
            shown=wired.shown,
            see=self._persons.see,
            is_person=self._persons.is_person,
            own=self._looks.own,
            redacted=self._redacted.message,
            redact_text=self._redacted.text,
            goal=self.goal,
            pins=tuple(pin.text for pin in pins if not pin.digest),
            message_pins=tuple((pin.digest, pin.text) for pin in pins if pin.digest),
            pinned_digests=frozenset(pin.digest for pin in pins if pin.digest),
            begun=frozenset(self._begun),
            notes_after=notes.delta,
            notes_upto=notes.upto,
            note_sequences=notes.sequences(),
            signal=self._signal,
            prefetch=ahead is not None,
            ahead=ahead.current(self.session_id or "") if ahead is not None else None,
            futile_tokens=self._futile_tokens,
            factor=self.calibration.factor,
            summarizer_reads=self.summarizing.reads_middle,
            removed=reading.removed,
            renamed=reading.renamed,
            known=self.known,
        )

    def _wire(self, messages: Sequence[Any], system: Any, tools: Any) -> Wired:
        """The parts for the format of these messages, which the first ones may leave open."""
        wired = self._wired
        if wired is None or self._formats.open:
            chosen = self._formats.format_of(messages, system, tools)
            if wired is None or wired.codec.format is not chosen:
                wired = self._wired = Wired(chosen, self.counter, self.resumed)
        return wired

    def _derived_id(self, reading: Reading) -> str | None:
        """From the goal and the first message, as given or as it went out; None without any."""
        if not reading.messages:
            return None
        derived = self._first_key = self._key_of(reading.messages[0].digest)
        return self.store.recollect(f"session:{derived}") or derived

    def _key_of(self, first_digest: str) -> str:
        return digest_of({"goal": self.goal, "first": first_digest})[:24]

    def _remember_first(self, prepared: Prepared) -> None:
        """A caller that keeps its contexts may come back with another first message."""
        out = prepared.rendered.messages
        if not self._first_key or not out:
            return
        self.notes().went_out(prepared.rendered)
        key = self._key_of(out[0].digest)
        if key not in (self._first_key, self.session_id):
            self.store.remember(f"session:{key}", self.session_id or "")
            self._first_key = key

    def _resolve(self, reading: Reading, system: Any, tools: Any, wired: Wired) -> ResolvedBudget:
        lead = sum(wired.meter.count(reading.lead))
        if self._prefix is not None and self._prefix[0] == system and self._prefix[1] == tools:
            counted = self._prefix[2]
        else:
            counted = (count_system(system, self.counter), count_tools(tools, self.counter))
            self._prefix = (system, tools, counted)
        system_tokens = self._scaled(counted[0] + lead)
        tools_tokens = self._scaled(counted[1])
        before = self._resolved
        if before is not None and before.prefix_tokens == system_tokens + tools_tokens:
            return before
        return resolve_measured(
            self._budget, system_tokens=system_tokens, tools_tokens=tools_tokens
        )

    def _scaled(self, tokens: int) -> int:
        return self.calibration.corrected(tokens)

    def notes(self) -> Notes:
        """The session's notes and pins."""
        if self._notes is None:
            shared = bool(self._first_key) or self.session_id is None
            self._notes = Notes(self.store, self.session_id, shared_id=shared)
        if self.session_id is not None:
            self._notes.bind(self.session_id)
        return self._notes

    # ---- after the pipeline -----------------------------------------------------------------

    def finished(
        self, turn: Turn, prepared: Prepared, reading: Reading, system: Any, started: float
    ) -> Context:
        """Dress a result as a Context and remember it; what came since counts from the next on."""
        self._remember_boundary(prepared)
        self._remember_first(prepared)
        self._remember_goal(prepared.history)
        self._live.went_out(prepared)
        self.history = prepared.history
        self._looked.end(prepared.history)
        self.known.update(prepared.history.passed)
        if self._wired is not None:
            self._wired.bodies.remember(prepared.history)
        report = self._reporting.report(
            prepared,
            reading,
            turn.budget,
            tokens_before=turn.scaled(reading.tokens),
            seconds=time.perf_counter() - started,
            waited_seconds=self.summarizing.waited_seconds,
        )
        self._sizes.append(prepared.tokens_after)
        report = self._account.entered(prepared, report)
        if told := self.telling.told(prepared.outcome, report, self._turns_left(report)):
            report = replace(report, warnings=(*report.warnings, *told))
        out = prepared.rendered.natives
        self.context = Context(messages=out, system=system, outcome=prepared.outcome, report=report)
        self._remember_attempt(prepared)
        self.spent_tokens += prepared.tokens_after + turn.budget.prefix_tokens
        return self.context

    def _remember_boundary(self, prepared: Prepared) -> None:
        """A boundary, or a signal, that came before its summary was ready still holds then."""
        outcome = prepared.outcome
        if isinstance(outcome, Held) and outcome.why is Why.PREPARING:
            self._awaited = outcome.boundary
            return
        if self._signals == self._signals_read:
            self._signal = None
        if isinstance(outcome, Compacted) or outcome.why is Why.ALREADY:
            self._awaited = None
            if self.summarizing.prefetching is not None:
                self.summarizing.prefetching.drop()

    def _remember_attempt(self, prepared: Prepared) -> None:
        """A summary that freed too little is not asked for again before new text came."""
        if prepared.outcome.why is Why.NOT_SMALLER:
            self._futile_tokens = prepared.tokens_after
        elif isinstance(prepared.outcome, Compacted):
            self._futile_tokens = 0
            self.summarizing.written.forget()

    def _remember_goal(self, history: History) -> None:
        goal_at = goal_index(history.body, self._persons.is_person)
        stubbed = {stub.position for stub in history.stubs}
        if goal_at is not None and history.positions[goal_at] not in stubbed:
            self._begun.add(history.body[goal_at].digest)

    def without_secrets(self, text: str) -> str:
        """A caller's own words as the record may hold them."""
        return self._redacted.text(text)

    # ---- what callers ask for ---------------------------------------------------------------

    def signal(self, boundary: Boundary, note: str = "") -> None:
        """Remember a boundary for the next call."""
        self._signal = Boundary(boundary)
        self._signals += 1

    def observe(self, usage: Any) -> None:
        """Learn from what the provider reported for the last prepared request."""
        reported = input_tokens(usage)
        if reported is None or self.context is None or self._resolved is None:
            return
        report = self.context.report
        counted = (report.tokens_after + report.prefix_tokens) / self.calibration.factor
        self.calibration = self.calibration.observe(
            estimated_tokens=round(counted), reported_tokens=reported
        )
        self._resolved = None

    def status(self) -> Status:
        """How full the window is."""
        report = self.context.report if self.context is not None else None
        used = report.tokens_after if report is not None else 0
        checkpoint = self.history.checkpoint if self.history is not None else None
        return Status(
            tokens_used=used,
            prefix_tokens=report.prefix_tokens if report is not None else 0,
            trigger=report.trigger if report is not None else 0,
            backstop=report.backstop if report is not None else 0,
            budget=report.budget if report is not None else 0,
            turns_left=self._turns_left(report) if report is not None else None,
            compactions=self.history.record.revision if checkpoint and self.history else 0,
            session_id=self.session_id or "",
            tokens_spent=self.spent_tokens + self.notes().delegated_tokens(),
            spending=self._account.total,
            summarizer=self._reporting.totals,
        )

    def _turns_left(self, report: Report) -> int | None:
        """Calls until the backstop at the growth of the latest ones."""
        return turns_left(self._sizes, report.backstop - report.tokens_after)

    def record(self) -> HandoffRecord:
        """The record in force, with the notes made since applied to it."""
        history = self.history
        record = history.record if history is not None else HandoffRecord()
        if not record.goal:
            record = replace(record, goal=self._goal_text())
        checkpoint = history.checkpoint if history is not None else None
        after = checkpoint.notes_applied if checkpoint is not None else 0
        delta = self.notes().delta(after)
        if delta is None:
            return record
        return apply_delta(record, delta, kinds=self.policy.kinds).record

    def _goal_text(self) -> str:
        if self.goal is not None:
            return self.goal
        body = self.history.body if self.history is not None else ()
        return next((m.text for m in body if self._persons.is_person(m)), "")
