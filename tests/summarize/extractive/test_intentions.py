"""What is put off while the agent works is open until it is done, or until it hands over."""

from __future__ import annotations

import time

import pytest

from clew.record.items import Status
from clew.summarize.extractive.intentions import intentions_in, put_off
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome
from tests.summarize.extractive.told import bash, call, items, proposed, user


def said(text: str, place: int = 0, **fields: object) -> Reading:
    given = {"handle": f"S-{place + 1}", "position": place, "prose": (text,), **fields}
    return Reading(**given)  # type: ignore[arg-type]  # the table of cases names the fields


@pytest.mark.parametrize(
    "text",
    [
        "Once it lands: re-run the full gate, then open the request.",
        "As soon as the build is green, I'll push the tag to origin.",
        "After reloading, we'll test the server with the page we made.",
        "Waiting for two helpers. When they report back I'll run the integration gate.",
        "- `addCommands` unused \u2014 called through the counter, will verify",
        "Cutting that further is a possible future optimization, the rest is done.",
        "Option A for now (simple and safe), with option B as a follow-up.",
        "Leave the check of the remote for later.",
        "The `watch` command gets the flag in a future PR.",
    ],
)
def test_a_clause_that_puts_something_off_is_a_promise(text: str) -> None:
    (made,) = intentions_in(said(text))
    assert (made.item.kind, made.item.status) == ("commitment", Status.OPEN)
    assert made.item.evidence[0].quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Once we complete this, we'll have satisfied another requirement of the plan.",
        "After the fix: 12 tests pass and none fails.",
        "Once committed, the hook writes the trailer by itself.",
        "If you want, once it lands I'll add a page too.",
        "When the list is empty it will not be drawn.",
        "I applied the fix, now I will check the rest of it.",
        "Once you are done, will you tell me?",
        "I'm committing the guardrail now as a small follow-up.",
        "Want me to note that as a follow-up?",
        "We could do the rest in a second pass.",
        "The server keeps a copy for the reader.",
    ],
)
def test_reports_offers_and_next_steps_are_none(text: str) -> None:
    assert intentions_in(said(text)) == ()


def ran(command: str, place: int, outcome: Outcome = Outcome.OK) -> Reading:
    call = CallSeen(
        call_id="c", tool="bash", family="shell", action=Action.RUN, command=command,
        outcome=outcome,
    )  # fmt: skip
    return Reading(handle=f"S-{place + 1}", position=place, calls=(call,))


PUT_OFF = "Once the helper lands I'll run mise check gate and re-time the diff."


@pytest.mark.parametrize(
    ("behind", "status"),
    [
        ([], Status.OPEN),
        ([ran("mise run check", 2)], Status.DONE),
        ([ran("mise run check", 2, Outcome.FAILED)], Status.OPEN),
        ([ran("git log --oneline", 2)], Status.OPEN),
        ([said("It is all done.", 2, finished=True)], Status.CLOSED),
    ],
    ids=["nothing came", "a call did it", "a call failed", "another call", "handed over"],
)
def test_what_comes_later_settles_it(behind: list[Reading], status: Status) -> None:
    over = frozenset(r.handle for r in behind if r.finished)
    (made,) = put_off([said(PUT_OFF)], behind, over)
    assert made.item.status is status


def test_a_command_that_the_promise_names_was_kept_when_it_ran() -> None:
    promised = said("When they report back I'll run the gate (`mise run check`) and tell you.")
    checked = ran("cd app && mise run check > /tmp/check.log 2>&1; tail -5 /tmp/check.log", 2)
    (made,) = put_off([promised], [checked], frozenset())
    assert (made.item.status, made.item.evidence[-1].span) == (Status.DONE, "S-3")


def test_what_is_promised_where_the_agent_hands_over_outlives_the_next_answer() -> None:
    first, later = said(PUT_OFF, 0, finished=True), said("Another matter.", 4, finished=True)
    (made,) = put_off([first, later], [], frozenset({"S-1", "S-5"}))
    assert made.item.status is Status.OPEN


def test_thousands_of_promises_that_nobody_keeps_are_looked_at_in_moments() -> None:
    looked = CallSeen(
        call_id="c", tool="bash", family="x", action=Action.READ, outcome=Outcome.OK, resource="a"
    )
    readings = [
        said(f"Once the gate{n} lands: refurbish panel{n} of house{n}.", n, calls=(looked,))
        for n in range(4_000)
    ]
    for reading in readings:
        assert len(intentions_in(reading)) == 1
    started = time.process_time()
    made = put_off(readings, (), frozenset())
    assert time.process_time() - started < 2
    assert {each.item.status for each in made} == {Status.OPEN}


INSTALL = "Once DNS is working, run:\n```bash\nbun install -g tui\n```\nThat takes a minute."


def test_a_command_to_be_run_once_something_holds_is_open_until_it_ran() -> None:
    promise = said(INSTALL, 1)
    (made,) = intentions_in(promise)
    assert made.item.evidence[0].quote == INSTALL.partition("\n```\n")[0]
    (still,) = put_off([promise], [ran("ping -c 1 example.org", 3)], frozenset({"S-2"}))
    assert still.item.status is Status.OPEN
    (done,) = put_off([promise], [ran("bun install -g tui", 5)], frozenset({"S-2"}))
    assert done.item.status is Status.DONE


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("This is a first cut and must be done next.", True),
        ("// The retry of names (will be implemented in WP7)", True),
        ("This argument will be removed in a future version.", False),
        ("The list must be done in the order of names.", False),
    ],
)
def test_what_a_written_file_puts_off_is_open(line: str, kept: bool) -> None:
    wrote = call("Write", {"file_path": "notes.md", "content": f"# A\n{line}\n"}, "written")
    made = items(proposed(user("go"), wrote), "commitment")
    assert [line.endswith(each.text) for each in made] == ([True] if kept else [])


def test_what_is_put_off_to_a_part_of_the_work_is_done_with_its_commit() -> None:
    line = "The retry of names (will be implemented in WP7)"
    wrote = call("Write", {"file_path": "a.ts", "content": f"// {line}\n"}, "written")
    shipped = bash('git commit -m "WP7: retry"', "[main 1a2b3c4] WP7: retry")
    other = bash('git commit -m "WP6: names"', "[main 1a2b3c5] WP6: names")
    (done,) = items(proposed(user("go"), wrote, other, shipped), "commitment")
    (still,) = items(proposed(user("go"), wrote, other), "commitment")
    assert (done.status, still.status) == (Status.DONE, Status.OPEN)
