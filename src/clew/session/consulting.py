"""Running the caller's hooks: one after the other, bounded, and never to the harm of a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable
from typing import Any, assert_never

from clew.consult import (
    HOOK_SHARE,
    About,
    AfterCompaction,
    Afterword,
    Amend,
    BeforeCompaction,
    Consent,
    Edited,
    Edits,
    Hooks,
    Pinned,
    ProposedRecord,
    Step,
    Veto,
)
from clew.errors import PolicyError
from clew.ports import TokenCounter
from clew.record.delta import Add, Close, Delta, Dismiss, Revise, SetNext, Supersede
from clew.record.record import HandoffRecord
from clew.session.notes import Notes

Hook = Callable[[Any], Any]
Answer = Consent | Edits | Afterword
_OPERATIONS = (Add, Close, Dismiss, Revise, SetNext, Supersede)


class Consulting:
    """Asks the hooks of one session.

    `failed` is told the step, the hook and what was wrong with it. Texts that hooks add are pins,
    durable at once.
    """

    def __init__(
        self,
        hooks: Hooks | Iterable[Hooks] | None,
        notes: Callable[[], Notes],
        counter: TokenCounter,
        failed: Callable[[Step, str, str], None],
    ) -> None:
        given = _all(hooks)
        self._hooks: dict[Step, tuple[Hook, ...]] = {
            step: tuple(hook for each in given if (hook := getattr(each, step.value)) is not None)
            for step in Step
        }
        self._notes = notes
        self._counter = counter
        self._failed = failed

    @property
    def steps(self) -> frozenset[Step]:
        """The steps at which there is a hook."""
        return frozenset(step for step, hooks in self._hooks.items() if hooks)

    def refuse_awaited(self) -> None:
        """Raise PolicyError for a hook that has to be awaited, where nothing awaits."""
        for step, hooks in self._hooks.items():
            for hook in hooks:
                if inspect.iscoroutinefunction(hook):
                    problem = f"{_named(hook)} is a coroutine function; AsyncSession awaits hooks"
                    raise PolicyError(problem, where=f"hooks.{step.value}")

    def consult(self, about: About) -> Answer:
        """All answers to one question."""
        asking = self._asking(about)
        said: Any = None
        while True:
            try:
                step, hook = asking.send(said)
            except StopIteration as done:
                answer: Answer = done.value
                return answer
            try:
                said = hook(about)
                if inspect.isawaitable(said):
                    self._unawaited(step, hook, said)
                    said = None
            except Exception as error:  # noqa: BLE001 - a hook never breaks a call
                self._raised(step, hook, error)
                said = None

    async def aconsult(self, about: About) -> Answer:
        """The same; what can be awaited is."""
        asking = self._asking(about)
        said: Any = None
        while True:
            try:
                step, hook = asking.send(said)
            except StopIteration as done:
                answer: Answer = done.value
                return answer
            try:
                said = hook(about)
                if inspect.isawaitable(said):
                    said = await said
            except Exception as error:  # noqa: BLE001 - a hook never breaks a call
                self._raised(step, hook, error)
                said = None

    # -- one question --

    def _asking(self, about: About) -> Generator[tuple[Step, Hook], Any, Answer]:
        match about:
            case BeforeCompaction():
                return (yield from self._before(about))
            case ProposedRecord():
                return (yield from self._edit())
            case AfterCompaction():
                return (yield from self._after(about))
            case _:
                assert_never(about)

    def _before(self, about: BeforeCompaction) -> Generator[tuple[Step, Hook], Any, Consent]:
        focus: str | None = None
        pinned = False
        for hook in self._hooks[Step.BEFORE]:
            said = yield Step.BEFORE, hook
            match said:
                case None:
                    continue
                case Veto(reason=reason) if about.must:
                    problem = f"its veto ({reason}) was not followed: the context would not fit"
                    self._failed(Step.BEFORE, _named(hook), problem)
                case Veto(reason=reason):
                    return Consent(vetoed=True, reason=str(reason), pinned=self._now(pinned))
                case Amend(pins=pins, focus=wanted):
                    pinned = self._pin(hook, pins, about.budget) or pinned
                    focus = str(wanted) if wanted is not None else focus
                case _:
                    self._no_answer(Step.BEFORE, hook, said, "Veto, Amend or None")
        return Consent(focus=focus, pinned=self._now(pinned))

    def _edit(self) -> Generator[tuple[Step, Hook], Any, Edits]:
        edits: list[Edited] = []
        for hook in self._hooks[Step.EDIT]:
            said = yield Step.EDIT, hook
            edit = _edited(said)
            if edit is not None:
                edits.append(edit)
            elif said is not None:
                wanted = "Edited, operations, a HandoffRecord or None"
                self._no_answer(Step.EDIT, hook, said, wanted)
        return Edits(edits=tuple(edits))

    def _after(self, about: AfterCompaction) -> Generator[tuple[Step, Hook], Any, Afterword]:
        changed = False
        room = about.room_tokens
        for number, hook in enumerate(self._hooks[Step.AFTER]):
            said = yield Step.AFTER, hook
            if said is None:
                continue
            if not isinstance(said, str):
                self._no_answer(Step.AFTER, hook, said, "a text or None")
                continue
            tokens = self._counter.count_text(said)
            if self._fits(Step.AFTER, hook, tokens, min(room, int(about.budget * HOOK_SHARE))):
                room -= tokens
                self._notes().say(f"after-{number}", said.strip() and said)
                changed = True
        return Afterword(pinned=self._now(changed))

    # -- pins --

    def _pin(self, hook: Hook, pins: Any, budget: int) -> bool:
        added = False
        if not isinstance(pins, tuple | list):
            self._no_answer(Step.BEFORE, hook, pins, "a tuple of texts to pin")
            return False
        left = int(budget * HOOK_SHARE)
        for text in pins:
            if not isinstance(text, str) or not text.strip():
                self._no_answer(Step.BEFORE, hook, text, "texts to pin")
                continue
            tokens = self._counter.count_text(text)
            if self._fits(Step.BEFORE, hook, tokens, left):
                left -= tokens
                self._notes().pin(text)
                added = True
        return added

    def _fits(self, step: Step, hook: Hook, tokens: int, most: int) -> bool:
        if tokens <= most:
            return True
        problem = f"its text of {tokens:,} tokens was left out; it may take {most:,}"
        self._failed(step, _named(hook), problem)
        return False

    def _now(self, changed: bool) -> Pinned | None:
        if not changed:
            return None
        notes = self._notes()
        return Pinned(
            texts=tuple(pin.text for pin in notes.pins() if not pin.digest),
            notes_upto=notes.upto,
            note_sequences=notes.sequences(),
        )

    # -- what goes wrong --

    def _raised(self, step: Step, hook: Hook, error: Exception) -> None:
        self._failed(step, _named(hook), f"it raised {type(error).__name__}")

    def _unawaited(self, step: Step, hook: Hook, said: Any) -> None:
        if inspect.iscoroutine(said):
            said.close()
        self._failed(step, _named(hook), "it has to be awaited; AsyncSession awaits hooks")

    def _no_answer(self, step: Step, hook: Hook, said: Any, wanted: str) -> None:
        self._failed(step, _named(hook), f"it answered {type(said).__name__} instead of {wanted}")


def _all(hooks: Hooks | Iterable[Hooks] | None) -> tuple[Hooks, ...]:
    if hooks is None:
        return ()
    if isinstance(hooks, Hooks):
        return (hooks,)
    if not isinstance(hooks, Iterable):
        raise PolicyError(f"expected Hooks, got {type(hooks).__name__}", where="hooks")
    given = tuple(hooks)
    for each in given:
        if not isinstance(each, Hooks):
            raise PolicyError(f"expected Hooks, got {type(each).__name__}", where="hooks")
    return given


def _edited(said: Any) -> Edited | None:
    match said:
        case Edited():
            return said
        case HandoffRecord():
            return Edited(record=said)
        case Delta():
            return _edited(said.operations)
        case tuple() | list() if all(isinstance(each, _OPERATIONS) for each in said):
            return Edited(operations=tuple(said))
        case _:
            return None


def _named(hook: Hook) -> str:
    return str(getattr(hook, "__qualname__", type(hook).__name__))
