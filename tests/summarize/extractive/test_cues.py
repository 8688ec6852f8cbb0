from __future__ import annotations

import pytest

from clew.errors import PolicyError
from clew.summarize.extractive import ExtractiveSummarizer, compile_cues, read_cue_file
from clew.summarize.extractive.cues import SECTIONS, built_in_cues
from tests.summarize.extractive.told import request, spans_of, user


def test_phrases_match_whole_words_in_any_case_and_a_star_lets_a_word_go_on() -> None:
    cues = compile_cues({"rule": ["must not", "don't"], "rejected": ["reject*"]})
    assert cues.purposes("You MUST  not".replace("  ", " ")) == {"rule"}
    assert cues.has("rule", "don’t do it")
    assert cues.has("rejected", "we rejected it")
    assert not cues.has("rule", "a mustang notes")
    assert cues.any.search("it was rejecting things") is not None


def test_the_lists_of_the_package_fill_every_section() -> None:
    assert all(built_in_cues().phrases[name] for name in SECTIONS)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[unheard]\nphrases = []", "is no cue section"),
        ("[rule]\nphrases = 3", "is no cue section"),
        ("[rule", "is not TOML"),
    ],
)
def test_a_cue_file_that_cannot_be_read_says_why(text: str, problem: str) -> None:
    with pytest.raises(PolicyError, match=problem):
        read_cue_file(text, name="de.toml")


def test_a_user_can_bring_another_language() -> None:
    german = compile_cues(read_cue_file('[rule]\nphrases = ["niemals"]', name="de.toml"))
    spans = spans_of(user("Bitte niemals die Tabelle billing ändern."))
    delta = ExtractiveSummarizer(cues=german).propose(request(spans))
    assert [op.item.kind for op in delta.operations if hasattr(op, "item")] == [
        "directive",
        "invariant",
    ]
