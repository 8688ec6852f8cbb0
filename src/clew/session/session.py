"""The session: names wired to parts, and the synchronous driver of the pipeline."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from clew.conclude import Concluded, conclude
from clew.consult import Hooks
from clew.document import Changes, HandoffDocument, write_handoff
from clew.embedders import resolve_embedder
from clew.errors import RecordError
from clew.events import Event
from clew.outcome import Context
from clew.pipeline import prepare
from clew.policy import Boundary, Policy, boundary_of
from clew.ports import Embedder, Redactor, Store, TokenCounter
from clew.record.delta import rewritten
from clew.record.items import Evidence, Item, Proposer, Speaker
from clew.record.record import HandoffRecord
from clew.session.background import Job, ThreadWork, Work
from clew.session.core import SessionCore
from clew.session.drivers import drive
from clew.session.handing import bring_into_force, handoff_document, load_handoff
from clew.session.hints import Hints
from clew.session.notes import Delegation, note_item
from clew.session.options import require_options
from clew.session.paging import Pager
from clew.session.pinning import pinned_message
from clew.session.prefetch import prefetching_for
from clew.session.recalling import Recalling
from clew.session.status import Status
from clew.session.summarizers import resolve_summarizer
from clew.store import open_store
from clew.summarize.request import Summarizer
from clew.transcript import Format
from clew.workdir import Synced, WorkDirectory, write_atomically

if TYPE_CHECKING:
    from clew.repomap import RepositoryMap


class SessionBase(Recalling):
    """Everything a session does that needs no driver; use Session or AsyncSession."""

    _work: Callable[[Job], Work] = ThreadWork

    def __init__(
        self,
        goal: str | None = None,
        policy: Policy | None = None,
        summarizer: str | Summarizer | None = "extractive",
        store: Store | str | os.PathLike[str] | None = None,
        counter: TokenCounter | str | None = None,
        format: Format | str | None = None,
        session_id: str | None = None,
        *,
        model: str | None = None,
        embedder: Embedder | str | None = None,
        redactor: Redactor | None = None,
        hooks: Hooks | Iterable[Hooks] | None = None,
        events: Callable[[Event], Any] | None = None,
    ) -> None:
        store = os.fspath(store) if isinstance(store, os.PathLike) else store
        require_options(
            policy=policy, goal=goal, store=store, counter=counter, session_id=session_id,
            model=model, embedder=embedder, redactor=redactor, events=events,
        )  # fmt: skip
        opened = open_store(store)
        self._core = SessionCore(
            goal=goal, policy=policy, summarizer=resolve_summarizer(summarizer, policy, opened),
            store=opened, counter=counter, format=format, session_id=session_id, model=model,
            redactor=redactor, hooks=hooks, events=events,
        )  # fmt: skip
        self._pager = Pager(opened, resolve_embedder(embedder))
        self._hints = Hints()
        self._map: RepositoryMap | None = None
        core = self._core
        if self._work is ThreadWork:
            core.consulting.refuse_awaited()
        core.summarizing.prefetching = prefetching_for(core, self._work)

    @property
    def session_id(self) -> str | None:
        """The id that scopes state and search; derived at the first call when none was given."""
        return self._core.session_id

    @property
    def policy(self) -> Policy:
        """The policy in force."""
        return self._core.policy

    @property
    def wire_format(self) -> Format:
        """The format of this session's messages; OpenAI chat while nothing was seen."""
        return self._core.format

    @property
    def store(self) -> Store:
        """The archive behind this session."""
        return self._core.store

    @property
    def record(self) -> HandoffRecord:
        """The handoff record in force, notes made since included."""
        return self._core.record()

    def observe(self, usage: Any) -> None:
        """Tell what the provider reported for the last prepared request, in its own shape.

        Calibrates counting; a report that cannot belong to that request (a running total, a number
        from before a compaction) is ignored.
        """
        self._core.observe(usage)

    def signal(self, boundary: Boundary | str, note: str = "") -> None:
        """Say that a boundary was reached; the next `prepare` may compact from the floor up."""
        self._core.signal(boundary_of(boundary), note)
        if note:
            self.note("fact", note, said_by=Speaker.AGENT)

    def note(
        self,
        kind: str,
        text: str,
        *,
        why: str = "",
        rejected: Sequence[tuple[str, str]] = (),
        evidence: Sequence[Evidence | str] = (),
        said_by: Speaker | str = Speaker.AGENT,
        **fields: str,
    ) -> Item:
        """Put an item into the record; durable at once, in context from the next compaction.

        `rejected` are (option, why) pairs, `evidence` handles or Evidence, `fields` the kind's
        further fields. Raises RecordError when the kind is unknown or a required field missing.
        """
        item = note_item(
            self.policy.kinds,
            kind,
            text,
            said_by=said_by,
            why=why,
            rejected=rejected,
            evidence=evidence,
            fields=fields,
        ).rewritten(self._core.without_secrets)
        self._core.notes().add(item)
        return item

    def pin(self, what: Any) -> str:
        """Keep a text, or a native message, verbatim in every context from now on; gives its id."""
        if isinstance(what, str):
            if not what.strip():
                raise RecordError("a pin needs a text or a message")
            return self._core.notes().pin(what)
        digest, words = pinned_message(self._core.format_of(what), what)
        return self._core.notes().pin(words, digest)

    def unpin(self, pin_id: str) -> None:
        """Let a pin go."""
        self._core.notes().unpin(pin_id)

    def status(self) -> Status:
        """Tokens used, trigger, backstop, and the turns left at the present growth."""
        return self._core.status()

    def delegated(self, run: Delegation) -> None:
        """Remember a sub-task that was run in a session of its own; its tokens count here too."""
        self._core.notes().delegated(run)

    @property
    def delegations(self) -> tuple[Delegation, ...]:
        """The sub-tasks that this session had run elsewhere."""
        return self._core.notes().delegations() if self.session_id is not None else ()

    @property
    def counter(self) -> TokenCounter:
        """What counts tokens here."""
        return self._core.counter

    @property
    def pins(self) -> tuple[str, ...]:
        """The texts that stay verbatim in every context."""
        return tuple(pin.text for pin in self._core.notes().pins() if not pin.digest)

    def sync(
        self, folder: WorkDirectory | str | os.PathLike[str], *, by: Proposer | str = Proposer.AGENT
    ) -> Synced:
        """Bring edits of a work directory into the record, and the record into its files.

        `by` is who may have edited them; an agent's edit never touches what the user said. What
        could not be taken over is named in `conflicts`, with the copy that keeps it.
        """
        directory = folder
        if not isinstance(directory, WorkDirectory):
            directory = WorkDirectory(
                os.fspath(directory), writer=self.session_id or "", kinds=self.policy.kinds
            )
        synced = directory.sync(self.record, editor=Proposer(by))
        clean = self._core.without_secrets
        self._core.notes().take([rewritten(each, clean) for each in synced.delta.operations])
        return synced

    @classmethod
    def resume(
        cls,
        source: str | os.PathLike[str] | HandoffDocument,
        store: Store | str | None = None,
        *,
        policy: Policy | None = None,
        format: Format | str | None = None,
        **options: Any,
    ) -> Self:
        """A fresh session that goes on from a handoff document, edited by a person or not.

        With the store of the former run its handles still work; without it the record alone is in
        force. `format` None takes the former run's. Raises HandoffError that names the line.
        """
        chosen = policy or Policy()
        if isinstance(source, HandoffDocument):
            document = source
        else:
            document = load_handoff(source, chosen.kinds)
        session = cls(
            None, chosen, store=store, format=format or document.format or None, **options
        )
        bring_into_force(session._core, document)
        return session

    @property
    def opening(self) -> list[Any]:
        """The first native messages of a resumed run: goal, pinned texts, record; else none.

        `prepare` puts them in front where the caller's list does not begin with them.
        """
        resumed = self._core.resumed
        return list(resumed.natives) if resumed is not None else []

    @property
    def resume_changes(self) -> Changes:
        """What a person changed in the document that this session goes on from."""
        resumed = self._core.resumed
        return resumed.changes if resumed is not None else Changes()

    def _handed_off(
        self, concluded: Concluded | None, path: str | os.PathLike[str] | None, created_at: str
    ) -> HandoffDocument:
        document = handoff_document(self._core, concluded, created_at)
        if path is not None:
            text = write_handoff(document, kinds=self.policy.kinds)
            write_atomically(path, text.encode("utf-8"))
        return document

    def close(self) -> None:
        """Stop what works in the background, and close the store.

        A call that is under way in another thread ends with StoreError.
        """
        self._core.summarizing.close()
        self._core.store.close()


class Session(SessionBase):
    """Keeps one agent's context within its budget, call by call.

    `goal` None takes the first user message; `policy` None the defaults; `summarizer` a name
    (`extractive`, `provider:model`) or any Summarizer; `store` None memory, a path or URL
    otherwise; `counter` None the exact tokenizer; `format` None recognises it; `session_id` None
    derives it from the goal and the first message; `model` names the agent's model, for its window
    and its tokenizer; `hooks` are the caller's own code around a compaction, `events` takes what
    happens as values.

    Safe to call from several threads: `prepare`, `compact` and `handoff` take turns; everything
    else answers at once, as of the call that has ended last. What is noted, pinned, signalled or
    observed while one is under way counts from the next one on.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._lock = threading.RLock()

    def prepare(self, messages: Sequence[Any], system: Any = None, tools: Any = None) -> Context:
        """What to send for the next model call; call it before each one.

        `messages` may be the whole history each time, or what was given back plus what came since.
        Raises InvalidTranscriptError, FloorExceededError or StoreError; nothing is then changed.
        """
        return self._run(messages, system, tools)

    def compact(self, focus: str | None = None) -> Context:
        """Compact what was prepared last, now, at the next legal cut."""
        with self._lock:
            core = self._core
            last = core.last_messages if core.last_messages is not None else []
            how = {"asked": True, "focus": focus or ""}
            return self._run(last, core.last_system, core.last_tools, **how)

    def compact_if_armed(self, messages: Sequence[Any], system: Any, tools: Any) -> Context:
        """Prepare as if a boundary had come: compact when the trigger is reached."""
        return self._run(messages, system, tools, asked_when_armed=True)

    def handoff(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        messages: Sequence[Any] | None = None,
        created_at: str = "",
    ) -> HandoffDocument:
        """End this run in a document that a fresh one can go on from, and write it to `path`.

        What is still verbatim goes into the record and the archive; `messages` None takes those
        last prepared, which stay usable. `created_at` stands in the document only when given.
        """
        with self._lock:
            core = self._core
            last = messages if messages is not None else core.last_messages
            if last is None:
                return self._handed_off(None, path, created_at)
            turn, _ = core.turn(last, core.last_system, core.last_tools)
            concluded = drive(conclude(turn), core)
            return self._handed_off(concluded, path, created_at)

    def _run(self, messages: Sequence[Any], system: Any, tools: Any, **how: Any) -> Context:
        with self._lock:
            started = time.perf_counter()
            turn, reading = self._core.turn(messages, system, tools, **how)
            prepared = drive(prepare(turn), self._core)
            self._core.summarizing.read_ahead(turn, prepared.history)
            return self._core.finished(turn, prepared, reading, system, started)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
