"""The whole scenario: which arm loses rows, why, and that nothing but the context decides it."""

from __future__ import annotations

from typing import Any

import pytest

from clew.budget import Budget
from clew.counters import resolve_counter
from clew.demo import Demo, run_demo, why
from clew.demo.arms import ProseSummary
from clew.demo.play import pairs_are_whole, play
from clew.demo.scenario import TAIL_TOKENS, WINDOW_TOKENS
from clew.demo.size import Sizes

ACTION = "I loaded the ledger with a transform that keeps the newest row for each case_id."
QUALIFIED = "case_id is unique only within a tenant."


@pytest.fixture(scope="module")
def demo() -> Demo:
    return run_demo()


@pytest.mark.parametrize(
    ("arm", "lost", "key", "because"),
    [
        ("full history", 0, "tenant_id, case_id", QUALIFIED),
        ("clew", 0, "tenant_id, case_id", QUALIFIED),
        ("prose summary", 47, "case_id", ACTION),
        ("sliding window", 47, "case_id", "as printed on the letter to the customer."),
    ],
)
def test_an_arm_loses_rows_when_it_no_longer_shows_the_qualifier(
    demo: Demo, arm: str, lost: int, key: str, because: str
) -> None:
    played = demo.arm(arm)
    assert (played.audit.expected, played.audit.lost) == (1912, lost)
    assert played.choice.key == key
    assert played.choice.because is not None
    assert because in played.choice.because.sentence
    assert because in why(played)


def test_in_clew_the_qualifier_stands_in_the_record_with_a_handle(demo: Demo) -> None:
    played = demo.arm("clew")
    assert played.choice.because is not None
    handle = played.choice.because.handle
    item = demo.record.get(handle)
    assert item is not None
    assert QUALIFIED in item.text
    assert handle in demo.record_text


def test_the_laws_hold_in_the_clew_arm(demo: Demo) -> None:
    assert [law for law, holds in demo.laws.items() if not holds] == []
    assert len(demo.folds) >= 4
    assert demo.archive.brought_back == demo.archive.absorbed_messages > 200


def test_the_user_s_rule_and_the_dead_end_survive_where_they_stay_in_view(demo: Demo) -> None:
    assert demo.arm("clew").rule_kept == demo.arm("clew").rule_asked > 20
    assert demo.arm("clew").dead_end_retries == 0
    assert demo.arm("sliding window").rule_kept < demo.arm("sliding window").rule_asked
    assert demo.arm("prose summary").dead_end_retries == 1


def test_clew_sends_a_fraction_of_the_full_history(demo: Demo) -> None:
    full, clew = demo.arm("full history"), demo.arm("clew")
    assert full.largest_prompt_tokens > WINDOW_TOKENS > clew.largest_prompt_tokens
    assert clew.sent_tokens * 4 < full.sent_tokens


def test_every_arm_begins_with_the_same_work(demo: Demo) -> None:
    first = [played.messages[:26] for played in demo.arms]
    assert all(messages == first[0] for messages in first)


def test_every_arm_is_shown_valid_contexts_and_the_goal(demo: Demo) -> None:
    assert all(played.valid_calls == played.calls for played in demo.arms)
    assert all(played.goal_intact for played in demo.arms)


@pytest.mark.parametrize(("keeps_whole_sentences", "lost"), [(True, 0), (False, 47)])
def test_the_same_summary_with_its_qualifiers_loses_nothing(
    keeps_whole_sentences: bool, lost: int
) -> None:
    sizes = Sizes(resolve_counter())
    budget = Budget(WINDOW_TOKENS, tail_tokens=TAIL_TOKENS).resolve(prefix_tokens=100)
    shorten = (lambda sentence: sentence) if keeps_whole_sentences else None
    assert play(ProseSummary(budget, sizes, shorten), sizes).audit.lost == lost


def test_the_demo_is_the_same_each_time(demo: Demo) -> None:
    assert run_demo().as_json() == demo.as_json()


@pytest.mark.parametrize(
    ("roles", "whole"),
    [
        ("ct", True),
        ("c", False),
        ("t", False),
        ("cut", False),
        ("uctct", True),
        ("ctt", False),
    ],
)
def test_pairs_are_judged_by_position_and_id(roles: str, whole: bool) -> None:
    message: dict[str, dict[str, Any]] = {
        "c": {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
        "t": {"role": "tool", "tool_call_id": "1", "content": ""},
        "u": {"role": "user", "content": ""},
    }
    assert pairs_are_whole([message[role] for role in roles]) is whole
