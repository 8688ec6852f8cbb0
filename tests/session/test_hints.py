"""A hint names the handle of what the newest message asks for, and never touches a context."""

from __future__ import annotations

from typing import Any

import pytest

import clew
from clew.session.hints import MESSAGES_BETWEEN

GOAL = {"role": "user", "content": "Migrate the billing service"}


def step(n: int, path: str = "", content: str = "", *, failed: bool = False) -> list[Any]:
    call = {
        "type": "tool_use",
        "id": f"t{n}",
        "name": "read_file",
        "input": {"path": path or f"src/module_{n}.py"},
    }
    result = {
        "type": "tool_result",
        "tool_use_id": f"t{n}",
        "content": content or f"def handler_{n}(): return {n}\n" * 40,
        "is_error": failed,
    }
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def said(text: str) -> list[Any]:
    return [{"role": "assistant", "content": text}]


def folded(**options: Any) -> tuple[clew.Session, list[Any]]:
    policy = clew.Policy(clew.Budget(8_000), **options)
    session = clew.Session(policy=policy, format="anthropic")
    messages = [GOAL, *(message for n in range(40) for message in step(n))]
    assert isinstance(session.prepare(messages).outcome, clew.Compacted)
    return session, messages


def test_a_name_the_archive_holds_and_the_window_does_not() -> None:
    session, messages = folded()
    session.prepare([*messages, *said("now back to src/module_1.py")])
    hint = session.hint()
    assert hint is not None
    assert hint.name == "src/module_1.py"
    assert "def handler_1()" in session.recall(hint.handle).decode()
    assert hint.text.startswith("src/module_1.py is in the archive and not in this window: S-")
    assert "\n" not in hint.text


@pytest.mark.parametrize(
    ("newest", "name"),
    [
        (step(90, content="cannot import src/module_2.py", failed=True), "src/module_2.py"),
        (step(90, content="the record's index has handler_20", failed=True), None),
        (step(90, path="src/module_3.py", content="ok"), "src/module_3.py"),
        (step(90, content="src/module_2.py is fine"), None),
        (said("nothing_like_it_was_ever_here"), None),
        (said("plain words only"), None),
        (said("and src/module_39.py"), None),
    ],
    ids=[
        "error",
        "in the record",
        "argument",
        "plain result",
        "unknown",
        "no name",
        "still in the window",
    ],
)
def test_only_the_agents_words_and_errors_ask(newest: list[Any], name: str | None) -> None:
    session, messages = folded()
    session.prepare([*messages, *newest])
    hint = session.hint()
    assert (hint.name if hint is not None else None) == name


def test_a_context_is_the_same_bytes_whether_hints_are_asked_for_or_not() -> None:
    (one, messages), (two, _) = folded(), folded(hints=False)
    more = [*messages, *said("now back to src/module_1.py")]
    assert one.prepare(more).messages == two.prepare(more).messages
    assert one.hint() is not None
    assert two.hint() is None
    more += [{"role": "user", "content": "go on"}, *said("src/module_2.py")]
    assert one.prepare(more).messages == two.prepare(more).messages


def test_hints_are_rare_and_none_comes_twice() -> None:
    session, messages = folded()
    given: list[str] = []
    for n in range(3 * MESSAGES_BETWEEN):
        messages += [*said(f"see src/module_{n % 5}.py"), {"role": "user", "content": "yes"}]
        session.prepare(messages)
        hint = session.hint()
        if hint is not None:
            given.append(hint.name)
        assert session.hint() is None
    assert 1 <= len(given) <= 2 * 3
    assert len(given) == len(set(given))


def test_the_answer_of_a_search_carries_it_and_recall_stays_word_for_word() -> None:
    session, messages = folded()
    session.prepare([*messages, *said("now back to src/module_1.py")])
    answer = session.call_tool("clew_search", {"query": "handler_7"})
    line = answer.splitlines()[-1]
    assert line.startswith("[src/module_1.py is in the archive")
    handle = line.split("window: ")[1].split()[0]
    assert session.hint_use == clew.session.hints.HintUse(given=1, recalled=0)
    recalled = session.call_tool("clew_recall", f'{{"handle": "{handle}"}}')
    assert recalled == session.recall(handle).decode()
    assert session.hint_use.recalled == 1


@pytest.mark.parametrize("arguments", ["no json", "[1]", {}, '{"handle": 5}'])
def test_a_recall_of_nothing_counts_as_no_use(arguments: Any) -> None:
    session, _ = folded()
    session.call_tool("clew_recall", arguments)
    assert session.hint_use.recalled == 0


def test_before_anything_left_the_window_there_is_no_hint() -> None:
    session = clew.Session(format="anthropic")
    assert session.hint() is None
    session.prepare([GOAL, *said("see src/module_1.py")])
    assert session.hint() is None
