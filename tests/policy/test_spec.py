"""A policy document: read whole, refused with the place of what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew import Boundary, Budget, BudgetError, Policy, PolicyError
from clew.policy import BoundaryRules, CallLimits, Place, Probe
from clew.ports import Rates
from clew.record.kinds import Kind, Proof

DOCUMENT = """
name = "long-runs"
version = 3
cooldown = 0.2
instructions = "Keep every ticket id."
summarizer = "openai:gpt-5-mini"
fallback = "anthropic:claude-haiku-4-5"

[budget]
window_tokens = 100_000
trigger = 0.6
tail_tokens = 8_000

[eviction]
part_share = 0.1

[ratios]
cached_read = 0.25

[limits]
per_hour = 7

[boundaries]
detect = ["user_message"]

[boundaries.tools]
post_entry = "subtask_done"

[view]
index_share = 0.5

[[kinds]]
name = "approval"
letter = "V"
heading = "Approvals"
rule = "one object, one approval"
required = ["object"]
protected = true
evidence = "user"
scope = "object"
used_by = ["apply"]
line = "{object}: {text}"

[[probes]]
ask = "Which key is unique?"
expect = ["customer_id, invoice_no"]
where = "archive"

[[prices]]
model = "openai:ours"
input = 1
output = 2.5
window_tokens = 64_000
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "compaction.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_in_a_document_counts(tmp_path: Path) -> None:
    policy = Policy.load(written(tmp_path, DOCUMENT))
    assert policy.budget == Budget(100_000, trigger=0.6, tail_tokens=8_000)
    assert (policy.name, policy.version, policy.cooldown) == ("long-runs", 3, 0.2)
    assert policy.eviction.part_share == 0.1
    assert policy.ratios.cached_read == 0.25
    approval = policy.kinds.get("approval")
    assert approval == Kind(
        name="approval", letter="V", heading="Approvals", rule="one object, one approval",
        required=("object",), protected=True, evidence=Proof.USER, scope="object",
        used_by=("apply",), line="{object}: {text}",
    )  # fmt: skip
    assert policy.probes == (
        Probe(ask="Which key is unique?", expect=("customer_id, invoice_no",), where=Place.ARCHIVE),
    )
    assert (policy.summarizer, policy.fallback) == (
        "openai:gpt-5-mini", "anthropic:claude-haiku-4-5",
    )  # fmt: skip
    assert policy.limits == CallLimits(per_hour=7)
    assert policy.boundaries == BoundaryRules(
        detect=(Boundary.USER_MESSAGE,), tools=(("post_entry", Boundary.SUBTASK_DONE),)
    )
    assert policy.view.index_share == 0.5
    (price,) = policy.prices
    assert price.rates == Rates(input=1.0, output=2.5, cached_read=1.0, cache_write=1.0)
    assert price.window_tokens == 64_000


def test_a_budget_that_cannot_work_says_its_arithmetic(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match=r"compaction.toml:3: budget window_tokens") as caught:
        Policy.load(written(tmp_path, "name = 'x'\n[budget]\nwindow_tokens = 0"))
    assert caught.value.arithmetic == "window_tokens = 0"


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        Policy.load(tmp_path / "absent.toml")


@pytest.mark.parametrize("source", [None, 7, b"a.toml", {"name": "x"}, ["a.toml"]])
def test_what_is_no_path_is_one_clear_error(source: Any) -> None:
    with pytest.raises(PolicyError, match=f"from a path, not a {type(source).__name__}"):
        Policy.load(source)


def test_a_name_that_no_file_can_have_is_one_clear_error() -> None:
    with pytest.raises(PolicyError, match="is no path"):
        Policy.load("a\0.toml")


def test_the_digest_tells_policies_apart() -> None:
    assert Policy().digest == Policy().digest
    assert Policy(Budget(1_000)).digest != Policy(Budget(2_000)).digest
    assert Policy(cooldown=0.2).digest != Policy().digest
