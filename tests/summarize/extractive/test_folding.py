"""What the first compaction earned is there after the fifth."""

from __future__ import annotations

from dataclasses import replace

from clew.record.apply import apply_delta
from clew.record.lineage import Fate
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer
from tests.summarize.extractive.told import Native, agent, bash, request, spans_of, user

RULE = "Never touch billing/ without a ticket."
FACT = "The root cause is that case_id is unique only within a tenant."


def chapter(number: int) -> list[Native]:
    story = [
        user(f"Now do part {number} of the port."),
        bash(f"cat src/part_{number}.py", f"def part_{number}(): return {number}000"),
        bash(f"git commit -m 'Part {number}'", f"[main abc{number}def] Part {number}\n 1 file"),
        agent(f"Part {number} is done and committed."),
    ]
    if number == 1:
        story = [user(RULE), agent(FACT), *story]
    return [message for part in story for message in part]


def test_rules_and_facts_survive_five_compactions_and_the_books_balance() -> None:
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal="port it")
    for number in range(1, 6):
        asked = request(spans_of(chapter(number), start=100 * number), old=record, goal="port it")
        applied = apply_delta(record, summarizer.propose(asked), position=100 * number + 90)
        entries, mentions = summarizer.index(asked)
        assert applied.rejected == ()
        assert {fate.id for fate in applied.lineage.fates} == {item.id for item in record.items}
        assert all(
            fate.reason for fate in applied.lineage.fates if fate.fate is Fate.CLOSED
        )  # fmt: skip
        record = summarizer.revalue(
            asked, replace(applied.record, index=entries, mentions=mentions)
        )
    live = [item.text for item in record.live()]
    assert RULE in live
    assert FACT in live
    assert [m.name for m in record.mentions if m.name == "src/part_1.py"]
    assert len(record.of_kind("directive")) == 6
    assert not [i for i in record.of_kind("directive") if i.live and "part" in i.text]


def test_what_nobody_used_is_set_aside_before_the_kind_outgrows_the_record() -> None:
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal="port it")
    for number in range(1, 9):
        asked = request(
            spans_of(chapter(number), start=100 * number), old=record, goal="port it",
            target_tokens=900,
        )  # fmt: skip
        record = apply_delta(record, summarizer.propose(asked)).record
    effects = record.of_kind("effect")
    assert len(effects) == 8
    assert len([i for i in effects if i.live]) <= 3
    assert effects[-1].live
