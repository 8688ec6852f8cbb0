from __future__ import annotations

import pytest

from clew.demo.world import Audit, World


@pytest.fixture
def world() -> World:
    return World()


def test_47_case_numbers_occur_in_both_tenants(world: World) -> None:
    result = world.sql(
        "SELECT COUNT(*) FROM (SELECT case_id FROM export_cases GROUP BY case_id "
        "HAVING COUNT(DISTINCT tenant_id) = 2)"
    )
    assert result == "COUNT(*)\n47\n(1 rows)"


@pytest.mark.parametrize(
    ("key", "audit"),
    [
        ("tenant_id, case_id", Audit(expected=1912, loaded=1912)),
        ("case_id", Audit(expected=1912, loaded=1865)),
        ("row_id", Audit(expected=1912, loaded=1912)),
    ],
)
def test_the_database_counts_what_a_key_loses(world: World, key: str, audit: Audit) -> None:
    world.sql(
        "CREATE TABLE ledger AS SELECT tenant_id, case_id FROM (SELECT *, ROW_NUMBER() OVER "
        f"(PARTITION BY {key} ORDER BY exported_at DESC) AS newest FROM export_cases) "
        "WHERE newest = 1"
    )
    assert world.audit() == audit
    assert audit.lost == 1912 - audit.loaded


def test_without_a_ledger_every_case_is_lost(world: World) -> None:
    assert world.audit().lost == 1912
    world.sql("CREATE TABLE ledger AS SELECT tenant_id, case_id FROM export_cases")
    world.reset_ledger()
    assert world.audit().lost == 1912


def test_errors_are_the_databases_own_words(world: World) -> None:
    assert world.sql("MERGE INTO ledger USING x") == 'error: near "MERGE": syntax error'
    assert world.sql("SELECT * FROM nowhere") == "error: no such table: nowhere"


def test_two_worlds_are_alike(world: World) -> None:
    everything = "SELECT * FROM export_cases ORDER BY row_id DESC"
    assert world.sql(everything) == World().sql(everything)
