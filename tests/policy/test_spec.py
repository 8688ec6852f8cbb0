"""A policy document: read whole, refused with the place of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew import Budget, BudgetError, Policy, PolicyError

DOCUMENT = """
name = "long-runs"
version = 3
cooldown = 0.2
instructions = "Keep every ticket id."
probes = ["Which key is unique?"]

[budget]
window_tokens = 100_000
trigger = 0.6
tail_tokens = 8_000

[eviction]
part_share = 0.1

[ratios]
cached_read = 0.25

[[kinds]]
name = "approval"
letter = "V"
heading = "Approvals"
rule = "one object, one approval"
required = ["object"]
protected = true
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
    assert approval is not None
    assert approval.required == ("object",)
    assert policy.probes == ("Which key is unique?",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cooldwon = 1", "does not know cooldwon"),
        ("[budget]\nwindow = 5", "[budget]: does not know window"),
        ("cooldown = 1.5", "expected a share"),
        ("budget = 5", "[budget]: expected a table"),
        ("[[kinds]]\nname = 'x'\nletter = 'S'\nheading = 'X'\nrule = 'y'", "letter S is taken"),
        ("[[kinds]]\nname = 'x'", "missing"),
        ("name = ", "is no TOML document"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy.load(written(tmp_path, text))
    assert said in str(caught.value)


def test_a_budget_that_cannot_work_says_its_arithmetic(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match="window_tokens"):
        Policy.load(written(tmp_path, "[budget]\nwindow_tokens = 0"))


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        Policy.load(tmp_path / "absent.toml")


def test_the_digest_tells_policies_apart() -> None:
    assert Policy().digest == Policy().digest
    assert Policy(Budget(1_000)).digest != Policy(Budget(2_000)).digest
    assert Policy(cooldown=0.2).digest != Policy().digest
