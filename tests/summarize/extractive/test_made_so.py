"""A report of how a thing is now tells a choice behind the change; an explanation does not."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.made_so import tells_how_made
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

MADE = "Typing one sign shows `Keep typing` instead of reading all 80 tables."


def kinds(*story: list[Native]) -> list[str]:
    return [item.kind for item in items(proposed(*story)) if item.text == MADE]


def edit() -> list[Native]:
    return call("edit", {"path": "tide.py", "old": "a", "new": "b"}, "edited tide.py")


REPORT = agent(f"Done. What changed:\n\n- {MADE}\n- The doc was updated in `tide.md`.")


def test_behind_a_change_it_is_a_choice_and_without_one_a_finding() -> None:
    assert kinds(user("make it quick"), edit(), REPORT) == ["decision"]
    assert kinds(user("how is it?"), bash("cat tide.py", "80 tables"), REPORT) == ["fact"]


def test_a_change_before_the_person_spoke_again_does_not_count() -> None:
    told = [user("make it quick"), edit(), agent("Done."), user("how is it now?")]
    assert kinds(*told, bash("cat tide.py", "80 tables"), REPORT) == ["fact"]


def test_a_failed_change_made_nothing() -> None:
    failed = call("edit", {"path": "tide.py", "old": "a", "new": "b"}, "Error: no such text")
    assert "decision" not in kinds(user("make it quick"), failed, REPORT)


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("**Empty harbour \u2192 opens the list at once** (no dead end).", True),
        ("`moon()` now returns the phase and the hour.", True),
        ("The default is the table of this year.", True),
        ("Every row is stored, so they survive a restart of `tide`.", True),
        ("Replaced the plain table with `MoonTable` for its rows.", True),
        ("Changed the default of `tide.toml` to `false`.", True),
        ("Made the lamp accept `MOON` via `casefold()`.", True),
        ("The table is read in a thread of its own, preventing the lamp from going out.", True),
        ("Added the table of 1998 to `tide.md`.", False),
        ("Moved on to the lamp.", False),
        ("The tests now use the new table and pass.", False),
        ("So the table looks plain, but its rows are real.", False),
        ("The lamp was out because of a bug in `tide.c`, so it is dark.", False),
        ("The table already lists `moon`, so that's consistent.", False),
        ("Run `tide --fix` to keep the rows.", False),
        ("The harbour has 80 tables.", False),
    ],
)
def test_what_sets_one_way_apart_and_tells_of_nothing_found(said: str, tells: bool) -> None:
    assert tells_how_made(said) == tells


ENTRIES = [f"`lamp{n}.py` has only {n} rows now." for n in range(1, 9)]
LONG = agent("Done. What changed:\n\n" + "\n".join(f"- {entry}" for entry in ENTRIES))


def told(*story: list[Native]) -> int:
    return sum(item.text in ENTRIES for item in items(proposed(*story), "fact"))


def test_a_report_on_changes_is_told_in_full_and_an_explanation_by_its_surest_entries() -> None:
    assert told(user("count the rows"), edit(), LONG) == len(ENTRIES)
    assert told(user("count the rows"), bash("wc -l", "8"), LONG) == 4


def test_sentences_that_name_something_count_where_the_report_has_no_list() -> None:
    said = "`lamp.py` reads the moon from `tide.toml`."
    report = agent(f"Done. It took a while. The lamps are fine. Rows are counted twice. {said}")

    def found(*story: list[Native]) -> bool:
        return said in [item.text for item in items(proposed(*story), "fact")]

    assert found(user("count the rows"), edit(), report)
    assert not found(user("count the rows"), bash("wc -l", "8"), report)
