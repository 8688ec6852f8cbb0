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


LONG = "The plan has many parts. " * 800


def record_after_two(first: str, then: str) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The record after one compaction that absorbed the first, and after one with the second."""
    messages = [
        {"role": "user", "content": GOAL},
        {"role": "assistant", "content": "Ready."},
    ]
    budget = clew.Budget(20_000, tail_messages=1, tail_tokens=200)
    session = clew.Session(policy=clew.Policy(budget), format="openai-chat")
    records = []
    for text in (first, then):
        messages += [
            {"role": "user", "content": text},
            {"role": "assistant", "content": "Noted."},
            {"role": "user", "content": "How far are we?"},
            {"role": "assistant", "content": LONG},
            {"role": "user", "content": "Good."},
        ]
        session.prepare(messages)
        assert isinstance(session.compact().outcome, clew.Compacted)
        records.append(session.record.items)
        messages.append({"role": "assistant", "content": "So it is."})
    return records[0], records[1]


def test_a_value_that_is_said_again_after_a_compaction_supersedes_the_recorded_one() -> None:
    before, items = record_after_two(
        "The budget cap of the project is $201 in total.",
        "The budget cap of the project is $956 in total.",
    )
    (first,) = [i for i in before if "$201" in i.text and i.kind == "fact"]
    after = {i.id: i for i in items}
    assert not after[first.id].live
    assert "$956" in after[after[first.id].superseded_by].text


RULE = "Branch fix/pay-12 must stay unpushed."
MOVED = "We rebased onto fix/tax-34; the next step is a smoke test."


def test_a_rule_outlives_the_value_in_it_and_its_old_words_stand_in_the_evidence() -> None:
    items = record_after(RULE, MOVED)
    assert set(kept(items)) == {"Branch [changed] must stay unpushed.", MOVED}
    (rule,) = [i for i in items if i.kind == "invariant"]
    assert [e.quote for e in rule.evidence] == [RULE]


def test_a_rule_of_an_earlier_compaction_outlives_its_value_too() -> None:
    before, items = record_after_two(RULE, MOVED)
    (first,) = [i for i in before if i.text == RULE and i.kind == "invariant"]
    after = {i.id: i for i in items}
    assert after[after[first.id].superseded_by].text == "Branch [changed] must stay unpushed."
    assert MOVED in kept(items)


def test_a_case_with_an_order_behind_it_is_a_rule() -> None:
    told = ("If a job hangs for an hour, kill it and page Ada.", "If it rains, the roof leaks.",
            "When the job is done, we celebrate in room B12.")  # fmt: skip
    rules = [i.text for i in record_after(*told) if i.kind == "invariant"]
    assert rules == [told[0]]


def test_a_label_in_front_of_a_statement_makes_it_worth_keeping() -> None:
    assert kept(record_after("Mood today: rather cheerful so far")) != []
    labelled, plain = "Open question: strict mode or not", "lunch was late once more today"
    items = record_after(labelled, plain, "Adding a test of the door AB-12")
    value = {i.text: i.value for i in items if i.kind == "fact"}
    assert plain not in value
    assert value[labelled] > value["Adding a test of the door AB-12"]
