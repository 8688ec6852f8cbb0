"""`clew handoff`, `resume`, `record diff·check·edit`: one document each way, one line per error."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cli import main
from clew.document import read_handoff
from clew.store import open_store
from tests.session.test_handoff import GOAL, POLICY, conversation


@pytest.fixture
def run(tmp_path: Path) -> tuple[str, str]:
    """An archive with one session that was compacted, and the session's id."""
    where = str(tmp_path / "clew.db")
    session = clew.Session(policy=replace(POLICY, cost_rule=False), store=where)
    session.note("invariant", "totals match", check=shlex.join([sys.executable, "-c", "pass"]))
    session.prepare(conversation(30))
    session.note("decision", "keep raw SQL")
    session.note("invariant", "export is signed", check="false")
    context = session.compact()
    assert isinstance(context.outcome, clew.Compacted)
    session.close()
    return where, str(session.session_id)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def document_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, _ = said(capsys, *arguments, "--json")
    assert code == 0, out
    return json.loads(out)


def written(capsys: pytest.CaptureFixture[str], run: tuple[str, str], path: Path) -> Path:
    assert said(capsys, "handoff", run[1], "--store", run[0], "-o", str(path))[0] == 0
    return path


def test_a_stored_session_is_handed_off_with_its_tail_and_goes_on(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "handoff.md"
    made = document_of(capsys, "handoff", "latest", "--store", run[0], "-o", str(out))
    assert made["whole"] is True
    assert made["session"] == run[1]
    assert read_handoff(out.read_text()).goal == GOAL
    begun = document_of(capsys, "resume", str(out), "--store", run[0], "--format", "anthropic")
    assert begun["format"] == "anthropic"
    assert begun["messages"][0] == {"role": "user", "content": GOAL}
    assert "keep raw SQL" in json.dumps(begun["messages"][-1])
    store = open_store(run[0])
    session = clew.Session.resume(out, store, format="anthropic")
    assert session.session_id == begun["session"]
    for n in range(30):
        assert f"value_{n} = " in session.recall(f"S-{2 + 2 * n}").decode()
    store.close()


def test_handing_off_twice_gives_the_same_record(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    one = read_handoff(written(capsys, run, tmp_path / "one.md").read_text())
    two = read_handoff(written(capsys, run, tmp_path / "two.md").read_text())
    assert two.record == one.record
    assert two.checkpoint == one.checkpoint


def test_resume_writes_messages_and_says_what_a_person_changed(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    path = written(capsys, run, tmp_path / "handoff.md")
    path.write_text(path.read_text().replace("D-1: keep raw SQL", "D-1: use views"))
    code, out, err = said(capsys, "resume", str(path))
    assert code == 0
    assert json.loads(out)[0]["content"] == GOAL
    assert "by a person: D-1 changed" in err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("handoff", "nobody", "--store", "{db}", "-o", "{out}"), "holds no session 'nobody'"),
        (("handoff", "latest", "--store", "{out}.none", "-o", "{out}"), "no such file"),
        (("resume", "{out}.none"), "No such file"),
        (("resume", "{bad}"), "bad.md:1: "),
        (("resume", "{goal}"), "amended_by"),
        (("record", "check", "{good}", "R-99"), "no invariant is called R-99"),
        (("record", "edit", "{good}", "--editor", "no-such-editor"), "could not be started"),
        (("record", "edit", "{good}", "--editor", "false"), "exit code 1"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
    run: tuple[str, str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    line: str,
) -> None:
    good = written(capsys, run, tmp_path / "good.md")
    bad, goal = tmp_path / "bad.md", tmp_path / "goal.md"
    bad.write_text("hello")
    goal.write_text(good.read_text().replace("> Never touch", "> Always touch"))
    names = {"db": run[0], "out": tmp_path / "o.md", "bad": bad, "goal": goal, "good": good}
    code, out, err = said(capsys, *(a.format(**names) for a in arguments))
    assert (code, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1


def test_diff_names_what_was_added_changed_and_taken_out(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    before = written(capsys, run, tmp_path / "before.md")
    after = tmp_path / "after.md"
    after.write_text(
        before.read_text()
        .replace("D-1: keep raw SQL", "D-1: use views")
        .replace("## Decisions\n", "## Decisions\n\n- new: ship on Friday\n")
    )
    found = document_of(capsys, "record", "diff", str(before), str(after))
    assert [row["text"] for row in found["added"]] == ["ship on Friday"]
    assert found["changed"] == [
        {"id": "D-1",
         "parts": [{"part": "text", "before": "keep raw SQL", "after": "use views"}]}
    ]  # fmt: skip
    assert (found["goal"], found["removed"], found["same"]) == (None, [], False)
    assert document_of(capsys, "record", "diff", str(before), str(before))["same"] is True
    code, out, _ = said(capsys, "record", "diff", str(before), str(after))
    assert code == 0
    assert "~ D-1 text: keep raw SQL -> use views" in out


def test_no_check_runs_unless_it_is_asked_for_and_a_failing_one_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str]
) -> None:
    listed = document_of(capsys, "record", "check", run[0])["checks"]
    assert [row["verdict"] for row in listed] == ["not run", "not run"]
    assert said(capsys, "record", "check", run[0], "R-1")[0] == 0
    code, out, _ = said(capsys, "record", "check", run[0], "--all", "--json")
    assert code == 1
    verdicts = {row["claim"]: row["verdict"] for row in json.loads(out)["checks"]}
    assert verdicts == {"totals match": "pass", "export is signed": "fail"}


def editor(tmp_path: Path, code: str) -> str:
    script = tmp_path / "editor.py"
    script.write_text(
        f"import pathlib, sys\np = pathlib.Path(sys.argv[1])\nt = p.read_text()\n{code}"
    )
    return shlex.join([sys.executable, str(script)])


def test_an_edit_that_reads_is_kept(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    path = written(capsys, run, tmp_path / "handoff.md")
    command = editor(tmp_path, "p.write_text(t.replace('keep raw SQL', 'use views'))")
    found = document_of(capsys, "record", "edit", str(path), "--editor", command)
    assert [row["id"] for row in found["changed"]] == ["D-1"]
    assert "use views" in path.read_text()
    assert sorted(p.name for p in tmp_path.glob("*.md")) == ["handoff.md"]


def test_an_edit_that_does_not_read_leaves_the_file_and_keeps_the_text(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    path = written(capsys, run, tmp_path / "handoff.md")
    before = path.read_bytes()
    command = editor(tmp_path, "p.write_text(t.replace('> Never', '> Always'))")
    code, _, err = said(capsys, "record", "edit", str(path), "--editor", command)
    assert code == 2
    assert "amended_by" in err
    assert path.read_bytes() == before
    (kept,) = tmp_path.glob(".handoff-*.md")
    assert "> Always" in kept.read_text()


def test_a_work_directory_and_a_handoff_document_show_their_record(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    path = written(capsys, run, tmp_path / "handoff.md")
    session = clew.Session.resume(path)
    session.sync(tmp_path / "work")
    shown = document_of(capsys, "record", "show", str(path))
    worked = document_of(capsys, "record", "show", str(tmp_path / "work"))
    assert shown["goal"] == worked["goal"] == GOAL
    assert {i["id"] for i in shown["items"]} == {i["id"] for i in worked["items"]}


def test_notes_made_since_the_last_hand_over_are_in_the_next_and_nobody_elses(
    capsys: pytest.CaptureFixture[str], run: tuple[str, str], tmp_path: Path
) -> None:
    written(capsys, run, tmp_path / "one.md")
    session = clew.Session(store=run[0], session_id=run[1], goal=GOAL)
    session.note("fact", "noted later")
    session.close()
    second = read_handoff(written(capsys, run, tmp_path / "two.md").read_text())
    assert "noted later" in [item.text for item in second.record.items]
    begun = document_of(capsys, "resume", str(tmp_path / "two.md"), "--store", run[0])
    assert begun["changes"]["added"] == begun["changes"]["changed"] == []


def test_a_session_of_which_only_parts_were_evicted_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    where = str(tmp_path / "evicted.db")
    session = clew.Session(policy=clew.Policy(clew.Budget(60_000)), store=where)
    huge = [*conversation(1), {"role": "user", "content": "and now?"}]
    huge[2] = {**huge[2], "content": "line of a long log\n" * 9_000}
    outcome = session.prepare(huge).outcome
    assert isinstance(outcome, clew.Evicted)
    session.close()
    code, _, err = said(capsys, "handoff", "latest", "--store", where, "-o", str(tmp_path / "h.md"))
    assert code == 2
    assert "never compacted" in err
    assert not (tmp_path / "h.md").exists()
