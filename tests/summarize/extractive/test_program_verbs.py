"""What a program that nobody listed was told to change is an effect, by its verb."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Status
from tests.summarize.extractive.told import Native, bash, items, proposed, user


def effects(*story: list[Native]) -> list[Item]:
    return items(proposed(user("the goal"), *story), "effect")


@pytest.mark.parametrize(
    ("command", "action"),
    [
        ("acme index refresh --force --from /srv/a", "acme index refresh"),
        ("cd /srv/app && acme trail create --status open", "acme trail create"),
        ("sudo nmcli device connect wlan0", "nmcli device connect"),
        ("aerospace flatten-workspace-tree --workspace 1", "aerospace flatten-workspace-tree"),
        ("heroku config:set MODE=1", "heroku config:set"),
    ],
)
def test_a_command_that_orders_a_change_is_an_effect(command: str, action: str) -> None:
    (item,) = effects(bash(command, "done"))
    assert item.field("action") == action
    assert item.status is Status.ACTIVE
    assert command.rpartition("&& ")[2].removeprefix("sudo ")[:20] in item.text


@pytest.mark.parametrize(
    "command",
    [
        "acme index refresh --help",
        "acme trail create --dry-run",
        "acme trail list",
        "acme inspect boundaries --kind route",
        "python manage.py update",
        "npm run seed",
        "./acme index refresh",
        "echo create the table",
        "cat > a.py <<'EOF'\nacme create --now\nEOF",
        "grep set app.conf",
    ],
)
def test_looks_runners_and_own_programs_are_none(command: str) -> None:
    assert effects(bash(command, "done")) == []


def test_what_failed_changed_nothing_and_the_same_order_counts_once() -> None:
    failed = bash("acme index refresh", "Exit code 1\nerror: no index")
    done = bash("acme index refresh", "indexed")
    assert effects(failed) == []
    assert effects(bash("acme trail create", "trail already exists for this branch")) == []
    assert len(effects(done, done)) == 1
