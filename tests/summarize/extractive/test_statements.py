"""What a person told the agent in passing is kept whole; requests and small talk are not."""

from __future__ import annotations

import clew
from clew.record.items import Item, Speaker

GOAL = "Plan the move of the billing service."


def record_after(*told: str, answer: str = "Noted.") -> tuple[Item, ...]:
    messages = [{"role": "user", "content": GOAL}, {"role": "assistant", "content": "Ready."}]
    for text in told:
        messages += [
            {"role": "user", "content": text},
            {"role": "assistant", "content": answer},
        ]
    messages += [
        {"role": "user", "content": "How far are we?"},
        {"role": "assistant", "content": "The plan has many parts. " * 800},
        {"role": "user", "content": "Good."},
    ]
    budget = clew.Budget(20_000, tail_messages=1, tail_tokens=200)
    session = clew.Session(policy=clew.Policy(budget), format="openai-chat")
    session.prepare(messages)
    assert isinstance(session.compact().outcome, clew.Compacted)
    return session.record.items


def kept(items: tuple[Item, ...]) -> list[str]:
    return [i.text for i in items if i.kind in ("fact", "invariant") and i.live]


def test_a_message_that_was_only_acknowledged_is_kept_whole() -> None:
    text = "The cap is $956 in total. Never exceed it without approval."
    items = record_after(text)
    assert text in kept(items)
    assert all(i.said_by is Speaker.USER for i in items if i.text == text)


def test_what_is_said_again_with_another_value_takes_the_place_of_the_first() -> None:
    items = record_after(
        "The budget cap of the project is $201 in total.",
        "We meet on Tuesdays at 14:00.",
        "The budget cap of the project is $956 in total.",
    )
    assert "The budget cap of the project is $956 in total." in kept(items)
    assert "The budget cap of the project is $201 in total." not in kept(items)


def test_statements_about_two_things_stand_side_by_side() -> None:
    both = (
        "The staging database is MySQL 8 in us-west-2.",
        "The production database is Postgres 15 in eu-north-5.",
    )
    assert set(both) <= set(kept(record_after(*both)))


def test_a_question_and_small_talk_tell_nothing() -> None:
    assert kept(record_after("Is the port 8080?", "thanks a lot, friend")) == []


def test_a_message_with_a_long_answer_was_a_request() -> None:
    answer = "Here is the whole story of the service, from its first day on. " * 3
    assert kept(record_after("Tell me about host db-17 then", answer=answer)) == []


def test_a_value_that_is_said_again_after_a_compaction_supersedes_the_recorded_one() -> None:
    long = "The plan has many parts. " * 800
    messages = [
        {"role": "user", "content": GOAL},
        {"role": "assistant", "content": "Ready."},
        {"role": "user", "content": "The budget cap of the project is $201 in total."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "How far are we?"},
        {"role": "assistant", "content": long},
        {"role": "user", "content": "Good."},
    ]
    budget = clew.Budget(20_000, tail_messages=1, tail_tokens=200)
    session = clew.Session(policy=clew.Policy(budget), format="openai-chat")
    session.prepare(messages)
    assert isinstance(session.compact().outcome, clew.Compacted)
    (first,) = [i for i in session.record.items if "$201" in i.text and i.kind == "fact"]
    messages += [
        {"role": "assistant", "content": "So it is."},
        {"role": "user", "content": "The budget cap of the project is $956 in total."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "And now?"},
        {"role": "assistant", "content": long},
        {"role": "user", "content": "Good."},
    ]
    session.prepare(messages)
    assert isinstance(session.compact().outcome, clew.Compacted)
    after = {i.id: i for i in session.record.items}
    assert not after[first.id].live
    assert "$956" in after[after[first.id].superseded_by].text
