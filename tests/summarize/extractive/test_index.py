from __future__ import annotations

import pytest

from clew.record.record import HandoffRecord, IndexEntry, Mention
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.index import MOST_ENTRIES, MOST_MENTIONS, indexed
from clew.summarize.extractive.weights import (
    Usage,
    age_score,
    chances_of,
    expected_use,
    name_score,
    uses_score,
)
from tests.summarize.extractive.told import Native, agent, bash, request, spans_of, user

Index = tuple[tuple[IndexEntry, ...], tuple[Mention, ...]]


def index_of(*story: list[Native], tail: list[Native] | None = None,
             old: HandoffRecord | None = None, start: int = 0) -> Index:  # fmt: skip
    spans = spans_of([message for part in story for message in part], start=start)
    behind = spans_of(tail or [], start=start + 1_000)
    return ExtractiveSummarizer().index(request(spans, tail=behind, old=old))


def test_uses_are_counted_by_speaker_and_spans_are_newest_first() -> None:
    _, mentions = index_of(
        user("look at src/a.py"), bash("cat src/a.py", "x_y = 1"), bash("cat src/a.py", "x_y = 2")
    )
    found = {m.name: m for m in mentions}
    path, name = found["src/a.py"], found["x_y"]
    assert (path.agent_uses, path.user_uses, path.tool_uses) == (2, 1, 0)
    assert (name.agent_uses, name.tool_uses, name.first, name.last) == (0, 2, 1, 3)
    assert path.spans == ("S-4", "S-2", "S-1")


def test_statistics_are_carried_on() -> None:
    entries, mentions = index_of(bash("cat src/a.py", "x_y"))
    old = HandoffRecord(goal="the goal", index=entries, mentions=mentions)
    later_entries, later = index_of(bash("cat src/a.py", "z_z"), old=old, start=50)
    found = {m.name: m for m in later}
    assert (found["src/a.py"].agent_uses, found["src/a.py"].first) == (2, 0)
    assert {e.handle for e in later_entries} == {"S-1", "S-51"}


def test_what_the_agent_wrote_outweighs_what_merely_came_by() -> None:
    _, mentions = index_of(bash("cat src/a.py", "src/b.py"))
    weights = {m.name: m.weight for m in mentions}
    assert weights["src/a.py"] > 2 * weights["src/b.py"]


def test_what_stands_in_the_tail_needs_no_room_in_the_record() -> None:
    _, mentions = index_of(bash("cat src/a.py", "x"), tail=bash("cat src/a.py", "x"))
    (path,) = [m for m in mentions if m.name == "src/a.py"]
    assert path.weight < 0.02


def test_a_tab_before_a_name_in_the_arguments_is_no_part_of_it() -> None:
    _, mentions = index_of(bash("cat <<X\n\ttargetRef\nX", ""))
    assert [m.name for m in mentions] == ["targetRef"]


def test_labels_say_what_the_exchange_did() -> None:
    entries, _ = index_of(
        user("Port the importer"),
        bash("cat src/deep/down/a.py", "text"),
        bash("pytest -q", "=== 3 failed, 5 passed in 1.2s ==="),
        agent("All is well."),
    )
    labels = {e.handle: e.label for e in entries}
    assert labels["S-1"] == "user: Port the importer"
    assert labels["S-2"] == "read a.py"
    assert "3 failed, 5 passed" in labels["S-4"]
    assert labels["S-6"] == "agent: All is well."


def test_spans_that_hold_the_same_stand_newest_first_and_behind_what_holds_more() -> None:
    story = [bash("cat src/a.py", f"line {n}") for n in range(40)]
    both = bash("cat src/a.py src/b.py", "lines")
    entries, _ = index_of(*story[:20], both, *story[20:])
    first, *others = [e.handle for e in entries]
    assert first == "S-41"
    assert others == sorted(others, key=lambda handle: -int(handle[2:]))
    weights = [e.weight for e in entries]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("last", [10**12, -9])
def test_a_position_that_no_history_has_costs_nothing(last: int) -> None:
    odd = Mention(name="src/odd.py", agent_uses=1, last=last, spans=("S-1",))
    _, mentions = indexed((), (odd,), (), in_view=frozenset(), now=9)
    assert [(m.name, m.last) for m in mentions] == [("src/odd.py", last)]


def test_the_index_is_bounded() -> None:
    story = [bash(f"cat f_{n}.py", " ".join(f"n_{n}_{k}" for k in range(20))) for n in range(300)]
    entries, mentions = index_of(*story)
    old = HandoffRecord(goal="the goal", index=entries, mentions=mentions)
    for start in (1_000, 2_000, 3_000):
        entries, mentions = index_of(*story, old=old, start=start)
        old = HandoffRecord(goal="the goal", index=entries, mentions=mentions)
    assert len(entries) == MOST_ENTRIES
    assert len(mentions) == MOST_MENTIONS
    assert len({m.name for m in mentions}) == MOST_MENTIONS


def test_the_quick_score_is_the_model() -> None:
    for name in ("src/a.py", "case_id", "8080", "4197b0c", "camelCase", "os.path"):
        for agent_uses, user_uses, age in ((0, 0, 3.0), (2, 0, 0.0), (1, 4, 90.0)):
            usage = Usage(name=name, agent_uses=agent_uses, user_uses=user_uses, age=age)
            look = name_score(name)
            quick = look.plain + age_score(age) + uses_score(look, agent_uses, user_uses)
            assert abs(chances_of([quick])[0] - expected_use(usage)) < 1e-9
