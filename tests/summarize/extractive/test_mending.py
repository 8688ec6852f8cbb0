"""Who sets something right at once says before it what went wrong; good news is none."""

from __future__ import annotations

import pytest

from clew.record.items import Item
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.mending import fault_named, mended, realized, undershot
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import (
    bash,
    call,
    items,
    proposed,
    request,
    spans_of,
    user,
)


def reading(text: str) -> Reading:
    return Reading(handle="S-3", position=2, prose=(text,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The test patch landed inside an existing raw string; I’m fixing that placement.",
            "The test patch landed inside an existing raw string",
        ),
        (
            "The text got split across a newline, making a bad word. I'm changing the helper.",
            "The text got split across a newline, making a bad word.",
        ),
        (
            "The loop aborted early, so two files weren't swept. Let me redo it on known files:",
            "The loop aborted early, so two files weren't swept.",
        ),
        (
            "The first extraction caught comments too, so I'm narrowing it to string literals.",
            "The first extraction caught comments too",
        ),
        (
            "This piecemeal way is a mess. Let me start fresh:",
            "This piecemeal way is a mess.",
        ),
        ("There are many errors. Let me take a different approach.", "There are many errors."),
        (
            "A trail was already made for the branch. Updating it instead:",
            "A trail was already made for the branch.",
        ),
        (
            "The helpers created some compile issues — two `seed` functions. Let me fix them.",
            "The helpers created some compile issues — two `seed` functions.",
        ),
        (
            (
                "I hit one expected compile clean-up from the move: the walk needs the store. I'm "
                "fixing that now."
            ),
            "I hit one expected compile clean-up from the move: the walk needs the store.",
        ),
    ],
)
def test_what_is_set_right_went_wrong_before(text: str, said: str) -> None:
    assert mended(reading(text)) == said


@pytest.mark.parametrize(
    "text",
    [
        "The parser swap is in place. I'm replacing the external import now.",
        "All tests in the package pass again. Let me fix the docs next.",
        "The references will resolve once all files are saved. Let me fix the unused import.",
        "The header needs another column for this. I'm changing the writer.",
        "These lines are indented with one tab each. Let me fix the others:",
        "I see that the file has three parts. Let me change the second one.",
        "The report lists every open file by name. I'm running the next check.",
        "Three places need a change:\n\nLet me fix the first.",
        "Now I need to use the root of the repository instead:",
        "This is becoming a large task. Let me take a more efficient approach:",
    ],
)
def test_progress_plans_and_looks_are_none(text: str) -> None:
    assert mended(reading(text)) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It didn't print the second line. Why?", "It didn't print the second line."),
        (
            "THOUGHT: The last commit did not stage cleanly because of the ignore file.",
            "The last commit did not stage cleanly because of the ignore file.",
        ),
        ("`make install` didn't copy the man page.", "`make install` didn't copy the man page."),
        ("Hm, the workers weren't started by it.", "Hm, the workers weren't started by it."),
        ("That file only stored the last 120 bytes.", "That file only stored the last 120 bytes."),
        ("The first commit only captured the notes.", "The first commit only captured the notes."),
        (
            "That commit absorbed more than intended because of the index. I'm looking now.",
            "That commit absorbed more than intended because of the index.",
        ),
        (
            "The rename went further in the tests than it should have.",
            "The rename went further in the tests than it should have.",
        ),
        ("It ran but didn't output anything. Odd.", "It ran but didn't output anything."),
        (
            "The script finished without printing any results, so no row matched.",
            "The script finished without printing any results, so no row matched.",
        ),
    ],
)
def test_what_was_not_done_is_told_first(text: str, said: str) -> None:
    assert undershot(reading(text)) == said


@pytest.mark.parametrize(
    "text",
    [
        "It didn't break anything else.",
        "It ran without errors this time.",
        "The build finished but the tests still have to run.",
        "The scan didn't find any stale command.",
        "The run didn't fail this time.",
        "If it didn't print a line, the hook is off.",
        "I didn't touch the lock file.",
        "All three are done. It didn't take long.",
        "I only changed the code so far.",
        "The probe only covers the first step of it, as planned.",
        "The new index took less time than the old one.",
        "The plan is to keep more than intended.",
    ],
)
def test_good_news_and_conditions_are_none(text: str) -> None:
    assert undershot(reading(text)) == ""


def test_why_it_went_wrong_is_taken_in_behind_it() -> None:
    text = "Why?\nAh, line numbers shift when I insert. So 405 became 407.\n\nNow I look."
    assert realized(reading(text)) == "Ah, line numbers shift when I insert. So 405 became 407."
    guess = "It crashed. I suspect my print caused it.\n\nMaybe it is the cache."
    assert realized(reading(guess)) == "I suspect my print caused it."
    steps = "Because of this, I cannot pull here.\n\n**Actions:**\n1. Pull by hand."
    assert realized(reading(steps)) == "Because of this, I cannot pull here."
    assert realized(reading("Ah, is it the cache?")) == ""
    assert realized(reading("I see. The file has ten lines.")) == ""


def failed(*exchanges: list[dict[str, object]]) -> list[Item]:
    return items(proposed(user("the goal"), *exchanges), "dead_end")


def test_it_is_a_dead_end_of_the_call_before_it() -> None:
    (item,) = failed(
        bash("sed -i '401a dbg' app.py && python app.py", "one\ntwo"),
        bash(
            "nl app.py", "1 one", said="It didn't print the marker. Ah, it stands behind a return."
        ),
    )
    assert item.text == ("sed -i '401a dbg' app.py && python app.py → It didn't print the marker.")
    assert item.why == "Ah, it stands behind a return."


def test_behind_a_mere_look_nothing_was_tried() -> None:
    said = "The table lists an old name, so I'm fixing the second row."
    look = call("read", {"path": "docs/a.md"}, "| a | b |")
    assert failed(look, call("edit", {"path": "docs/a.md"}, "ok", said=said)) == []


def test_what_is_set_right_at_once_stands_as_settled() -> None:
    (item,) = failed(
        bash("python gen.py --all", "wrote 3 files"),
        bash("python gen.py --src", "wrote 1 file",
             said="The first run caught vendored files too, so I'm narrowing it to sources."),
    )  # fmt: skip
    assert item.text == "python gen.py --all \u2192 The first run caught vendored files too"
    assert item.reason == "set right at once"
    assert not item.live


def test_a_thought_counts_where_nothing_is_said_aloud() -> None:
    thought = Reading(handle="S-3", position=2, reasoning=("It didn't write the second file.",))
    assert undershot(thought) == "It didn't write the second file."


def test_what_a_look_behind_a_failure_found_belongs_to_the_failure() -> None:
    (item,) = failed(
        bash("npx gen", "Exit code 1\nTypeError: args.at is not a function"),
        bash("which node npx", "/opt/node/bin/node\n/usr/local/bin/npx"),
        bash("/opt/node/bin/npx gen2", "ok",
             said="The old `npx` jumps into its own files. I'm going to use the path instead."),
    )  # fmt: skip
    quotes = [e.quote for e in item.evidence]
    assert "The old `npx` jumps into its own files." in quotes


def test_the_error_that_stands_in_the_output_is_quoted_with_what_is_told_of_it() -> None:
    output = "\n".join(["swept a.go", "swept b.go", "c.go: No such file or directory", "done"] * 20)
    (item,) = failed(
        bash("sh sweep.sh", output),
        bash("sh sweep.sh a.go", "swept a.go",
             said="The sweep didn't reach the last file, so I'm running it on known ones."),
    )  # fmt: skip
    assert "c.go: No such file or directory" in [e.quote for e in item.evidence]


def test_a_stretch_may_begin_with_what_is_set_right() -> None:
    said = "The test patch landed inside a raw string; I'm fixing that placement."
    spans = spans_of([
        *call("read", {"path": "a_test.go"}, "package a"),
        *call("edit", {"path": "a_test.go", "old": "x", "new": "y"}, "ok", said=said),
    ])  # fmt: skip
    made = items(ExtractiveSummarizer().propose(request(spans)), "dead_end")
    assert [item.text for item in made] == ["The test patch landed inside a raw string"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Let's fix the selector issue in the demo script:",
            "Let's fix the selector issue in the demo script",
        ),
        ("Let me fix the shell syntax in `run.sh`:", "Let me fix the shell syntax in `run.sh`"),
        ("Now let me fix the tests for the loader:", ""),
        ("Let me fix the issue:", ""),
        ("The suite passes. Let me fix the typo issue in the guide.", ""),
        ("Should I fix the selector issue in the demo script?", ""),
    ],
)
def test_who_sets_out_to_mend_a_fault_names_it(text: str, said: str) -> None:
    assert fault_named(reading(text)) == said


def test_a_fault_that_is_mended_right_behind_a_run_of_what_was_written_is_settled() -> None:
    wrote = call("write", {"path": "demo.js", "content": "run()"}, "Saved.")
    ran = bash("node demo.js", "Page opened: Example Domain")
    fixes = call(
        "edit",
        {"path": "demo.js", "new_string": "x"},
        "Saved.",
        said="Let's fix the selector issue in the demo script:",
    )
    found = items(proposed(user("Make a demo."), wrote, ran, fixes), "dead_end")
    assert [item.text for item in found] == [
        "node demo.js → Let's fix the selector issue in the demo script"
    ]
    looked = bash("cat other.js", "open()")
    assert items(proposed(user("Mend the demo."), looked, fixes), "dead_end") == []


def test_what_helpers_found_is_no_trouble_of_theirs_and_what_they_made_is() -> None:
    helped = call("Task", {"description": "review", "prompt": "Review it."}, "Two findings.")
    fixes = call(
        "edit",
        {"path": "a.go", "new_string": "x"},
        "Saved.",
        said="The helpers created some compile issues in the tests. Let me fix them.",
    )
    assert [i.text for i in failed(helped, fixes)] == [
        "Task review \u2192 The helpers created some compile issues in the tests."
    ]
    found = call(
        "edit",
        {"path": "a.go", "new_string": "x"},
        "Saved.",
        said="All three of them agree on the same lines. Let me fix them.",
    )
    assert failed(helped, found) == []


def test_who_leaves_a_way_in_so_many_words_has_tried_it_even_with_a_look() -> None:
    look = call("read", {"path": "refs"}, "84 names")
    other = bash(
        "git log --all",
        "4f1c Hold the lock",
        said="The blobs could be on any of them. Let me try a different approach.",
    )
    (item,) = failed(look, other)
    assert item.evidence[0].quote == "The blobs could be on any of them."
    assert item.reason == "left for another way"
    same = bash("git log", "4f1c", said="The blobs are on the first one. Let me list it.")
    assert failed(look, same) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "The new body is being overwritten by the later mask. I'm moving that pass to the end.",
            True,
        ),
        ("The masks are in place now. I'm moving on to the docs.", False),
        ("The new body is read by the later mask. I'm moving that pass to the end.", False),
    ],
)
def test_a_fault_of_a_change_that_a_look_shows_is_settled_where_it_is_changed_again(
    said: str, kept: bool
) -> None:
    wrote = call("edit", {"path": "mask.go", "new_string": "x"}, "Saved.")
    look = call("read", {"path": "out.txt"}, "(body)")
    again = call("edit", {"path": "mask.go", "new_string": "y"}, "Saved.", said=said)
    found = [item.evidence[0].quote for item in failed(wrote, look, again)]
    assert found == (["The new body is being overwritten by the later mask."] if kept else [])
