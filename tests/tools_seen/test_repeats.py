from __future__ import annotations

import pytest

from clew.tools_seen import Action, CallSeen, Outcome
from clew.tools_seen.repeats import Repeats, count_repeats


def seen(
    action: Action, resource: str, version: str = "", outcome: Outcome = Outcome.OK
) -> CallSeen:
    return CallSeen(
        call_id="c", tool="t", family="f", action=action, resource=resource,
        version=version, outcome=outcome,
    )  # fmt: skip


READ = seen(Action.READ, "a.py", "v1")
CHANGED = seen(Action.READ, "a.py", "v2")
FAILED = seen(Action.RUN, "make", "v1", Outcome.FAILED)
WRITE = seen(Action.WRITE, "b.py", "w")


@pytest.mark.parametrize(
    ("calls", "raw", "same_version", "unexplained"),
    [
        ([READ], 0, 0, 0),
        ([READ, READ], 1, 1, 1),
        ([READ, READ, READ], 2, 2, 2),
        ([READ, CHANGED], 1, 0, 0),
        ([READ, WRITE, READ], 1, 1, 0),
        ([FAILED, FAILED], 1, 1, 0),
        ([READ, seen(Action.SEARCH, "a.py", "v1")], 0, 0, 0),
        ([WRITE, WRITE], 0, 0, 0),
        ([seen(Action.READ, ""), seen(Action.READ, "")], 0, 0, 0),
        ([seen(Action.READ, "a.py"), seen(Action.READ, "a.py")], 1, 0, 0),
    ],
)
def test_a_repeat_is_the_same_call_on_the_same_version_for_no_reason(
    calls: list[CallSeen], raw: int, same_version: int, unexplained: int
) -> None:
    expected = Repeats(raw=raw, same_version=same_version, unexplained=unexplained)
    assert count_repeats(calls) == expected
