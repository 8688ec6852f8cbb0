"""A stub that shows the names an evicted result holds, rather than its first lines."""

from __future__ import annotations

from collections.abc import Sequence

from clew.evict.residents import Resident
from clew.evict.stubs import STUB_MARK


def names_stub(
    resident: Resident, names: Sequence[str], *, recall_tool: str = "", bare: bool = False
) -> str:
    """What stands in place of a result: its size, version and handle, then the chosen names.

    Every name is verbatim from the result, in its order. What the call was stands in the call
    itself, which stays. A `bare` stub that shows no name is its handle only.
    """
    if bare and not names:
        return f"{STUB_MARK} {resident.handle}]"
    version = resident.seen.version[:6] if resident.seen is not None else ""
    what = f"{resident.full_tokens:,} tokens" + (f", version {version}" if version else "")
    fetch = f"{recall_tool}({resident.handle!r})" if recall_tool else resident.handle
    head = f"{STUB_MARK} {resident.handle}]" if bare else f"{STUB_MARK} {what}, whole: {fetch}]"
    return f"{head} it names {' '.join(names)}" if names else head
