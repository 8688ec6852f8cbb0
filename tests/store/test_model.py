"""Whatever is done to a store, in any order, it answers as a few dictionaries would."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from clew.errors import StoreError
from clew.ports import Checkpoint, CheckpointKind, Span, Store
from clew.store import MemoryStore, SqliteStore
from tests.store.samples import checkpoint, item, message, span

SESSIONS = st.sampled_from(["one", "two", "drei \ud800"])
KEYS = st.sampled_from([f"k{n}" for n in range(6)])
WORDS = st.sampled_from(["alpha", "beta", "src/gamma.py", "数据库", "delta_epsilon", "zetaEta"])
NAMES = st.sampled_from([f"c{n}" for n in range(25)])
SPANS = st.lists(
    st.one_of(
        st.builds(span, st.integers(1, 40), WORDS, label=WORDS),
        st.builds(item, st.sampled_from(["D-1", "D-2"]), WORDS),
    ),
    max_size=4,
    unique_by=lambda each: each.handle,
)

Model = dict[str, Checkpoint]


class StoreMachine(RuleBasedStateMachine):
    """Compares a store with the model after every step."""

    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.committed: Model = {}
        self.kept: dict[str, str] = {}
        self.notes: dict[str, list[str]] = {}
        self.remembered: dict[str, str] = {}

    def reopen(self) -> None:
        """What survives a close; memory does not, so nothing is closed here."""

    @initialize()
    def open(self) -> None:
        self.store = MemoryStore()

    def ancestors(self, name: str) -> list[Checkpoint]:
        line = []
        step: str | None = name
        while step is not None:
            line.append(self.committed[step])
            step = self.committed[step].parent
        return line

    def visible(self, name: str) -> dict[str, Span]:
        found: dict[str, Span] = {}
        for each in self.ancestors(name):
            for one in each.spans:
                found.setdefault(one.handle, one)
        return found

    @rule(
        name=NAMES,
        session=SESSIONS,
        key=KEYS,
        aliases=st.lists(KEYS, max_size=2),
        parent=st.none() | NAMES,
        depth=st.integers(1, 3),
        spans=SPANS,
        kind=st.sampled_from(CheckpointKind),
        text=WORDS,
    )
    def commit(
        self,
        name: str,
        session: str,
        key: str,
        aliases: list[str],
        parent: str | None,
        depth: int,
        spans: list[Span],
        kind: CheckpointKind,
        text: str,
    ) -> None:
        made = checkpoint(
            name,
            session=session,
            key=key,
            aliases=aliases,
            parent=parent,
            depth=depth,
            spans=spans,
            kind=kind,
        )
        expected = self.expected(made)
        try:
            got = self.store.commit(made, [message(text)])
        except StoreError:
            assert expected is None
            return
        assert got == expected
        if got is not made and got.checkpoint_id not in self.committed:
            self.committed[name] = made
            self.kept[message(text).digest] = text

    def expected(self, made: Checkpoint) -> Checkpoint | None:
        """What a commit gives: an earlier one, the new one, or None when it is refused."""
        same = self.committed.get(made.checkpoint_id)
        if same is not None:
            return same if same.session_id == made.session_id else None
        if made.parent is not None and made.parent not in self.committed:
            return None
        for each in self.committed.values():
            if (each.session_id, each.key, each.kind, each.parent) == (
                made.session_id,
                made.key,
                made.kind,
                made.parent,
            ):
                return each
        return made

    @rule(session=SESSIONS, keys=st.lists(KEYS, max_size=6))
    def find(self, session: str, keys: list[str]) -> None:
        found = self.store.find(session, keys)
        mine = [each for each in self.committed.values() if each.session_id == session]
        for index in range(len(keys) - 1, -1, -1):
            here = [each for each in mine if keys[index] in (each.key, *each.aliases)]
            if here:
                # max gives the first of equals, which is the first committed.
                best = max(here, key=lambda each: each.depth)
                assert found is not None
                assert (found.checkpoint, found.index) == (best, index)
                assert found.by_alias == (best.key != keys[index])
                return
        assert found is None

    @rule(name=NAMES)
    def ancestry(self, name: str) -> None:
        line = self.ancestors(name) if name in self.committed else []
        assert list(self.store.ancestry(name)) == line

    @rule(name=NAMES, word=WORDS)
    def search(self, name: str, word: str) -> None:
        found = {hit.handle: hit for hit in self.store.search(name, word, limit=100)}
        visible = self.visible(name) if name in self.committed else {}
        holding = {h for h, one in visible.items() if word in f"{one.label} {one.text}"}
        assert set(found) == holding
        for handle, hit in found.items():
            assert (hit.kind, hit.label) == (visible[handle].kind, visible[handle].label)

    @rule(session=SESSIONS, text=WORDS)
    def note(self, session: str, text: str) -> None:
        texts = self.notes.setdefault(session, [])
        texts.append(text)
        assert self.store.add_note(session, text).sequence == len(texts)

    @rule(key=KEYS, text=WORDS)
    def remember(self, key: str, text: str) -> None:
        self.store.remember(key, text)
        self.remembered[key] = text

    @rule()
    def close_and_open(self) -> None:
        self.reopen()

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        sessions = dict.fromkeys(each.session_id for each in self.committed.values())
        assert self.store.sessions() == tuple(sessions)
        for session in sessions:
            mine = [each for each in self.committed.values() if each.session_id == session]
            assert self.store.latest(session) == mine[-1]
        for session, texts in self.notes.items():
            assert [note.json for note in self.store.notes(session)] == texts
        for key, text in self.remembered.items():
            assert self.store.recollect(key) == text
        archived = self.store.messages(list(self.kept))
        assert {digest: each.json for digest, each in archived.items()} == self.kept

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()


class SqliteMachine(StoreMachine):
    """The same on a file that is closed and opened again now and then."""

    @initialize()
    def open(self) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.store = SqliteStore(Path(self.directory.name) / "clew.db")

    def reopen(self) -> None:
        self.store.close()
        self.store = SqliteStore(Path(self.directory.name) / "clew.db")

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "directory"):
            self.directory.cleanup()


EXAMPLES = settings().max_examples

TestMemoryModel = StoreMachine.TestCase
TestMemoryModel.settings = settings(max_examples=EXAMPLES * 3 // 4, stateful_step_count=30)
TestSqliteModel = SqliteMachine.TestCase
TestSqliteModel.settings = settings(max_examples=EXAMPLES // 2, stateful_step_count=30)
