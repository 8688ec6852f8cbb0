"""Items are values: a change makes another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from clew.record.items import Evidence, Item, Speaker, Status

FACT = Item(
    id="F-1",
    kind="fact",
    text="the cache holds 512 entries",
    evidence=(Evidence(span="S-4", quote="512 entries"),),
    said_by=Speaker.TOOL,
    fields=(("key", "cache"),),
    value=0.5,
)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"uses": 3, "last_used": 9, "value": 0.25},
        {"status": Status.CLOSED, "reason": "worked in S-9", "evidence": ()},
        {"id": "F-2", "externalised": True},
    ],
)
def test_a_changed_item_is_what_replace_makes(values: dict[str, object]) -> None:
    before = replace(FACT)
    made = FACT.changed(**values)
    assert made == replace(FACT, **values)  # type: ignore[arg-type]
    assert hash(made) == hash(replace(FACT, **values))  # type: ignore[arg-type]
    assert before == FACT


@pytest.mark.parametrize("name", ["usage", "live", "__class__"])
def test_an_item_has_no_value_that_its_table_does_not_name(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        FACT.changed(**{name: Item, "text": "q"})


@dataclass(frozen=True, kw_only=True)
class Noted(Item):
    note: str = ""


def test_a_changed_item_stays_of_its_class() -> None:
    made = Noted(id="F-1", kind="fact", text="it holds", note="mine").changed(uses=3)
    assert made == Noted(id="F-1", kind="fact", text="it holds", note="mine", uses=3)
