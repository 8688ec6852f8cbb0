"""What aider prints is nobody's words, and the edits in an answer are its calls."""

from __future__ import annotations

from clew.codecs import codec_for
from clew.tools_seen import is_observation, textual_calls
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER, observed_text, words_and_call
from clew.transcript import Format, Message

ANSWER = """The list needs its class.

src/forms.py
```python
<<<<<<< SEARCH
    rows = []
=======
    rows = List(cls="rows")
>>>>>>> REPLACE
```
"""


def said(role: str, text: str) -> Message:
    return codec_for(Format.OPENAI_CHAT).parse({"role": role, "content": text}, 0)


def printed(text: str) -> Message:
    return said("user", f"{PRINTED_BY_AIDER}\n{text}")


def test_what_it_printed_is_an_observation_and_what_a_person_says_is_none() -> None:
    assert is_observation(printed("33847 prompt tokens, 53 completion tokens"))
    assert observed_text(printed("Applied edit to a.py")) == "Applied edit to a.py"
    assert not is_observation(said("user", "Applied edit to a.py, but it broke the list."))


def test_an_edit_in_an_answer_is_a_call_on_its_file() -> None:
    (edit,) = textual_calls(said("assistant", ANSWER), printed("Applied edit to src/forms.py"))
    assert (edit.action, edit.resource, edit.outcome) == (Action.WRITE, "src/forms.py", Outcome.OK)


def test_an_edit_that_did_not_match_failed() -> None:
    shown = "The LLM did not conform to the edit format.\n# 1 SEARCH/REPLACE block failed to match!"
    (edit,) = textual_calls(said("assistant", ANSWER), printed(shown))
    assert edit.outcome is Outcome.FAILED
    assert edit.decisive_line == "The LLM did not conform to the edit format."


def test_the_tests_that_it_ran_behind_an_edit_are_a_call() -> None:
    shown = "Applied edit to src/forms.py\n\nTest Script: pytest tests/forms.py\n1 failed in 0.2s\n"
    edit, ran = textual_calls(said("assistant", ANSWER), printed(shown))
    assert (edit.action, ran.command) == (Action.WRITE, "pytest tests/forms.py")
    assert ran.outcome is Outcome.FAILED


def test_the_words_before_an_edit_are_what_was_said() -> None:
    assert words_and_call(ANSWER)[0].strip() == "The list needs its class."


def test_without_its_output_a_block_is_only_text() -> None:
    assert textual_calls(said("assistant", ANSWER), said("user", "thanks")) == ()
