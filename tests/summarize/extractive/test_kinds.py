"""What each kind of item is made from, on short stories."""

from __future__ import annotations

import pytest

from clew.record.delta import Close, Dismiss, SetNext
from clew.record.items import Speaker, Status
from tests.summarize.extractive.told import Native, after, agent, bash, call, items, proposed, user

COMMIT = bash("git commit -m 'Fix it'", "[main 4197b0c] Fix it\n 1 file changed, 2 insertions(+)")
BROKEN = bash("npm install left-pad@99", "Exit code 1\nnpm ERR! notarget No matching version")


def test_a_later_message_of_the_user_is_a_directive_word_for_word() -> None:
    text = "Also port the\n  importer,\tplease."
    (directive,) = items(proposed(user(text)), "directive")
    assert (directive.text, directive.said_by, directive.status) == (
        text,
        Speaker.USER,
        Status.OPEN,
    )


@pytest.mark.parametrize(
    ("story", "status"),
    [
        ([user("Port it."), bash("ls", "a"), agent("Done: ported and all tests pass.")],
         Status.DONE),
        ([user("What is the port?"), agent("It listens on 8080.")], Status.ANSWERED),
        ([user("Port it."), agent("Which one do you mean?")], Status.OPEN),
        ([user("Port it."), bash("ls", "a")], Status.OPEN),
        ([user("Port it."), bash("ls", "a"), user("Stop.")], Status.WITHDRAWN),
    ],
)  # fmt: skip
def test_a_directive_is_settled_only_when_the_transcript_shows_it(
    story: list[list[Native]], status: Status
) -> None:
    assert items(proposed(*story), "directive")[0].status is status


def test_a_long_paste_keeps_its_ends_and_its_span() -> None:
    text = "begin " + "x" * 5_000 + " end"
    (directive,) = items(proposed(user(text)), "directive")
    assert directive.text.startswith("begin ")
    assert directive.text.endswith(" end")
    assert "S-1" in directive.text
    assert len(directive.text) < 1_300


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>never show this</system-reminder>",
        "<environment_context>\n<cwd>/x</cwd>\nYou must never leave it.\n</environment_context>",
    ],
)
def test_text_of_the_harness_is_nobodys_directive(text: str) -> None:
    assert not [i for i in items(proposed(user(text))) if i.said_by is Speaker.USER]


def test_rules_of_the_user_are_invariants_with_every_qualifier() -> None:
    rule = "Never touch billing/ except in the nightly job."
    found = items(proposed(user(f"Go on. {rule} Thanks a lot.")), "invariant")
    assert [(i.text, i.said_by) for i in found] == [(rule, Speaker.USER)]


def test_a_go_ahead_is_bound_to_what_was_asked() -> None:
    story = (agent("The table is ready. Should I drop orders_old?"), user("yes, go ahead"))
    (decision,) = items(proposed(*story), "decision")
    assert decision.text == "yes, go ahead (to: Should I drop orders_old?)"
    assert [e.span for e in decision.evidence] == ["S-2", "S-1"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I decided to keep raw SQL rather than the ORM because the pool test fails.", "decision"),
        ("Swapping the adapter doesn't work because the pool_size is fixed.", "dead_end"),
        ("The root cause is that case_id is unique only within a tenant.", "fact"),
    ],
)
def test_the_agents_sentences_are_kept_whole(said: str, kind: str) -> None:
    (item,) = items(proposed(agent(f"Some words first. {said} More words follow.")), kind)
    assert (item.text, item.said_by) == (said, Speaker.AGENT)


def test_a_decision_knows_its_reason_and_what_was_rejected() -> None:
    said = "I chose sqlite instead of postgres because the demo runs offline."
    (decision,) = items(proposed(agent(said)), "decision")
    assert decision.why == "the demo runs offline"
    assert [(r.option, r.why) for r in decision.rejected] == [("postgres", "")]


def test_a_qualified_line_of_a_tool_is_a_fact_of_the_tool() -> None:
    line = "case_id is unique only within a tenant, 47 rows collide"
    (fact,) = items(proposed(bash("cat NOTES", f"intro\n{line}\nend")), "fact")
    assert (fact.text, fact.said_by) == (line, Speaker.TOOL)


def test_a_setting_counts_when_the_agent_came_back_to_it() -> None:
    seen = bash("env", "pool_size=17\nother_knob=3")
    used = bash("run --check pool_size", "ok then")
    assert [i.text for i in items(proposed(seen, used), "fact")] == ["pool_size=17"]
    assert items(proposed(seen), "fact") == []


def test_effects_name_what_was_done() -> None:
    (effect,) = items(proposed(COMMIT), "effect")
    assert effect.text == "git commit: 4197b0c Fix it"
    assert effect.status is Status.ACTIVE


def test_the_last_test_result_is_environment_with_its_numbers() -> None:
    first = bash("pytest", "=== 3 failed, 5 passed in 1.2s ===")
    last = bash("pytest", "=== 8 passed in 1.3s ===")
    (tests,) = [i for i in items(proposed(first, last), "environment") if i.field("key") == "tests"]
    assert "8 passed" in tests.field("value")


MINI = "<returncode>{}</returncode>\n<output>\n{}\n</output>"
CODEX = "Wall time: 1.2 seconds\nProcess exited with code {}\nOutput:\n{}"
GEMINI = "Command: x\nDirectory: (root)\nOutput: \n{1}\nError: (none)\nExit Code: {0}\nSignal: 0"


@pytest.mark.parametrize("family", [MINI, CODEX, GEMINI])
@pytest.mark.parametrize(
    ("command", "code", "shown", "told"),
    [
        ("tests/runtests.py a", 0, "Ran 24 tests in 0.117s\n\nOK (skipped=2)",
         "22 passed, 2 skipped (OK (skipped=2))"),
        ("python -m unittest", 0, "Ran 3 tests in 0.1s\n\nOK", "3 passed (OK)"),
        ("bin/test core", 1, " tests finished: 97 passed, 11 exceptions, in 1.41 seconds =",
         "tests finished: 97 passed, 11 exceptions, in 1.41 seconds"),
        ("go test ./... -v", 0, "--- PASS: TestA (0.09s)\nPASS\nok  \tapp/a\t1.5s",
         "1 passed (ok app/a 1.5s)"),
        ("pytest", 0, "=== 8 passed in 1.3s ===", "8 passed in 1.3s"),
    ],
)  # fmt: skip
def test_the_last_test_result_has_numbers_where_its_line_has_none(
    family: str, command: str, code: int, shown: str, told: str
) -> None:
    made = items(proposed(bash(command, family.format(code, shown))), "environment")
    assert [i.field("value") for i in made if i.field("key") == "tests"] == [told]


def test_a_failed_call_is_a_dead_end_with_what_was_done_instead() -> None:
    instead = bash("npm install left-pad@1", "added 1 package")
    (dead,) = items(proposed(BROKEN, instead), "dead_end")
    assert "No matching version" in dead.field("error")
    assert dead.field("instead") == "npm install left-pad@1 (S-3)"


@pytest.mark.parametrize(
    "later", [bash("npm install left-pad@99", "added 1 package")], ids=["same command"]
)
def test_a_failure_that_was_undone_is_a_settled_dead_end(later: list[Native]) -> None:
    (dead,) = items(proposed(BROKEN, later), "dead_end")
    assert (dead.status, dead.reason) == (Status.CLOSED, "it worked in S-3")


def test_every_failed_call_is_accounted_for() -> None:
    delta = proposed(BROKEN, bash("grep x y", "Exit code 2\ngrep: y: No such file or directory"))
    spans = {op.span for op in delta.operations if isinstance(op, Dismiss)}
    spans |= {e.span for i in items(delta, "dead_end") for e in i.evidence}
    assert spans == {"S-1", "S-3"}


def test_a_promise_stays_open_until_it_is_shown() -> None:
    promise = agent("I'll update docs/guide.md with the new flag.")
    assert [i.text for i in items(proposed(promise), "commitment")] == [
        "I'll update docs/guide.md with the new flag."
    ]
    record = after(promise, user("ok"), start=0).record
    done = after(agent("I've updated docs/guide.md with the new flag."), old=record, start=10)
    assert [i.status for i in done.record.of_kind("commitment")] == [Status.DONE]


def test_an_open_question_waits_for_the_user_and_is_answered_by_them() -> None:
    question = agent("Two ways are open. Which one do you want?")
    (blocker,) = items(proposed(question), "blocker")
    assert blocker.status is Status.OPEN
    record = after(question).record
    settled = after(user("the first one"), old=record, start=10).record
    assert [i.status for i in settled.of_kind("blocker")] == [Status.ANSWERED]


def test_the_next_action_is_the_agents_latest() -> None:
    delta = proposed(agent("Next I will read a.py."), agent("Now I'll run the importer."))
    (following,) = [op for op in delta.operations if isinstance(op, SetNext)]
    assert following.text == "Now I'll run the importer."


def plan(*entries: tuple[str, str]) -> list[Native]:
    todos = [{"content": text, "status": status} for text, status in entries]
    return call("TodoWrite", {"todos": todos}, "Todos have been modified")


def test_the_plan_is_kept_word_for_word_and_closed_as_it_says() -> None:
    record = after(plan(("Write the parser", "in_progress"), ("Ship it", "pending"))).record
    assert [(i.text, i.field("state")) for i in record.of_kind("commitment")] == [
        ("Write the parser", "active"),
        ("Ship it", "open"),
    ]
    later = plan(("Write the parser", "completed"), ("Tell people", "pending"))
    done = after(later, old=record, start=10).record
    assert [(i.text, i.status) for i in done.of_kind("commitment")] == [
        ("Write the parser", Status.DONE),
        ("Ship it", Status.CLOSED),
        ("Tell people", Status.OPEN),
    ]


def test_a_correction_takes_the_place_of_what_it_corrects_at_any_distance() -> None:
    record = after(agent("The importer is limited to 500 rows per batch.")).record
    said = "Correction: the importer is limited to 250 rows per batch."
    corrected = after(agent(said), old=record, start=400).record
    assert [(i.text, i.live) for i in corrected.of_kind("fact")] == [
        ("The importer is limited to 500 rows per batch.", False),
        (said, True),
    ]


def test_the_agent_cannot_correct_a_rule_of_the_user() -> None:
    record = after(user("Never push to the main branch of deploy.")).record
    said = "Actually we can push to the main branch of deploy, the rule is no longer needed."
    kept = after(agent(said), old=record, start=100).record
    assert [i.live for i in kept.of_kind("invariant")] == [True]


def test_settling_needs_evidence_from_a_span() -> None:
    record = after(agent("I'll update docs/guide.md with the new flag.")).record
    delta = proposed(agent("I've updated docs/guide.md with the new flag."), old=record)
    closings = [op for op in delta.operations if isinstance(op, Close)]
    assert closings == [] or all(e.span for op in closings for e in op.evidence)


def test_effects_beyond_the_room_of_their_kind_are_set_aside_and_not_lost() -> None:
    commits = [
        bash(f"git commit -am s{n}", f"[main abc{n:04}] s{n}\n 1 file changed") for n in range(14)
    ]
    made = items(proposed(*commits), "effect")
    assert [i.field("target") for i in made] == [f"abc{n:04} s{n}" for n in range(14)]
    assert [i.status for i in made] == [Status.DONE] * 4 + [Status.ACTIVE] * 10
    assert all(i.reason.startswith("set aside") for i in made[:4])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("This lamp plan sounds exactly perfect...", False),
        ("The table of 12 tides looks exactly right!", False),
        ("The lamp looks for exactly 12 rows of the tide.", True),
        ("That sounds good, but the harbour listens on port 80.", True),
    ],
)
def test_praise_of_a_person_tells_nothing(text: str, told: bool) -> None:
    made = items(proposed(agent("The plan has 3 parts."), user(text)), "fact")
    assert bool(made) == told
