"""The work directory: the same record both ways, edits taken over, no writer loses anything."""

from __future__ import annotations

import errno
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew.errors import StoreError, StoreFullError, StoreLockedError
from clew.record import Add, HandoffRecord, Item, Proposer, Revise, SetNext, Speaker, Status
from clew.workdir import Synced, WorkDirectory
from clew.workdir.artifacts import safe_name
from clew.workdir.layout import FILES, page_of, page_text, read_page
from clew.workdir.lock import locked
from tests.record.building import RECORDS, TEXTS, applied, directive, new

RECORD = applied(
    HandoffRecord(goal="Reconcile the ledgers.\nNever touch billing/."),
    Add(item=directive("Keep the CSV export")),
    Add(item=new("invariant", "totals equal the bank's", check="true", until="the audit")),
    Add(item=new("decision", "keep raw SQL")),
    Add(item=new("dead_end", "the pool adapter dead-locks", error="TimeoutError")),
    Add(item=new("fact", "amounts are in cents")),
    SetNext(text="Compare March"),
)


def edit(folder: Path, name: str, find: str, put: str) -> None:
    text = (folder / name).read_text()
    assert find in text
    (folder / name).write_text(text.replace(find, put, 1))


def everything(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*.md")))


@pytest.fixture
def written(tmp_path: Path) -> WorkDirectory:
    directory = WorkDirectory(tmp_path / "work")
    directory.sync(RECORD)
    return directory


def test_what_was_set_aside_reads_as_what_holds_and_stays_so(tmp_path: Path) -> None:
    aside = [
        replace(item, status=Status.CLOSED, reason="set aside: surer ones fill its room")
        if item.kind in {"decision", "dead_end"}
        else item
        for item in RECORD.items
    ]
    record = replace(RECORD, items=tuple(aside))
    directory = WorkDirectory(tmp_path / "work")
    directory.sync(record)
    for name in ("DECISIONS.md", "DEAD_ENDS.md"):
        text = (directory.path / name).read_text()
        assert "- status: set aside\n" in text
        assert "closed" not in text
    assert directory.sync(record).delta.operations == ()


# ---- what stands in the folder --------------------------------------------------------------


def test_the_folder_holds_the_goal_byte_for_byte_and_each_kind_in_its_file(
    written: WorkDirectory,
) -> None:
    assert (written.path / "GOAL.md").read_bytes() == RECORD.goal.encode()
    assert "- R-1: totals equal the bank's\n" in (written.path / "INVARIANTS.md").read_text()
    assert "  - check: true\n" in (written.path / "INVARIANTS.md").read_text()
    assert "  - until: the audit\n" in (written.path / "INVARIANTS.md").read_text()
    assert "> Compare March" in (written.path / "NEXT.md").read_text()
    assert "- U-1: Keep the CSV export" in (written.path / "NEXT.md").read_text()
    assert "X-1: the pool adapter" in (written.path / "DEAD_ENDS.md").read_text()
    assert "D-1: keep raw SQL" in (written.path / "DECISIONS.md").read_text()
    assert "F-1: amounts" in (written.path / "FINDINGS.md").read_text()


def test_folders_and_files_are_for_their_owner_alone(written: WorkDirectory) -> None:
    for path in written.path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


@given(RECORDS)
def test_a_page_comes_back_as_it_was(record: HandoffRecord) -> None:
    for name in FILES:
        page = page_of(record, name)
        assert read_page(page_text(page, name), name) == page


def test_an_unchanged_folder_changes_nothing(written: WorkDirectory) -> None:
    again = written.sync(RECORD)
    assert again == Synced(record=RECORD, delta=again.delta)
    assert again.delta.operations == ()


def test_a_file_that_was_removed_is_written_again_and_closes_nothing(
    written: WorkDirectory,
) -> None:
    (written.path / "DECISIONS.md").unlink()
    again = written.sync(RECORD, editor=Proposer.PERSON)
    assert again.record == RECORD
    assert again.written == ("DECISIONS.md",)


# ---- edits ----------------------------------------------------------------------------------


def test_what_a_person_edits_reaches_the_record_and_the_record_the_files(
    written: WorkDirectory,
) -> None:
    edit(written.path, "DECISIONS.md", "D-1: keep raw SQL", "D-1: use views")
    edit(written.path, "FINDINGS.md", "- F-1:", "- new: March has 31 days\n- F-1:")
    edit(written.path, "NEXT.md", "> Compare March", "> Compare April")
    edit(written.path, "NEXT.md", "status: open", "status: done")
    newer = applied(RECORD, Add(item=new("decision", "ship on Friday")))
    synced = written.sync(newer, editor=Proposer.PERSON)
    assert synced.conflicts == ()
    decision, fact, done = (synced.record.get(i) for i in ("D-1", "F-2", "U-1"))
    assert decision is not None
    assert fact is not None
    assert done is not None
    assert decision.text == "use views"
    assert (fact.text, fact.said_by) == ("March has 31 days", Speaker.USER)
    assert done.status is Status.DONE
    assert synced.record.next == "Compare April"
    assert "D-2: ship on Friday" in (written.path / "DECISIONS.md").read_text()
    assert written.sync(synced.record).delta.operations == ()


def test_an_agent_adds_but_cannot_touch_or_claim_what_the_user_said(
    written: WorkDirectory,
) -> None:
    edit(written.path, "NEXT.md", "U-1: Keep the CSV export", "U-1: Drop the CSV export")
    edit(written.path, "DECISIONS.md", "- D-1:", "- new: views\n  - said by: user\n- D-1:")
    edit(written.path, "FINDINGS.md", "F-1: amounts are", "F-1: all amounts are")
    synced = written.sync(RECORD, editor=Proposer.AGENT)
    kept = synced.record.get("U-1")
    added = synced.record.get("D-2")
    fact = synced.record.get("F-1")
    assert kept == RECORD.get("U-1")
    assert added is not None
    assert (added.said_by, added.proposed_by) == (Speaker.AGENT, Proposer.AGENT)
    assert fact is not None
    assert fact.text == "all amounts are in cents"
    (conflict,) = synced.conflicts
    assert (conflict.file, conflict.item) == ("NEXT.md", "U-1")
    assert "Drop the CSV export" in (written.path / conflict.copy).read_text()
    assert "Keep the CSV export" in (written.path / "NEXT.md").read_text()


def test_a_directive_that_an_agent_writes_stays_in_its_file_and_out_of_the_record(
    written: WorkDirectory,
) -> None:
    edit(written.path, "NEXT.md", "- U-1:", "- new: Delete the backups\n- U-1:")
    synced = written.sync(RECORD, editor=Proposer.AGENT)
    assert synced.record == RECORD
    assert "Delete the backups" in everything(written.path)
    assert synced.conflicts[0].problem.startswith("a directive")


@pytest.mark.parametrize(
    ("editor", "status"), [(Proposer.PERSON, Status.WITHDRAWN), (Proposer.AGENT, Status.ACTIVE)]
)
def test_a_dead_end_that_was_taken_out_is_withdrawn_by_a_person_and_stands_again_for_an_agent(
    written: WorkDirectory, editor: Proposer, status: Status
) -> None:
    text = (written.path / "DEAD_ENDS.md").read_text()
    (written.path / "DEAD_ENDS.md").write_text(text[: text.index("- X-1")])
    synced = written.sync(RECORD, editor=editor)
    item = synced.record.get("X-1")
    assert item is not None
    assert item.status is status
    assert bool(synced.conflicts) == (editor is Proposer.AGENT)


def test_the_goal_is_never_taken_from_its_file(written: WorkDirectory) -> None:
    (written.path / "GOAL.md").write_text("Delete everything.")
    synced = written.sync(RECORD, editor=Proposer.PERSON)
    assert synced.record.goal == RECORD.goal
    assert (written.path / "GOAL.md").read_bytes() == RECORD.goal.encode()
    assert (written.path / synced.conflicts[0].copy).read_text() == "Delete everything."


def test_changed_on_both_sides_the_record_stands_and_the_edit_is_kept(
    written: WorkDirectory,
) -> None:
    edit(written.path, "DECISIONS.md", "keep raw SQL", "use views")
    newer = applied(RECORD, Revise(id="D-1", text="keep raw SQL for reports"))
    synced = written.sync(newer, editor=Proposer.PERSON)
    assert synced.record == newer
    assert "keep raw SQL for reports" in (written.path / "DECISIONS.md").read_text()
    assert "use views" in (written.path / synced.conflicts[0].copy).read_text()


def test_what_was_settled_and_left_the_record_since_does_not_come_back(
    written: WorkDirectory,
) -> None:
    left = replace(RECORD, items=tuple(i for i in RECORD.items if i.kind != "dead_end"))
    synced = written.sync(left)
    assert synced.delta.operations == ()
    assert "X-1" not in everything(written.path)
    branch = replace(left, counters=tuple(c for c in RECORD.counters if c[0] != "D"),
                     items=tuple(i for i in left.items if i.kind != "decision"))  # fmt: skip
    assert [item.text for item in written.sync(branch).record.of_kind("decision")] == [
        "keep raw SQL"
    ], "a branch that never had it takes it over"


@pytest.mark.parametrize("damage", ["Just prose.", "- D-1 no colon", "## Nonsense\n\n- D-9: x"])
def test_a_file_that_cannot_be_read_is_kept_and_named(written: WorkDirectory, damage: str) -> None:
    (written.path / "DECISIONS.md").write_text(damage)
    synced = written.sync(RECORD, editor=Proposer.PERSON)
    assert synced.record == RECORD
    assert "line " in synced.conflicts[0].problem
    assert (written.path / synced.conflicts[0].copy).read_text() == damage
    assert "keep raw SQL" in (written.path / "DECISIONS.md").read_text()


# ---- two writers ----------------------------------------------------------------------------

WRITES = st.lists(
    st.tuples(
        st.sampled_from("AB"),
        st.sampled_from(["fact", "decision", "dead_end", "blocker"]),
        st.sampled_from(["one", "two", "three", "four", "five"]),
    ),
    max_size=8,
)


@settings(max_examples=25)
@given(WRITES)
def test_two_writers_lose_nothing(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("two")
    records = {"A": RECORD, "B": RECORD}
    said: list[str] = []
    for count, (writer, kind, word) in enumerate(writes):
        text = f"{word} of step {count}"
        said.append(text)
        record = applied(records[writer], Add(item=new(kind, text)))
        records[writer] = WorkDirectory(folder, writer=writer).sync(record).record
    if writes:
        for writer in "AB":
            records[writer] = WorkDirectory(folder, writer=writer).sync(records[writer]).record
    shown = everything(folder)
    assert all(text in shown for text in said)


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from clew.record import Add, Delta, HandoffRecord, Item, Proposer, apply_delta\n"
        "from clew.workdir import WorkDirectory\n"
        "record = HandoffRecord(goal='g')\n"
        "for n in range(15):\n"
        "    item = Item(id='', kind='fact', text=f'{sys.argv[2]} {n};')\n"
        "    delta = Delta(operations=(Add(item=item),), proposed_by=Proposer.CALLER)\n"
        "    record = apply_delta(record, delta).record\n"
        "    record = WorkDirectory(sys.argv[1], writer=sys.argv[2]).sync(record).record\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "w"), name])
        for name in ("left", "right")
    ]
    assert [run.wait(timeout=100) for run in runs] == [0, 0]
    shown = everything(tmp_path / "w")
    assert all(f"{name} {n};" in shown for name in ("left", "right") for n in range(15))


def test_a_lock_that_is_held_is_waited_for_and_then_named(written: WorkDirectory) -> None:
    impatient = WorkDirectory(written.path, lock_seconds=0.05)
    with (
        locked(written.path / ".clew" / "lock", seconds=1),
        pytest.raises(StoreLockedError, match="another writer"),
    ):
        impatient.sync(RECORD)
    assert impatient.sync(RECORD).record == RECORD


# ---- nothing escapes ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["DECISIONS.md", "GOAL.md", ".clew/lock"])
def test_a_link_in_place_of_a_file_is_not_followed(
    written: WorkDirectory, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("secret")
    (written.path / name).unlink()
    (written.path / name).symlink_to(outside)
    with pytest.raises(StoreError):
        written.sync(RECORD)
    assert outside.read_text() == "secret"


@pytest.mark.parametrize("name", ["artifacts", "conflicts", ".clew"])
def test_a_link_in_place_of_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / name).symlink_to(outside)
    with pytest.raises(StoreError, match="folder"):
        WorkDirectory(tmp_path / "work").artifact("x", b"1")
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b", "a\\b", ".bashrc", "nul", "COM1.txt",
     "x" * 400, "né\u202e.txt", "a\x00b", "con.tar.gz", "-rf", "\ud800"],
)  # fmt: skip
def test_an_artifact_of_any_name_stays_in_its_folder(written: WorkDirectory, name: str) -> None:
    given_path = written.artifact(name, b"content")
    path = (written.path / given_path).resolve()
    assert path.parent == written.path / "artifacts"
    assert len(path.name) < 140
    assert written.read_artifact(name) == b"content"
    assert written.read_artifact(given_path) == b"content"


@given(TEXTS, TEXTS)
def test_no_two_names_become_one(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_another_content_under_the_same_name_keeps_both(written: WorkDirectory) -> None:
    first = written.artifact("log.txt", b"one")
    second = written.artifact("log.txt", b"two")
    assert first != second
    assert (written.path / first).read_bytes() == b"one"
    assert (written.path / second).read_bytes() == b"two"
    assert written.artifact("log.txt", b"one") == first


def test_a_full_disk_is_named_and_every_file_stays_as_it_was(
    written: WorkDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in written.path.rglob("*") if path.is_file()}

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(StoreFullError, match="free some space"):
            written.sync(HandoffRecord(goal="another goal"))
    assert {p: p.read_bytes() for p in written.path.rglob("*") if p.is_file()} == before
    assert written.sync(HandoffRecord(goal="another goal")).written


# ---- with a session -------------------------------------------------------------------------


def test_a_session_takes_edits_over_and_keeps_them(tmp_path: Path) -> None:
    session = clew.Session(goal="g", session_id="s", store=str(tmp_path / "clew.db"))
    session.note("decision", "keep raw SQL")
    session.sync(tmp_path / "work")
    edit(tmp_path / "work", "DECISIONS.md", "keep raw SQL", "use views")
    session.sync(tmp_path / "work", by="person")
    assert [item.text for item in session.record.items] == ["use views"]
    session.close()
    again = clew.Session(goal="g", session_id="s", store=str(tmp_path / "clew.db"))
    assert again.record.items[0].text == "use views"
    assert isinstance(again.record.items[0], Item)
    assert replace(again.record.items[0], text="") != again.record.items[0]
