"""Long lives of sessions: everything a caller may do, in any order, with bad summarizers."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import clew
from clew.transcript import Format
from tests.laws.callers import POOL, Caller
from tests.laws.players import budget_of, call_points, said_by_user
from tests.laws.profile import sessions
from tests.laws.summarizers import SCRIPTS, Scripted
from tests.strategies import holds_results
from tests.telling import TELLERS, Native

MOST_CALLERS = 3
BOUNDARIES = (clew.Boundary.SUBTASK_DONE, clew.Boundary.TESTS_FINISHED, clew.Boundary.PHASE_CHANGED)
callers = st.integers(0, MOST_CALLERS - 1)


class Sessions(RuleBasedStateMachine):
    """One to three callers over one store; every context is judged by every rule."""

    wire: Format

    @initialize(
        seed=st.integers(0, 2**32 - 1),
        window=st.integers(1_200, 4_000),
        script=st.sampled_from(["", *SCRIPTS]),
        keeps=st.booleans(),
        counter=st.sampled_from(("estimate", "chars4")),
    )
    def begin(self, seed: int, window: int, script: str, keeps: bool, counter: str) -> None:
        """One caller with a goal."""
        self.policy = clew.Policy(budget_of(window))
        self.counter = counter
        self.script = script
        self.serial = 0
        self.store = clew.Session(format=self.wire).store
        teller = TELLERS[self.wire](Random(seed), POOL)
        first = self._caller(teller, keeps)
        opening = teller.opening()
        first.given.extend(opening)
        first.truth.extend(opening)
        first.say("user")
        first.prepare()
        self.callers = [first]

    def _caller(self, teller: Any, keeps: bool) -> Caller:
        summarizer = Scripted(self.script, SCRIPTS[self.script]) if self.script else None
        session = self._session(summarizer)
        return Caller(
            wire=self.wire, session=session, teller=teller, keeps=keeps, summarizer=summarizer
        )

    def _session(self, summarizer: Scripted | None) -> clew.Session:
        return clew.Session(
            policy=self.policy,
            format=self.wire,
            counter=self.counter,
            store=self.store,
            summarizer=summarizer or "extractive",
        )

    def _pick(self, number: int) -> Caller:
        return self.callers[number % len(self.callers)]

    # ---- what goes on in a run --------------------------------------------------------------

    @rule(number=callers, steps=st.integers(1, 6), speaks=st.booleans())
    def go_on(self, number: int, steps: int, speaks: bool) -> None:
        """The model calls tools or answers, a person speaks; the model is called in between."""
        caller = self._pick(number)
        for step in range(steps):
            if caller.state == "text":
                kind = "user"
            else:
                kind = "text" if speaks and step == steps - 2 else "calls"
            caller.say(kind)
            if kind != "text":
                caller.prepare()

    @rule(number=callers)
    def late_results(self, number: int) -> None:
        """Results of jobs come in long after their calls (Responses only)."""
        caller = self._pick(number)
        late = getattr(caller.teller, "late", [])
        if late and caller.state != "text":
            caller.given.extend(late)
            caller.truth.extend(late)
            late.clear()
            caller.changed = True
            caller.prepare()

    @rule(number=callers, factor=st.floats(0.5, 2.0))
    def observe(self, number: int, factor: float) -> None:
        """The provider counts otherwise, by up to a factor of two."""
        caller = self._pick(number)
        if caller.last is not None:
            report = caller.last.report
            caller.session.observe(int((report.tokens_after + report.prefix_tokens) * factor))

    @rule(number=callers, boundary=st.sampled_from(BOUNDARIES), note=st.sampled_from(("", "ok")))
    def signal(self, number: int, boundary: clew.Boundary, note: str) -> None:
        """A boundary is reached."""
        self._pick(number).session.signal(boundary, note)

    @rule(number=callers)
    def note(self, number: int) -> None:
        """The agent keeps a finding."""
        self.serial += 1
        self._pick(number).session.note("fact", f"Finding {self.serial} holds.")

    @rule(number=callers)
    def pin(self, number: int) -> None:
        """A text is pinned for this session, and so for all that share its id."""
        self.serial += 1
        caller = self._pick(number)
        text = f"Pin {self.serial}: keep this line."
        pin_id = caller.session.pin(text)
        caller.pins[pin_id] = text
        for other in self.callers:
            if other is not caller:
                other.pinned_elsewhere.add(text)
        self._shared_change()

    @precondition(lambda self: any(caller.pins for caller in self.callers))
    @rule(number=callers)
    def unpin(self, number: int) -> None:
        """The oldest pin is let go."""
        caller = self._pick(number)
        for pin_id in list(caller.pins)[:1]:
            caller.session.unpin(pin_id)
            del caller.pins[pin_id]
            self._shared_change()

    def _shared_change(self) -> None:
        """Sessions of one id and one history have one set of pins: each prefix may change."""
        for caller in self.callers:
            caller.changed = True

    @rule(number=callers)
    def compact(self, number: int) -> None:
        """Now, please."""
        caller = self._pick(number)
        if caller.last is None or caller.state == "text":
            return
        caller.prepare()
        try:
            context = caller.session.compact()
        except clew.FloorExceededError:
            return
        caller.changed = True
        if caller.keeps:
            caller.given = list(context.messages)
        caller.prepare()

    # ---- what happens to a run --------------------------------------------------------------

    @rule(number=callers, share=st.floats(0.2, 1.0))
    def rewind(self, number: int, share: float) -> None:
        """The caller goes back to a point where the model was called."""
        caller = self._pick(number)
        places = [at for at in _call_places(self.wire, caller) if _place_in(caller, at) is not None]
        if places:
            at = places[int((len(places) - 1) * share)]
            last = _place_in(caller, at)
            assert last is not None
            caller.given = caller.given[:at]
            caller.truth = caller.truth[: last + 1]
            caller.state, caller.changed = "calls", True
            caller.prepare()

    @rule(number=callers, share=st.floats(0.0, 1.0))
    def edit(self, number: int, share: float) -> None:
        """The caller changes an earlier message of a person; the first one is another goal."""
        caller = self._pick(number)
        places = _persons(self.wire, caller)
        if not places or caller.state == "text":
            return
        choice = int((len(places) - 1) * share)
        at, place = places[choice]
        said = caller.teller.user()[0]
        if place == _persons_in(self.wire, caller.truth)[0]:
            caller.goal = ""
        caller.given[at] = caller.truth[place] = said
        caller.spoken += "\n" + said_by_user(self.wire, [said])
        caller.changed = True
        caller.prepare()

    @precondition(lambda self: len(self.callers) < MOST_CALLERS)
    @rule(number=callers, keeps=st.booleans())
    def fork(self, number: int, keeps: bool) -> None:
        """A second process goes on from the same point, on the same store."""
        caller = self._pick(number)
        if caller.pins or caller.state == "text":
            return
        fork = self._caller(copy.deepcopy(caller.teller), keeps or caller.keeps)
        fork.given, fork.truth = list(caller.given), list(caller.truth)
        fork.spoken, fork.goal, fork.state = caller.spoken, caller.goal, caller.state
        self.callers.append(fork)
        fork.prepare()

    @rule(number=callers)
    def restart(self, number: int) -> None:
        """The process dies between two calls; a new one goes on with the same messages."""
        caller = self._pick(number)
        if caller.pins:
            return  # pins follow the history they were made in, and this one may have been edited
        caller.session = self._session(caller.summarizer)
        caller.changed = True
        if caller.state != "text":
            caller.prepare()


def _call_places(wire: Format, caller: Caller) -> list[int]:
    return [at for at in call_points(wire, caller.given) if at < len(caller.given)]


def _place_in(caller: Caller, at: int) -> int | None:
    last = caller.given[at - 1]
    return next((n for n, message in enumerate(caller.truth) if message is last), None)


def _persons_in(wire: Format, messages: list[Native]) -> list[int]:
    return [n for n, m in enumerate(messages) if m.get("role") == "user" and not holds_results(m)]


def _persons(wire: Format, caller: Caller) -> list[tuple[int, int]]:
    found = []
    for at in _persons_in(wire, caller.given):
        place = _place_in(caller, at + 1)
        if place is not None:
            found.append((at, place))
    return found


@pytest.mark.parametrize("wire", [pytest.param(wire, id=wire.value) for wire in Format])
def test_whatever_happens_in_a_life_of_sessions_the_laws_hold(wire: Format) -> None:
    machine = type("SessionsOf", (Sessions,), {"wire": wire})
    run_state_machine_as_test(machine, settings=sessions(6, steps=18))


@pytest.mark.parametrize("wire", [Format.OPENAI_CHAT, Format.ANTHROPIC])
def test_the_laws_hold_where_settled_items_leave_the_record_at_once(
    wire: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.record.retire.MOST_SETTLED", 0)
    machine = type("SessionsOf", (Sessions,), {"wire": wire})
    run_state_machine_as_test(machine, settings=sessions(6, steps=18))
