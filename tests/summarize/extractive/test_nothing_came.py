"""An output may show that nothing came of a call; that a check found no fault is no failure."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.nothing_came import (
    line_of_nothing,
    none_found,
    none_run,
    not_taken,
    of_a_query,
)


@pytest.mark.parametrize(
    "line",
    [
        "No results found",
        "No matching records were found.",
        "Warning: no rows returned",
        "Updated 0 rows",
        "Found 0 matching documents",
        "0 results",
        "0 rows processed",
        "Your search for 'ducks' did not match any article.",
        "We couldn't find anything for that name.",
        "Nothing was replaced",
    ],
)
def test_a_line_says_that_there_is_nothing(line: str) -> None:
    assert none_found([line]) == line


@pytest.mark.parametrize(
    "line",
    [
        "No issues found",
        "No errors found in 3 files",
        "No matching problems found",
        "Found 0 errors",
        "Found 0 vulnerabilities",
        "0 failed",
        "no changes added to commit",
        "No conflicts found",
        "There were results for 10 of them",
        "Found 10 matching documents",
        "10 results",
    ],
)
def test_that_no_fault_was_found_is_good_news(line: str) -> None:
    assert none_found([line]) == ""


def test_a_line_among_many_is_one_of_an_output() -> None:
    assert none_found(["a", "b", "c", "No results found"]) == ""


@pytest.mark.parametrize(
    "lines",
    [
        ["collected 891 items / 891 deselected / 0 selected", "==== 891 deselected in 6.86s ===="],
        ["testing: warning: no tests to run", "PASS", "ok  \ta/b\t0.3s [no tests to run]"],
        ["No tests found, exiting with code 0"],
        ["Ran 0 tests in 0.000s", "OK"],
        ["==== no tests ran in 0.02s ===="],
    ],
)
def test_a_run_of_tests_that_ran_none(lines: list[str]) -> None:
    assert none_run(lines) == lines[0]


@pytest.mark.parametrize(
    "lines",
    [
        ["ok  \ta/b\t0.3s [no tests to run]", "ok  \ta/c\t0.3s"],
        ["testing: warning: no tests to run", "=== RUN   TestA", "--- PASS: TestA (0.00s)"],
        ["collected 10 items / 7 deselected / 3 selected", "3 passed, 7 deselected in 1s"],
        ["ok  \ta/b\t0.3s"],
        [],
    ],
)
def test_a_run_of_tests_that_ran_some(lines: list[str]) -> None:
    assert none_run(lines) == ""


@pytest.mark.parametrize(
    "line",
    ["Wrong flag!", "Incorrect answer.", "That is not correct", "Your answer was rejected",
     "The password is wrong: 2 tries left", "Not quite right. Try again."],
)  # fmt: skip
def test_an_answer_is_not_taken(line: str) -> None:
    assert not_taken([line]) == line


@pytest.mark.parametrize(
    "line",
    ["Correct flag!", "Wrong indentation is fixed by the formatter", "flag: not set",
     "The answer is 42", "not correctly indented lines: 0", "password accepted"],
)  # fmt: skip
def test_other_words_take_it_or_say_nothing_of_it(line: str) -> None:
    assert not_taken([line]) == ""


def test_a_page_says_that_a_search_matched_nothing() -> None:
    page = "Issues\n- 0 Open\n**Message:**\n- No results matched your search.\n- Try another one."
    assert line_of_nothing(page) == "No results matched your search."
    assert line_of_nothing("Issues\n- 12 results\n- no milestone shows all") == ""


def test_a_query_without_an_answer_names_what_it_asked_for() -> None:
    said = "No issues found with the specified label."
    assert of_a_query([said]) == said
    assert of_a_query(["No issues found in 5 source files"]) == ""
