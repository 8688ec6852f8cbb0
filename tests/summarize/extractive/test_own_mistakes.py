"""What the agent says that it did wrong is kept, settled, wherever it says so."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker, Status
from clew.summarize.extractive.own_mistakes import mistakes_in
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import agent, bash, items, proposed, user


def told(text: str) -> list[str]:
    found = mistakes_in(Reading(handle="S-3", position=2, prose=(text,)))
    return [made.item.text for made in found]


@pytest.mark.parametrize(
    "mistake",
    [
        "I referenced a `countAll` helper that doesn't exist, so I'll build it inline.",
        "I stopped prematurely and missed creating the licence file.",
        "I wasn't stopped; I just failed to complete the second half.",
        "I made a mistake in the previous response by including two blocks of code.",
        "I keep making this mistake. I should use one command for all of it.",
        "I fixed `apply.py` in my thoughts but I didn't update the file on disk!",
        "I undid line 891. But I didn't undo line 1742.",
        "I misread the listing and thought that the file was missing.",
        "So I should have done `col = [new_col]`.",
        "We just mixed up the two hosts, that was all.",
        "My edit command did not use the proper indentation.",
        "My last regex only matched the first of them.",
        "I accidentally put the interface inside the class.",
        "I inserted it BEFORE the function definition!",
        "I missed the part where the flag is read.",
        "So I deleted the wrong lines.",
        "Wait, I thought I had applied the fix!",
        "Line numbers shifted because I deleted two above.",
        "It takes the `line` of the first loop! That's a bug in my script.",
    ],
)
def test_a_mistake_is_told_in_its_own_words(mistake: str) -> None:
    assert told(f"The tests ran.\n\n{mistake}\n\nNext I'll look at the log.") == [mistake]


@pytest.mark.parametrize(
    "text",
    [
        "I'll do one final check for any file that I might have missed.",
        "Maybe I messed up the command or the file.",
        "Did I forget to run it? Let me check the history.",
        "The user made a mistake in the address.",
        "My change didn't break existing tests.",
        "It ran, so my patch did not touch the cache.",
        "I fixed the parser and then I updated the tests.",
        "I found the file that sets it!",
        "I'll search again to see if I missed anything.",
        "I added a test for the empty case.",
        "It seems that line numbers shift.",
        "That's a bug in the parser, not in my script.",
        "Is there a mistake in my query?",
    ],
)
def test_what_is_only_supposed_or_of_others_is_none(text: str) -> None:
    assert told(text) == []


def test_it_stands_in_the_books_as_settled() -> None:
    said = "I misread the listing and thought that the file was missing."
    story = (user("the goal"), bash("ls", "a.md"), agent(said))
    (item,) = [i for i in items(proposed(*story), "dead_end") if said in i.text]
    assert (item.status, item.said_by) == (Status.CLOSED, Speaker.AGENT)
